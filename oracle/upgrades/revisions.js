/*
 * Joins what versions of LeaderWorkerSet say about the revisions of an earlier version.
 *
 *     node revisions.js OUTPUT 0.7..0.8=RECORDING…
 *
 * A recording is the output of the program of the later version, given the recording of the earlier one as REVISIONS.
 */
const { readFileSync, writeFileSync } = require('node:fs');
const { gzipSync } = require('node:zlib');

const [output, ...given] = process.argv.slice(2);
const pairs = given.map((one) => {
  const [name, file] = one.split('=');
  return { name, recording: JSON.parse(readFileSync(file, 'utf8')) };
});
const cases = new Map();
for (const { name, recording } of pairs) {
  for (const { spec, renewed } of recording.cases) {
    const key = JSON.stringify(spec);
    if (renewed !== undefined) cases.set(key, { spec, renewed: { ...cases.get(key)?.renewed, [name]: renewed } });
  }
}
const about = 'Sets, and whether the later version of each pair makes another revision than the earlier one made, whose groups it then replaces.';
const versions = [...new Set(pairs.flatMap(({ name }) => name.split('..')))].toSorted((a, b) => (a < b ? -1 : 1));
const upstream = { 'sigs.k8s.io/lws': versions.map((version) => `v${version}.0`).join(', ') };
const lines = [...cases.values()].map((one) => JSON.stringify(one)).join(',\n');
writeFileSync(output, gzipSync(`{\n"about": ${JSON.stringify(about)},\n"upstream": ${JSON.stringify(upstream)},\n"cases": [\n${lines}\n]\n}\n`, { level: 9 }));
console.log(`${output}: ${cases.size} sets, ${pairs.length} pairs`);
