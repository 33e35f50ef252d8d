module rolloutkit-fields

go 1.24.0
