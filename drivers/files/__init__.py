"""Files in one folder that a person named; nothing outside it is read or written."""
