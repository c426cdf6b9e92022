"""Problems on counting, probability and statistics, one module a topic."""
