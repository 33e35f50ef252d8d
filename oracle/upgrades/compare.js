/*
 * Compares what versions of an operator wrote for the same objects, and records which fields differ between each pair.
 *
 *     node compare.js OUTPUT NAME=RECORDING...
 *
 * A recording is the output of the program of one version: cases with `made`, the written objects by name. OUTPUT is compressed.
 */
const { readFileSync, writeFileSync } = require('node:fs');
const { gzipSync } = require('node:zlib');

/** Fields by which the items of a list are known. */
const KEYS = ['name', 'mountPath', 'containerPort'];

function keyOf(item, index) {
  const key = item && typeof item === 'object' ? KEYS.map((name) => item[name]).find((value) => value !== undefined) : undefined;
  return key ?? index;
}

/** Lists the paths at which two values differ. A missing or empty value equals another. */
function diff(before, after, path, found) {
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  const isMap = (value) => value === undefined || value === null || typeof value === 'object';
  if (!isMap(before) || !isMap(after) || (before == null && after == null)) {
    if ((before ?? '') !== (after ?? '')) found.push(path);
    return;
  }
  const entries = (value) =>
    Array.isArray(value) ? value.map((item, index) => [`[${keyOf(item, index)}]`, item]) : Object.entries(value ?? {}).map(([name, inner]) => [`.${name}`, inner]);
  const [old, next] = [before, after].map((value) => new Map(entries(value)));
  const names = new Set([...old.keys(), ...next.keys()]);
  if (names.size === 0) return;
  for (const name of names) {
    // An item of a list that only one side has is one difference.
    if (name.startsWith('[') && (!old.has(name) || !next.has(name))) found.push(path + name);
    else diff(old.get(name), next.get(name), path + name, found);
  }
}

function compare(before = {}, after = {}) {
  const out = {};
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (!before[name] || !after[name]) {
      out[name] = before[name] ? 'delete' : 'create';
      continue;
    }
    const found = [];
    for (const part of ['template', 'spec', 'replicas']) diff(before[name][part], after[name][part], part, found);
    if (found.length > 0) out[name] = found;
  }
  return out;
}

const [output, ...given] = process.argv.slice(2);
const versions = given.map((one) => {
  const [name, file] = one.split('=');
  return { name, recording: JSON.parse(readFileSync(file, 'utf8')) };
});
const keyOfCase = ({ base, edits = [], input }) => JSON.stringify([base, edits, input]);
const byVersion = versions.map(({ recording }) => new Map(recording.cases.map((one) => [keyOfCase(one), one])));
const cases = versions[0].recording.cases.flatMap((one) => {
  const all = byVersion.map((map) => map.get(keyOfCase(one)));
  if (all.some((found) => !found || found.unmade)) return [];
  const pairs = {};
  for (let from = 0; from < all.length; from++)
    for (let to = from + 1; to < all.length; to++) {
      const differences = compare(all[from].made, all[to].made);
      if (Object.keys(differences).length > 0) pairs[`${versions[from].name}..${versions[to].name}`] = differences;
    }
  const { base, edits: names, input, mode } = all[0];
  return [{ ...(base && { base }), ...(names && { edits: names }), ...(input && { input }), ...(mode && { mode }), made: Object.keys(all[0].made ?? {}).toSorted(), pairs }];
});
const about =
  'What two versions of an operator write differently for the same objects: each written object by what becomes of it, or by the paths that differ. ' +
  'A pair that is not listed writes the same. `made` are the objects that the oldest version writes.';
const modules = new Set(versions.flatMap(({ recording }) => Object.keys(recording.upstream)));
const joinVersions = (module) => versions.map(({ recording }) => recording.upstream[module]).join(', ');
const upstream = Object.fromEntries([...modules].map((module) => [module, joinVersions(module)]));
const { bases, edits } = versions.at(-1).recording;
const sections = [...(bases ? [['bases', bases]] : []), ...(edits ? [['edits', edits]] : [])];
const shared = sections.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)},\n`).join('');
const lines = cases.map((one) => JSON.stringify(one)).join(',\n');
writeFileSync(output, gzipSync(`{\n"about": ${JSON.stringify(about)},\n"upstream": ${JSON.stringify(upstream)},\n${shared}"cases": [\n${lines}\n]\n}\n`, { level: 9 }));
console.log(`${output}: ${cases.length} cases, ${versions.length} versions`);
