// Lets the compiler take a function without a body (go:linkname in nodes.go).
