"""Problems of calculus and linear algebra."""
