"""How numbers are shown: tables, figures, and controls that live in the built page."""
