"""From a model answer to an ask: the SDK lives here."""
