"""An ask as it was shown, with what was answered: for reading, never for answering."""
