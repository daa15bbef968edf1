"""The public originals: ``fetch`` downloads them, ``texts`` brings texts into one form.

``sources`` and the folder ``registry`` say what there is and where, with checksums.
"""
