"""The timeline: film strip, lanes of events and the controls that move the cursor."""
