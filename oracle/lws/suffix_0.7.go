//go:build lws0.7

package main

const fileSuffix = "-0.7"
