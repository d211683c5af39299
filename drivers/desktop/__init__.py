"""A whole desktop as the thing driven: pictures by mss, input through XTEST, and a virtual one to throw away."""
