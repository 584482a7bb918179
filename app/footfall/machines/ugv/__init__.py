"""The half vehicle of document 002, section 8, on wheels at legs that move."""
