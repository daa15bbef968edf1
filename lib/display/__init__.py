"""How numbers are shown: tables, figures, and controls that live in the built page.

Each module's ``__all__`` is what other folders may use.
"""
