"""Problems on geometry."""
