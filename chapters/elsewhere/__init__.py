"""The headline claims of the papers along every analysis path, on every collection."""
