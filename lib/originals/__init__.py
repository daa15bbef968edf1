"""The public originals: ``fetch`` downloads them, ``texts`` brings texts into one form."""
