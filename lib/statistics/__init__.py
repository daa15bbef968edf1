"""From scores to what the papers ask of them, one idea a file."""
