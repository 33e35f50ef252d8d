package main

import "runtime/debug"

const module = "github.com/argoproj/argo-rollouts"

// upstreamVersions are those of the modules that answered.
func upstreamVersions() map[string]string {
	versions := map[string]string{}
	info, _ := debug.ReadBuildInfo()
	for _, one := range info.Deps {
		if one.Path == module {
			versions[one.Path] = one.Version
		}
	}
	return versions
}
