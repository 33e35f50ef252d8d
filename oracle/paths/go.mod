module rolloutkit-paths

go 1.24.0
