"""From a decision to an effect and back to an observation: the things that act. Imports nothing of app."""
