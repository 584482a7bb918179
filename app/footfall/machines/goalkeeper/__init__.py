"""The goalkeeper of Kanehara (2009), part I.i: where it stands while a ball goes over the field."""
