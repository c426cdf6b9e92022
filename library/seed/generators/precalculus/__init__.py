"""Problems on precalculus."""
