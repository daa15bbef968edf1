"""What goes beyond the papers: studies of our own, a file each."""
