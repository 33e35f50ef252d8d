module rolloutkit-fields

go 1.24.0

require rolloutkit-oracle-recording v0.0.0

replace rolloutkit-oracle-recording => ../recording
