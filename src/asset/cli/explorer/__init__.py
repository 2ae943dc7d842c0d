"""`asset explore`: a model in the browser. The server is on this machine only, and runs nothing but the model."""
