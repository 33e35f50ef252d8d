/*
 * Reduces a recording of `kserve-upgrades` to the containers in which KServe sets INFERENCE_SERVICE_NAME.
 *
 *     node variables.js OUTPUT RECORDING CHANGES
 *
 * CHANGES is the recording kserve-changes, which has the bases and most of the edits.
 */
const { readFileSync, writeFileSync } = require('node:fs');
const { gzipSync } = require('node:zlib');

const [output, ...files] = process.argv.slice(2);
const [recording, changes] = files.map((file) => JSON.parse(readFileSync(file, 'utf8')));
const podSpecOf = ({ template }) => template.spec ?? template;
const withVariable = (made) =>
  podSpecOf(made)
    .containers.filter(({ env = [] }) => env.some(({ name }) => name === 'INFERENCE_SERVICE_NAME'))
    .map(({ name }) => name);
const cases = recording.cases.flatMap(({ base, edits, mode, made }) =>
  made === undefined
    ? []
    : [{ base, ...(edits && { edits }), mode, variables: Object.fromEntries(Object.entries(made).map(([name, one]) => [name, withVariable(one)])) }],
);
const used = new Set(cases.flatMap(({ edits = [] }) => edits));
const edits = Object.fromEntries(Object.entries({ ...changes.edits, ...recording.edits }).filter(([name]) => used.has(name)));
const about =
  'InferenceServices, and the containers in which this version of KServe sets INFERENCE_SERVICE_NAME, by Deployment or Service of Knative. ' +
  'Versions before 0.17 do not know the variable.';
const lines = cases.map((one) => JSON.stringify(one)).join(',\n');
writeFileSync(
  output,
  gzipSync(
    `{\n"about": ${JSON.stringify(about)},\n"upstream": ${JSON.stringify(recording.upstream)},\n"bases": ${JSON.stringify(changes.bases)},\n"edits": ${JSON.stringify(edits)},\n"cases": [\n${lines}\n]\n}\n`,
    { level: 9 },
  ),
);
console.log(`${output}: ${cases.length} cases`);
