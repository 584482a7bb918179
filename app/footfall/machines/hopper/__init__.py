"""The two-link hopper of Oh and Huang (2021): one jump from rest."""
