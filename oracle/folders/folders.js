'use strict';
// Draws hostile folders: manifests that the folder itself tries to hide from a reader, by names, lists, comments, escapes, links and markers of other tools.
const { mkdirSync, symlinkSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const { Draw } = require('../mutations/mutate');

const KINDS = [
  ['apps/v1', 'Deployment'],
  ['apps/v1', 'StatefulSet'],
  ['policy/v1', 'PodDisruptionBudget'],
  ['ray.io/v1', 'RayService'],
  ['serving.kserve.io/v1beta1', 'InferenceService'],
];

/** Paths of manifests, by the reason for which a tool does not apply them. */
const PATHS = [
  'web.yaml', 'a/web.yml', 'a/web.json', 'web.json', 'values.yaml', 'values-prod.yaml', 'a/values.yml', 'ci/web.yaml', 'a/ci/web.yaml', '.hidden.yaml', '.hidden/web.yaml',
  'a/.deploy/b/web.yaml', 'node_modules/web.yaml', 'a/node_modules/x/web.json', '00-assert.yaml', '01-errors-pods.yaml', 'a/00-assert.yml', 'chainsaw-step-01-assert.yaml',
  'templates/web.yaml', 'a/templates/web.yaml', 'charts/b/templates/web.yaml', 'templates/_helpers.yaml', 'crds/web.yaml', 'patches/web.yaml', 'patch.yaml', 'a/patch.yaml',
  'kustomization.yaml', 'a/kustomization.yml', 'Chart.yaml', 'a/Chart.yaml', 'fleet.yaml', 'a/fleet.yml', 'chainsaw-test.yaml', 'kustomizeconfig.yaml', 'test/assert.yaml',
  'rolloutkit.yaml', '.rolloutkit.yaml', 'package.json', 'tsconfig.json', '.github/workflows/web.yaml', 'web.tmpl.yaml', 'skaffold.yaml', '\u00e9.yaml', ' .yaml', 'a.yaml.yaml', '-x.yaml',
];

/** Files that give others a role. `*` is the list of the other paths. */
const MARKERS = [
  ['Chart.yaml', () => 'apiVersion: v2\nname: x\nversion: 0.1.0\n'],
  ['a/Chart.yaml', () => ''],
  ['charts/b/Chart.yaml', () => 'name: b\n'],
  ['kustomization.yaml', (paths) => `patches:\n${paths.map((file) => `- path: ${JSON.stringify(file)}\n`).join('')}`],
  ['kustomization.yaml', (paths) => `resources: [../base]\npatchesStrategicMerge: ${JSON.stringify(paths)}\n`],
  ['Kustomization', () => 'resources: [../base, https://example.com/x]\npatches: [{ path: "*.yaml" }]\n'],
  ['a/kustomization.yml', (paths) => `kind: Component\npatchesJson6902: [${paths.map((file) => `{ path: ${JSON.stringify(`../${file}`)} }`).join(', ')}]\n`],
  ['kustomization.yaml', (paths) => `resources: ${JSON.stringify(paths)}\ncommonLabels: { a: b }\n`],
  ['chainsaw-test.yaml', (paths) => `spec: { steps: [{ try: [${paths.map((file) => `{ assert: { file: ${JSON.stringify(file)} } }`).join(', ')}] }] }\n`],
  ['chainsaw-test.yaml', () => 'spec: { steps: [{ try: [{ patch: { file: "*.yaml" } }, { error: { file: "**/*.yaml" } }] }] }\n'],
  ['00-assert.yaml', () => ''],
  ['rolloutkit.yaml', () => 'exclude: ["**"]\n'],
  ['fleet.yaml', () => 'helm: { chart: ./chart }\n'],
];

function objectOf([apiVersion, kind], name, draw) {
  const metadata = { name };
  if (kind !== 'Deployment' && kind !== 'StatefulSet') return { apiVersion, kind, metadata, spec: {} };
  const labels = { app: 'web' };
  const volumes = draw.below(6) === 0 ? { volumes: [{ name: 'v', csi: { driver: 'd', volumeAttributes: { $patch: draw.of(['delete', 'x', 'replace']) } } }] } : {};
  const spec = { replicas: 4, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'x:1' }], ...volumes } } };
  if (draw.below(8) === 0) delete spec.selector;
  if (draw.below(8) === 0) delete spec.template;
  if (draw.below(8) === 0) metadata.annotations = { $patch: 'delete' };
  if (draw.below(10) === 0) return { apiVersion, kind, metadata, $patch: draw.of(['delete', 'replace', 'merge', 'a']), spec };
  return { apiVersion, kind, metadata, spec };
}

/** Puts an object into a list, in one of the ways that kubectl accepts or refuses. */
function wrapped(object, draw) {
  const { apiVersion, kind, ...rest } = object;
  switch (draw.below(22)) {
    case 0:
      return { apiVersion: 'v1', kind: 'List', items: [object] };
    case 1:
      return { apiVersion: 'x.io/v1', kind: 'Whatever', items: [object] };
    case 2:
      return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'outer' }, items: [object] };
    case 3:
      return { kind: 'ConfigMap', items: [object] };
    case 4:
      return { apiVersion, kind: `${kind}List`, items: [rest] };
    case 5:
      return { apiVersion, kind, metadata: { name: 'outer' }, items: [rest, { ...rest, kind: null }] };
    case 6:
      return { apiVersion, kind: `${kind}List`, items: [{ ...rest, apiVersion: 1, kind: '' }] };
    case 7:
      return { ...object, items: null };
    case 8:
      return { ...object, items: [] };
    case 9:
      return { ...object, items: draw.of([{}, 'x', 1, false]) };
    case 10:
      return { apiVersion: 'v1', kind: 'List', items: [{ apiVersion: 'v1', kind: 'List', items: [object] }] };
    case 11:
      return { apiVersion: 'v1', kind: 'List', items: [object, 'x'] };
    case 12:
      return { apiVersion: 'v1', kind: 'List', Items: [object], items: [{ ...object }] };
    case 13:
      return { items: [object] };
    case 14:
      return { apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization', items: [object], resources: [] };
    case 15:
      return { apiVersion: 'v2', kind: 'Chart', name: 'x', items: [object] };
    default:
      return object;
  }
}

const ESCAPES = {
  'apiVersion': ['"\\x61piVersion"', '"api\\u0056ersion"', 'apiVersion'],
  'kind': ['"\\x6bind"', '"k\\u0069nd"', '!!binary a2luZA==', '? kind\n', '&k kind', '!!str kind', "'kind'"],
};

/** Writes an object as JSON or YAML, in one of the ways that a reader may not recognize. */
function written(object, draw) {
  const json = JSON.stringify(object, null, draw.of([0, 0, 1, 2]));
  switch (draw.below(9)) {
    case 0:
    case 1:
      return json;
    case 2:
      return json.replaceAll('"kind"', draw.of(['"\\u006bind"', '"k\\u0069nd"'])).replaceAll('"apiVersion"', '"\\u0061piVersion"');
    case 3:
      return json.replaceAll('"kind":', draw.of(['"kind" :', '"x": 1, "kind":', '"kind": "ConfigMap", "kind":']));
    default:
      return yamlOf(object, draw, 0);
  }
}

function keyOf(key, draw) {
  const others = Object.hasOwn(ESCAPES, key) && draw.below(12) === 0 ? ESCAPES[key] : undefined;
  return others ? draw.of(others) : JSON.stringify(key);
}

function yamlOf(value, draw, indent) {
  if (draw.below(8) === 0 || typeof value !== 'object' || value === null || Object.keys(value).length === 0) return JSON.stringify(value);
  const space = ' '.repeat(indent);
  const entries = Array.isArray(value)
    ? value.map((item) => `- ${yamlOf(item, draw, indent + 2).trimStart()}`)
    : Object.entries(value).map(([key, inner]) => {
        const text = yamlOf(inner, draw, indent + 2);
        return `${keyOf(key, draw)}:${text.includes('\n') || text.startsWith(' ') ? '\n' : ' '}${text}`;
      });
  return entries.map((entry) => space + entry).join('\n') + (indent === 0 ? '\n' : '');
}

const ALIASES = `x: [&a 1${', *a'.repeat(120)}]\n`;
const DEEP = `x: ${'['.repeat(1_200)}${']'.repeat(1_200)}\n`;

/** Texts that may stand before a document. */
const BEFORE = [
  '# {{ x }}\n', '#@ x\n', '#@data/values\n', '#! x\n', '# {% if x %}\n', '{{- if .Values.x }}\n', '{% if x %}\n', '---\n', '--- # {{ x }}\n', '\ufeff', '%YAML 1.1\n---\n', '# kind\r\n', '\n\n', ' \n', '{}\n---\n',
  'x: {{ y }}\n---\n', '"x"\n---\n', '[]\n---\n', 'null\n---\n', 'a: b: c\n---\n', '...\n', '--- {{ x }}\n', '// x\n', '/* x */\n', '$ANSIBLE_VAULT;1.1;AES256\n', '{"a": 1}\n', '- x\n---\n', '\t\n',
];
/** Texts that may stand after a document. */
const AFTER = [
  '# {{ x }}\n', '\n#@ x\n', '---\n', '\n---\n{{ x }}\n', '\n...\nx\n', '\n---\na: b: c\n', '\nx\n', '\n{{- end }}\n', '\n%YAML 1.1\n', '\n}\n', '\n---x\n', '\u0085', '\u00a0\n', '\n]\n', '\ufeff', '\n--- # {{ x }}\n',
  `\n${ALIASES}`, `\n${DEEP}`, `\n---\n${ALIASES}`, '\n"y": "{{ x }}"\n', '\n"y": 1 #@ x\n', '\n? x\n', '\n- x\n', '\n"y": \u2028z\n', '\n"y": .inf\n', '\n"metadata": {"name": {{ x }}}\n',
];

/** Text or bytes of one file with some objects. */
function contentOf(names, draw) {
  let text = '';
  for (const name of names) {
    const document = written(wrapped(objectOf(draw.of(KINDS), name, draw), draw), draw);
    text += (text === '' ? '' : '\n---\n') + (draw.below(3) === 0 ? draw.of(BEFORE) : '') + document + (draw.below(3) === 0 ? draw.of(AFTER) : '');
  }
  if (draw.below(12) === 0) text = text.replaceAll('\n', '\r\n');
  if (draw.below(10) > 0) return text;
  // One byte that is not UTF-8, in a string or at the end.
  const [before, after] = draw.below(2) === 0 && text.includes('x:1') ? text.split(/(?<=x:)1/, 2) : [text, ''];
  return Buffer.concat([Buffer.from(before), Buffer.from([0xff]), Buffer.from(after)]);
}

/** Encodings that the YAML parser of kubectl detects by their byte order mark, and some that it does not know. */
const ENCODINGS = [
  (text) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]),
  (text) => Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(text, 'utf16le').swap16()]),
  (text) => Buffer.from(text, 'utf16le'),
  (text) => Buffer.from(text, 'utf16le').swap16(),
  (text) => Buffer.from(`\ufeff${text}`),
  (text) => Buffer.from(`\ufeff\ufeff${text}`),
  (text) => Buffer.concat([Buffer.from([0xff, 0xfe, 0, 0]), ...Array.from(text, (one) => Buffer.from(Uint32Array.of(one.codePointAt(0)).buffer))]),
  (text) => Buffer.from(text, 'latin1'),
];

/** Names of files that a reader may take for others, or skip. */
const ODD_NAMES = [
  'WEB.YAML', 'web.Yml', 'web.yaml ', 'a\nb.yaml', 'a\rb.yaml', 'a\\b.yaml', 'a\tb/web.yaml', '%2e%2e.yaml', 'con.yaml', '.yaml', '.yml', '.json', 'a/.yaml', '*.yaml', '[a].yaml', '{a,b}.yaml', '~/web.yaml',
  '$HOME.yaml', '--output=x.yaml', 'a/-/web.yaml', 'web.yaml.bak', 'web.yaml~', 'web.yamlx', 'web.jsonc', 'web.json5', 'web', '...yaml', '.../web.yaml', '..a/web.yaml', 'a/b.yaml', '\u202eweb.yaml', '\u00a0/web.yaml',
  'Node_Modules/web.yaml', 'node_modules .yaml', '.git.yaml', '.gitx/web.yaml', 'git/web.yaml', 'x.git/web.yaml', 'constructor.yaml', '__proto__/web.yaml', 'Kustomization', 'HEAD', 'config',
];

/** Adds what the first folders lack: encodings, odd names, and links to links, to folders, out of the folder and to nothing. */
function withFurtherEntries(files, seed, draw) {
  const further = {};
  for (const [file, content] of Object.entries(files)) {
    const isEncoded = typeof content === 'string' && draw.below(4) === 0;
    further[file] = isEncoded ? draw.of(ENCODINGS)(content) : content;
  }
  for (let count = draw.below(3); count > 0; count--) further[draw.of(ODD_NAMES)] ??= contentOf([`c${seed}-odd${count}-0`], draw);
  const paths = Object.keys(further).filter((file) => typeof further[file] === 'string');
  const target = paths.length > 0 ? draw.of(paths) : 'web.yaml';
  switch (draw.below(10)) {
    case 0:
      further['first.yaml'] ??= { link: 'second' };
      further.second ??= { link: target };
      break;
    case 1:
      further['loop.yaml'] ??= { link: 'loop.yaml' };
      break;
    case 2:
      further['a.json'] ??= { link: 'b.json' };
      further['b.json'] ??= { link: 'a.json' };
      break;
    case 3:
      further['gone.yaml'] ??= { link: 'nowhere.yaml' };
      break;
    case 4:
      further[`../other-${seed}/web.yaml`] = contentOf([`c${seed}-other-0`], draw);
      further[draw.of(['other', 'other.yaml', '.other', 'a/other.yaml'])] ??= { link: `../other-${seed}` };
      break;
    case 5:
      further['plain.txt'] ??= contentOf([`c${seed}-plain-0`], draw);
      further[draw.of(['plain.yaml', 'values.yml', '.plain.yaml'])] ??= { link: 'plain.txt' };
      break;
    case 6:
      further['up/link.yaml'] ??= { link: target };
      further[draw.of(['down.yaml', '.down.yaml'])] ??= { link: 'up/link.yaml' };
      break;
    case 7:
      further['real/web.yaml'] ??= contentOf([`c${seed}-real-0`], draw);
      further[draw.of(['real.d', 'real.yaml', 'node_modules'])] ??= { link: 'real' };
      break;
  }
  return further;
}

/** Last seed of the folders without further entries. Their recorded answers stay as they are. */
const LAST_SIMPLE_SEED = 20_000;

/**
 * Returns the files of the folder for a seed: `{ path: text, bytes, or { link } }`. The names of its objects begin with `c<seed>-f<number of the file>-`.
 * A path that begins with `../` is outside the folder.
 */
function folderOf(seed) {
  const draw = new Draw(seed);
  const files = {};
  for (let index = 1 + draw.below(4); index > 0; index--) {
    const file = draw.of(PATHS);
    const number = Object.keys(files).length;
    files[file] = contentOf(Array.from({ length: 1 + draw.below(2) }, (_, at) => `c${seed}-f${number}-${at}`), draw);
  }
  const paths = Object.keys(files);
  for (let markers = draw.below(3); markers > 0; markers--) {
    const [file, write] = draw.of(MARKERS);
    files[file] ??= write(paths);
  }
  if (draw.below(5) === 0) files[draw.of(['link.yaml', '.link.yaml', 'a/link.yml', '.x/link.yaml'])] ??= { link: draw.of(paths) };
  if (draw.below(8) === 0) files[draw.of(['folder', '.folder', 'folder.yaml', 'a/x'])] ??= { link: draw.of(['.hidden', 'node_modules', 'a', '.']) };
  if (draw.below(8) === 0) {
    files[`../outside-${seed}.yaml`] = contentOf([`c${seed}-out-0`], draw);
    files[draw.of(['out.yaml', 'a/out.yaml', 'values-out.yaml'])] ??= { link: `../outside-${seed}.yaml` };
  }
  return seed > LAST_SIMPLE_SEED ? withFurtherEntries(files, seed, draw) : files;
}

/** Errors of a path that an earlier one takes, as a file and as a folder. */
const TAKEN = new Set(['EEXIST', 'EISDIR', 'ENOTDIR']);

/** Writes the files of a folder. A link is relative to the folder, and leads there from any depth. A path that an earlier one takes is left out. */
function writeFolder(folder, files) {
  for (const [file, content] of Object.entries(files)) {
    const full = path.join(folder, file);
    try {
      mkdirSync(path.dirname(full), { recursive: true });
      if (typeof content === 'string' || content instanceof Uint8Array) writeFileSync(full, content);
      else symlinkSync(path.relative(path.dirname(full), path.join(folder, content.link)) || '.', full);
    } catch (error) {
      if (!TAKEN.has(error.code)) throw error;
    }
  }
}

module.exports = { folderOf, writeFolder };
