"""Page scripts, the demo site, scenarios, icons, fonts and style; read through app.paths only."""
