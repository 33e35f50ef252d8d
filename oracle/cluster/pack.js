// Packs the recordings of rollouts.js for the tests: all of them, one of each family, and what kubectl answered for two of them.
//
//     node oracle/cluster/pack.js test/fixtures/live CASES…
const { existsSync, readFileSync, readdirSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const { brotliCompressSync, constants } = require('node:zlib');

const [target, ...folders] = process.argv.slice(2);

/** Kinds whose events no test reads. */
const UNREAD_KINDS = new Set(['HorizontalPodAutoscaler', 'Service']);
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

function pruneEvent({ type, object }) {
  const { annotations, managedFields: _, ...metadata } = object.metadata;
  const { [LAST_APPLIED]: __, ...kept } = annotations ?? {};
  return { type, object: { ...object, metadata: { ...metadata, ...(annotations && { annotations: kept }) } } };
}

function readRecordings() {
  const names = folders.flatMap((folder) => readdirSync(folder).map((name) => path.join(folder, name, 'recording.json')));
  return names
    .filter((file) => existsSync(file))
    .toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .map((file) => JSON.parse(readFileSync(file, 'utf8')));
}

function write(name, recordings) {
  const text = recordings.map((recording) => `${JSON.stringify(recording)}\n`).join('');
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 9,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
  };
  writeFileSync(path.join(target, name), brotliCompressSync(text, { params }));
}

const all = readRecordings().map(({ live: _live, events, ...recording }) => ({
  ...recording,
  events: events.filter(({ object }) => !UNREAD_KINDS.has(object.kind)).map(pruneEvent),
}));
const answered = all.filter(({ raw }) => raw !== undefined).slice(-2);
const plain = all.map(({ raw: _raw, ...recording }) => recording);
const families = new Map(plain.map((recording) => [recording.family, recording]));
write('rollouts.jsonl.br', plain);
write('rollouts-sample.jsonl.br', [...families.values()]);
write('kubectl-answers.jsonl.br', answered);
console.log(`${plain.length} recordings`);
