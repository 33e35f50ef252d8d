/*
 * Joins what versions of an operator do with the objects that an earlier version left.
 *
 *     node join.js OUTPUT 0.7..0.8=EARLIER:LATER...
 *
 * EARLIER is the recording of the earlier version, and LATER that of the later version with EARLIER as STATES. Objects and pods that differ
 * only by a number, such as those of each group, are joined into one.
 */
const { readFileSync, writeFileSync } = require('node:fs');
const { gzipSync } = require('node:zlib');

/** Orders values by their text. */
const byText = (one, other) => (String(one) < String(other) ? -1 : 1);

/** Replaces the numbers in the name of an object: `StatefulSet set-3` is `StatefulSet set-N`. */
const shorten = (name) => name.replace(/-\d+(?=$|-)/g, '-N');

/** Joins the differences of objects whose names differ only by numbers. */
function joinPaths(byName = {}) {
  const joined = new Map();
  for (const [name, paths] of Object.entries(byName)) {
    const key = shorten(name);
    joined.set(key, new Set([...(joined.get(key) ?? []), ...paths]));
  }
  return Object.fromEntries([...joined].toSorted(byText).map(([name, paths]) => [name, [...paths].toSorted(byText)]));
}

const isEmpty = (map) => Object.keys(map).length === 0;

/** Returns what the later version does with the objects of one case. Empty if it does nothing. */
function effectOf({ differences, replaced = [], recreated }) {
  const [written, again] = [joinPaths(differences), joinPaths(recreated)];
  return {
    ...(!isEmpty(written) && { differences: written }),
    ...(replaced.length > 0 && { replaced: replaced.length }),
    ...(!isEmpty(again) && { recreated: again }),
  };
}

const [output, ...given] = process.argv.slice(2);
const pairs = given.map((one) => {
  const [name, files] = one.split('=');
  const [earlier, later] = files.split(':').map((file) => JSON.parse(readFileSync(file, 'utf8')));
  return { name, earlier, later };
});
const cases = new Map();
for (const { name, later } of pairs) {
  for (const { input, base, edits, mode, refused, failed, state, ...effect } of later.cases) {
    if (refused || failed || state) continue;
    const identity = input ? { input } : { base, ...(edits && { edits }), mode };
    const key = JSON.stringify(identity);
    const known = cases.get(key) ?? { ...identity, pairs: {} };
    known.pairs[name] = effectOf(effect);
    cases.set(key, known);
  }
}
const about =
  'Objects, and what the later version of each pair does with what the earlier one left of them, by whole reconcilers: `differences` in what it writes, ' +
  'by object, how many pods it has `replaced`, and in what pods that are created again (`recreated`) differ, by their role. N stands for any number.';
const all = pairs.flatMap(({ earlier, later }) => [earlier, later]);
const [upstreamModule] = Object.keys(all[0].upstream);
const upstream = { [upstreamModule]: [...new Set(all.map((recording) => recording.upstream[upstreamModule]))].toSorted(byText).join(', ') };
/** What the cases name: the objects that they begin with, and the edits of these that they use. */
const { bases, edits } = pairs.at(-1).later;
const used = new Set([...cases.values()].flatMap((one) => one.edits ?? []));
const sections = bases ? { bases, edits: Object.fromEntries(Object.entries(edits).filter(([name]) => used.has(name))) } : {};
const shared = Object.entries(sections)
  .map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)},\n`)
  .join('');
const lines = [...cases.values()].map((one) => JSON.stringify(one)).join(',\n');
writeFileSync(output, gzipSync(`{\n"about": ${JSON.stringify(about)},\n"upstream": ${JSON.stringify(upstream)},\n${shared}"cases": [\n${lines}\n]\n}\n`, { level: 9 }));
console.log(`${output}: ${cases.size} cases, ${pairs.length} pairs`);
