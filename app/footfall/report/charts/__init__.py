"""Charts: figures that the page draws itself, from data, where one can hover and zoom."""
