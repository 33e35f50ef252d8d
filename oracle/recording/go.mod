module rolloutkit-oracle-recording

go 1.24.0
