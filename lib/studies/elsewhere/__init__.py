"""Does it hold elsewhere?  Headline claims of the papers, asked of every collection at hand."""
