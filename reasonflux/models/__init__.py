"""Chat models behind one protocol, and the weights of the embedded ones."""
