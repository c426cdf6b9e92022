"""Problems of prealgebra."""
