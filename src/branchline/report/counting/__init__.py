"""What is counted, from the tables of a simulation into small ones: one module for each thing that is told."""
