"""The search for the hopper's longest jump, and for one that other machines make as well."""
