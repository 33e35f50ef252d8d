// Lets the compiler take a function without a body (go:linkname in version_1.5.go).
