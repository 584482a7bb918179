"""Analyses of PASIBOT: the figures of its document, and the fit of its two lost scales."""
