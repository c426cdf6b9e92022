"""Problems of number theory."""
