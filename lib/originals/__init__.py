"""The public originals: where they are, and how texts come into one form."""
