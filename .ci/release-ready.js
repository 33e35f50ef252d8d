// Fails unless the package can be published under the given tag: `node .ci/release-ready.js v0.1.0`.
const { readFileSync } = require('node:fs');
const path = require('node:path');

const root = path.join(__dirname, '..');
const tag = process.argv[2] ?? '';
const { version, repository } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const changelog = readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8');

const reasons = [
  tag === `v${version}` ? undefined : `the tag is "${tag}", but package.json has version ${version}: tag v${version}`,
  repository === undefined
    ? 'package.json has no repository, which provenance requires: npm pkg set repository.type=git repository.url=git+https://…'
    : undefined,
  changelog.includes(`\n## ${version}\n`) ? undefined : `CHANGELOG.md has no heading "## ${version}"`,
].filter((reason) => reason !== undefined);

for (const reason of reasons) console.error(reason);
process.exitCode = reasons.length === 0 ? 0 : 1;
