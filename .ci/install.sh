#!/usr/bin/env bash
# Installs a packed file of rolloutkit in a folder outside the checkout: install.sh PACKAGE INTEGRITY FOLDER.
# Nothing is installed unless the content of the file has this integrity, as `npm pack --json` prints it, and no script of any package runs.
set -euo pipefail

package=$1 integrity=$2 folder=$3
if [ -z "$package" ] || [ -z "$integrity" ]; then
  echo "rolloutkit: set the inputs package, the packed file, and integrity, which npm pack --json prints; the package is not on npm yet" >&2
  exit 2
fi
if ! node -e 'process.exit(parseInt(process.versions.node) >= 20 ? 0 : 1)'; then
  echo "rolloutkit: the runner has no Node.js 20 or later; install it there, or run actions/setup-node before actions/checkout" >&2
  exit 2
fi
mkdir -p "$folder"
# The copy is checked, so that the file cannot change in between.
cp -- "$package" "$folder/rolloutkit.tgz"
cd -- "$folder"
actual=$(node -p '"sha512-" + require("node:crypto").createHash("sha512").update(require("node:fs").readFileSync("rolloutkit.tgz")).digest("base64")')
if [ "$actual" != "$integrity" ]; then
  echo "rolloutkit: $package has the integrity $actual instead of $integrity, so it is not installed" >&2
  exit 2
fi
npm install --ignore-scripts --no-save --no-audit --no-fund --prefix . ./rolloutkit.tgz
