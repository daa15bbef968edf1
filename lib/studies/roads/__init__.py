"""Analysis paths: the choices that the papers leave open, crossed."""
