'use strict';
// Runs the command line over mutated manifests for the given time, in this process: each command in each of its formats, with CRDs built
// from the manifests, with guardrails, and with mutated plan documents. Reports every run that breaks a rule: the exit code is 0, 1 or 2,
// there is no internal error, planning fails on no object, exit code 2 comes with a message, and no line of the output is a command
// for the log of a CI system.
//
//     node oracle/mutations/commands.js FOLDER SECONDS [SEED]
//
// Needs the build (npm run build). Each failure is printed with its seed, the command and the files.
const { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');
const { Draw, mutated, mutatedText } = require('./mutate');
const { readFiles } = require('../../lib/input/read');
const { planManifests } = require('../../lib/plan/plan');
const { FILE_KINDS } = require('../../lib/plan/registry');
const { renderPlanJson } = require('../../lib/render/json/json');

const { run } = require('../../lib/cli/run');
const { COMMAND_MODULES } = require('../../lib/cli/lazy-commands');

const PLAN_FORMATS = ['text', 'json', 'markdown', 'svg', 'html'];
const COMMANDS = [
  ...PLAN_FORMATS.map((format) => ['plan', '--format', format, 'new']),
  ...PLAN_FORMATS.map((format) => ['plan', '--format', format, '--from', 'old', 'new']),
  ...['text', 'json', 'sarif', 'junit', 'github', 'gitlab'].map((format) => ['check', '--format', format, 'new']),
  ...['text', 'json', 'markdown'].map((format) => ['diff', '--format', format, 'old', 'new']),
  ...['text', 'json'].map((format) => ['explain', '--format', format, 'new']),
  ['plan', '--from', 'old', '--prune', 'new'],
  ['fix', 'new'],
  ['fix', '--from', 'old', 'new'],
  ...['check', 'plan', 'fix'].map((command) => [command, '--crds', 'crds', 'new']),
  ...['json', 'text'].map((format) => ['check', '--format', format, '--crds', 'hostile-crds', 'new']),
  ['plan', '--format', 'json', '--from', 'old', '--crds', 'crds', 'new'],
  ...['json', 'sarif', 'text'].map((format) => ['check', '--format', format, '--policy', 'policy.yaml', 'new']),
  ['check', '--format', 'json', '--policy', 'hostile-policy.yaml', 'new'],
  ['plan', '--format', 'markdown', '--from', 'old', '--policy', 'policy.yaml', 'new'],
  ...['json', 'text', 'markdown'].map((format) => ['diff', '--format', format, 'old.json', 'hostile.json']),
  ['plan', '--format', 'json', '--from', 'hostile.json', 'new'],
];

const POLICY = [
  'neverBelow: {available: 75%}',
  'atMost: {extraPods: 25%, extraGpus: 1}',
  'strategies: [RollingUpdate]',
  'requireReadinessProbe: true',
  'requireBudget: true',
  'requireEviction: true',
  'match: {kinds: [Deployment, StatefulSet, DaemonSet], labels: {app: web}}',
  'exceptions: [{namespaces: [batch], reason: jobs only}]',
  '',
].join('\n');

/** Returns a schema that accepts a value. All fields are optional. */
function schemaOf(value) {
  if (Array.isArray(value)) return { type: 'array', items: value.length > 0 ? schemaOf(value[0]) : { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  if (typeof value === 'object' && value !== null) {
    const properties = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, schemaOf(inner)]));
    return { type: 'object', properties, 'x-kubernetes-validations': [{ rule: 'size(dyn(self)) < 50 && self == self', message: 'too many' }] };
  }
  if (typeof value === 'number') return { type: Number.isInteger(value) ? 'integer' : 'number', minimum: 0 };
  return typeof value === 'boolean' ? { type: 'boolean' } : { type: 'string', maxLength: 100 };
}

/** Returns CRDs that validate the custom resources among some objects. */
function definitionsOf(objects) {
  return objects.flatMap(({ apiVersion, kind, ...fields }) => {
    const [group, version] = String(apiVersion).split('/');
    if (version === undefined || !group.includes('.') || group.endsWith('.k8s.io')) return [];
    const plural = `${kind.toLowerCase()}s`;
    const schema = schemaOf(fields);
    const openAPIV3Schema = { ...schema, properties: { ...schema.properties, metadata: { type: 'object' } } };
    const versions = [{ name: version, served: true, storage: true, schema: { openAPIV3Schema } }];
    return [{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name: `${plural}.${group}` }, spec: { group, scope: 'Namespaced', names: { kind, plural }, versions } }];
  });
}
/** Line that the log of a CI system treats as a command. The format `github` consists of such lines. */
const COMMAND_OF_LOG = /^\s*::|##vso\[/m;

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const below = path.join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(below);
    return /\.(?:ya?ml|json)$/.test(entry.name) ? [below] : [];
  });
}

async function ran(args, cwd) {
  const printed = { stdout: '', stderr: '' };
  const write = (stream) => ({ write: (text) => void (printed[stream] += text), isTTY: false });
  const io = { stdout: write('stdout'), stderr: write('stderr'), stdin: [], cwd, env: {} };
  const begun = Date.now();
  const exitCode = await run(args, io, () => COMMAND_MODULES);
  return { exitCode, seconds: (Date.now() - begun) / 1000, ...printed };
}

function problemsOf([command, , format], { exitCode, seconds, stdout, stderr }) {
  const all = stdout + stderr;
  return [
    ...([0, 1, 2].includes(exitCode) ? [] : [`exit code ${exitCode}`]),
    ...(/internal error|rolloutkit fails on it|Report this as a bug|\n +at \S+ \(/.test(all) ? [`fails: ${/.*(?:internal error|fails on it|Report this as a bug|\n +at ).*/.exec(all)?.[0].slice(0, 300)}`] : []),
    ...(exitCode === 2 && !/^rolloutkit: /m.test(stderr) ? [`ends with 2 without a message: ${stderr.slice(0, 200)}`] : []),
    ...(format !== 'github' && COMMAND_OF_LOG.test(all) ? [`a command of a log: ${COMMAND_OF_LOG.exec(all)[0]}`] : []),
    ...(format === 'json' && exitCode !== 2 && command !== 'fix' ? parseProblem(stdout) : []),
    ...(seconds > 20 ? [`takes ${Math.round(seconds / 10) * 10} seconds`] : []),
  ];
}

function parseProblem(text) {
  try {
    JSON.parse(text);
    return [];
  } catch (error) {
    return [`no JSON: ${error.message.slice(0, 100)}`];
  }
}

async function main() {
  const [folder, seconds = '60', seed = '1'] = process.argv.slice(2);
  const texts = filesBelow(folder).map((file) => ({ file: path.relative(folder, file), content: readFileSync(file, 'utf8') }));
  const read = texts.map((text) => readFiles([text], { kinds: FILE_KINDS }).objects).filter((objects) => objects.length > 0);
  const pool = read.flat();
  const seen = new Map();
  const work = mkdtempSync(path.join(tmpdir(), 'rolloutkit-mutations-'));
  const until = Date.now() + Number(seconds) * 1000;
  let runs = 0;
  for (let number = Number(seed); Date.now() < until; number++) {
    const draw = new Draw(number);
    const old = draw.of(read).slice(0, 6);
    const inText = draw.below(3) === 0;
    const before = inText ? draw.of(texts).content : JSON.stringify({ apiVersion: 'v1', kind: 'List', items: old });
    const after = inText ? mutatedText(before, draw) : JSON.stringify({ apiVersion: 'v1', kind: 'List', items: old.map((object) => mutated(object, draw, pool)) });
    const definitions = definitionsOf(old);
    const plan = planManifests(old);
    const listOf = (items) => JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
    const folders = { old: before, new: after, crds: listOf(definitions), 'hostile-crds': listOf(definitions.map((definition) => mutated(definition, draw, definitions))) };
    for (const [name, content] of Object.entries(folders)) {
      rmSync(path.join(work, name), { recursive: true, force: true });
      mkdirSync(path.join(work, name));
      writeFileSync(path.join(work, name, 'a.yaml'), content);
    }
    const files = { 'policy.yaml': POLICY, 'hostile-policy.yaml': mutatedText(POLICY, draw), 'old.json': renderPlanJson(plan), 'hostile.json': JSON.stringify(mutated(JSON.parse(renderPlanJson(plan)), draw)) ?? '' };
    for (const [name, content] of Object.entries(files)) writeFileSync(path.join(work, name), content);
    for (const command of [draw.of(COMMANDS), draw.of(COMMANDS), draw.of(COMMANDS)]) {
      runs++;
      let problems;
      try {
        problems = problemsOf(command, await ran(command, work));
      } catch (error) {
        problems = [`throws: ${error.stack.split('\n').slice(0, 5).join(' | ')}`];
      }
      for (const problem of problems) {
        const kind = `${command[0]}: ${problem.replaceAll(/\d+/g, 'N').slice(0, 140)}`;
        seen.set(kind, (seen.get(kind) ?? 0) + 1);
        if (seen.get(kind) === 1) process.stdout.write(`${number}: ${command.join(' ')}: ${problem}\n  WITH ${command.filter((name) => files[name] ?? folders[name]).map((name) => `${name} ${(files[name] ?? folders[name]).slice(0, 3_000)}`).join('\n       ')}\n  OLD ${JSON.stringify(before).slice(0, 2_000)}\n  NEW ${JSON.stringify(after).slice(0, 3_000)}\n`);
      }
    }
  }
  rmSync(work, { recursive: true, force: true });
  process.stdout.write(`${runs} runs from seed ${seed} over ${texts.length} files: ${[...seen].map(([kind, count]) => `\n${count} × ${kind}`).join('') || 'no problems'}\n`);
}

void main();
