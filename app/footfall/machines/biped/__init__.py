"""The 4-link biped of the TUlip report: its closed form, gaits, claims and page."""
