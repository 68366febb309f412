"""Go: board kernels for any size, and the games go9, go13 and go19."""
