//go:build lws0.8

package main

const fileSuffix = "-0.8"
