"""What the chapters take for granted, each idea on an example small enough for paper."""
