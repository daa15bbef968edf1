"""What the command ``compare`` says: sentences, tables and pictures of a comparison."""
