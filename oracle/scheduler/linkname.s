// Lets the compiler take functions without a body (go:linkname).
