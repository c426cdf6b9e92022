"""Problems of logic."""
