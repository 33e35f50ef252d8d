'use strict';
// Grows the objects of the rules' examples in every way, and reports what takes more than 6 times as long for 4 times the input:
// many identical or different objects; equally many objects of two kinds; each list, map, string and number within one object.
//
//     node oracle/growth/main.js [SIZE] [WORD...]
//
// Needs the build (npm run build). Each shape is planned at SIZE (default: 200) and at 4 times SIZE, rendered as text, and planned as a change.
// A shape that seems to grow is measured again from 4 times SIZE to 16 times.
// WORDs select the shapes that have one of them in their names.
const { readFiles } = require('../../lib/input/read');
const { planChange } = require('../../lib/change/plan-change');
const { planManifests } = require('../../lib/plan/plan');
const { FILE_KINDS } = require('../../lib/plan/registry');
const { RULES } = require('../../lib/plan/rules');
const { renderPlanText } = require('../../lib/render/text/plan');

const MOST_TIMES = 6;
/** Seconds below which a shape is too fast to be measured. */
const LEAST_SECONDS = 0.03;

const META = { name: 'x', namespace: 'shop' };
/** Kinds that no example contains. */
const FURTHER = [
  { apiVersion: 'v1', kind: 'Pod', metadata: { ...META, labels: { app: 'x' } }, spec: { nodeName: 'n', containers: [{ name: 'a', image: 'a:1', resources: { requests: { cpu: '1' } } }] } },
  { apiVersion: 'batch/v1', kind: 'Job', metadata: META, spec: { parallelism: 2, template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a:1' }] } } } },
  { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: { ...META, labels: { app: 'x' } }, spec: { replicas: 2, selector: { matchLabels: { app: 'x' } }, template: { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'a', image: 'a:1' }] } } } },
  { apiVersion: 'v1', kind: 'Service', metadata: META, spec: { selector: { app: 'x' }, ports: [{ port: 80 }] } },
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'x', labels: { team: 'x' } } },
  { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: META, spec: { accessModes: ['ReadWriteOnce'] } },
  { apiVersion: 'v1', kind: 'LimitRange', metadata: META, spec: { limits: [{ type: 'Container', default: { cpu: '1' }, max: { cpu: '4' } }] } },
  { apiVersion: 'v1', kind: 'ResourceQuota', metadata: META, spec: { hard: { pods: '100', 'requests.cpu': '100' }, scopes: ['NotTerminating'] } },
  { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n', labels: { pool: 'x' } }, spec: { taints: [{ key: 'x', effect: 'NoSchedule' }] }, status: { allocatable: { cpu: '8', memory: '32Gi', pods: '110' }, conditions: [{ type: 'Ready', status: 'True' }] } },
  { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: META, spec: { minAvailable: 1, selector: { matchLabels: { app: 'x' } } } },
  { apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler', metadata: META, spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'x' }, maxReplicas: 5 } },
  { apiVersion: 'keda.sh/v1alpha1', kind: 'ScaledObject', metadata: META, spec: { scaleTargetRef: { name: 'x' }, maxReplicaCount: 5 } },
  { apiVersion: 'gateway.networking.k8s.io/v1', kind: 'Gateway', metadata: META, spec: { gatewayClassName: 'x', listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }] } },
  { apiVersion: 'gateway.networking.k8s.io/v1', kind: 'HTTPRoute', metadata: META, spec: { parentRefs: [{ name: 'x' }], rules: [{ backendRefs: [{ name: 'x', port: 80 }] }] } },
  { apiVersion: 'serving.kserve.io/v1alpha1', kind: 'ServingRuntime', metadata: META, spec: { supportedModelFormats: [{ name: 'x', autoSelect: true }], containers: [{ name: 'kserve-container', image: 'a:1' }] } },
  { apiVersion: 'serving.kserve.io/v1alpha1', kind: 'ClusterServingRuntime', metadata: { name: 'x' }, spec: { supportedModelFormats: [{ name: 'x', autoSelect: true }], containers: [{ name: 'kserve-container', image: 'a:1' }] } },
  { apiVersion: 'fleet.cattle.io/v1alpha1', kind: 'Cluster', metadata: { name: 'x', namespace: 'fleet-default', labels: { env: 'x' } }, spec: {} },
  { apiVersion: 'fleet.cattle.io/v1alpha1', kind: 'ClusterGroup', metadata: { name: 'x', namespace: 'fleet-default' }, spec: { selector: { matchLabels: { env: 'x' } } } },
  { apiVersion: 'fleet.cattle.io/v1alpha1', kind: 'BundleDeployment', metadata: { name: 'x', namespace: 'cluster-fleet-x', labels: { 'fleet.cattle.io/bundle-name': 'x' } }, spec: {} },
  { apiVersion: 'fleet.cattle.io/v1alpha1', kind: 'GitRepo', metadata: { name: 'x', namespace: 'fleet-default' }, spec: { repo: 'https://example.com/x', paths: ['x'], targets: [{ clusterName: 'x' }] } },
];

const isMap = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const times = (count, one) => Array.from({ length: count }, (_, index) => one(index));
const nameOf = ({ kind, metadata }) => `${kind} ${metadata?.name ?? ''}`;

function objectsOf(text) {
  return readFiles([{ file: 'example.yaml', content: text }], { kinds: FILE_KINDS }).objects;
}

/** Returns a copy with every string changed by a function, which gets the string and its key. */
function withTexts(value, change, key = '') {
  if (typeof value === 'string') return change(value, key);
  if (Array.isArray(value)) return value.map((item) => withTexts(item, change, key));
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withTexts(inner, change, name)]));
}

/** Returns a copy of some objects with new names, changed wherever the names occur. */
function copyWithNewReferences(objects, index) {
  const names = new Set(objects.flatMap(({ metadata }) => [metadata?.name, ...Object.values(metadata?.labels ?? {})]));
  return withTexts(objects, (text) => (names.has(text) ? `${text}-${index}` : text));
}

/** Returns a copy of some objects that differs only in the objects' own names. */
function copyWithNewNames(objects, index) {
  return objects.map((object) => ({ ...object, metadata: { ...object.metadata, name: `${object.metadata?.name}-${index}` } }));
}

/** Functions that copy an item of a list: with a new name, or with every string changed. */
const ITEMS = {
  'identical except for their names': (item, index) => withTexts(item, (text, key) => (key === 'name' || key === 'key' ? `${text}-${index}` : text)),
  'all different': (item, index) => (typeof item === 'number' ? item + index : withTexts(item, (text, key) => (/^(?:kind|apiVersion|type|operator|effect)$/.test(key) ? text : `${text}-${index}`))),
};

/** Yields every nested value, with its path and a function that replaces it. */
function* nestedValues(value, path, put) {
  yield { value, path, put };
  if (Array.isArray(value)) for (const [index, inner] of value.entries()) yield* nestedValues(inner, `${path}[${index}]`, (other) => put(value.with(index, other)));
  else if (isMap(value)) for (const [name, inner] of Object.entries(value)) yield* nestedValues(inner, `${path}.${name}`, (other) => put({ ...value, [name]: other }));
}

/** Returns the ways in which a value can grow. */
function growthsOf(value) {
  if (Array.isArray(value)) {
    if (value.length === 0) return [];
    return Object.entries(ITEMS).map(([how, item]) => ({ how, grown: (size) => times(size, (index) => item(value[index % value.length], index)) }));
  }
  if (isMap(value)) {
    const [name, inner] = Object.entries(value)[0] ?? ['a', 'b'];
    return [{ how: 'keys', grown: (size) => ({ ...value, ...Object.fromEntries(times(size, (index) => [`${name}-${index}`, inner])) }) }];
  }
  if (typeof value === 'string') {
    return [
      { how: 'characters', grown: (size) => value + 'a'.repeat(100 * size) },
      { how: 'words', grown: (size) => `${value} `.repeat(20 * size) },
    ];
  }
  return typeof value === 'number' && value > 0 ? [{ how: 'as a number', grown: (size) => value * 100 * size }] : [];
}

function within(objects) {
  return objects.flatMap((object, at) =>
    [...nestedValues(object, nameOf(object), (other) => other)].slice(1).flatMap(({ value, path, put }) =>
      growthsOf(value).map(({ how, grown }) => ({ name: `${path}: ${how}`, objects: (size) => objects.with(at, put(grown(size))) })),
    ),
  );
}

function shapes() {
  const examples = [...RULES.flatMap(({ example, fixed }) => [example, fixed]).filter((text) => typeof text === 'string'), undefined]
    .flatMap((text) => (text === undefined ? FURTHER.map((object) => [object]) : [objectsOf(text)]))
    .filter((objects) => objects.length > 0);
  const byKind = new Map(examples.toReversed().flatMap((objects) => objects.map((object) => [object.kind, object])));
  const kinds = [...byKind.values()];
  const pairs = kinds.flatMap((one, index) => kinds.slice(index + 1).map((other) => [one, other]));
  const of = ([name, objects]) => ({ name, objects });
  return [
    ...examples.flatMap((objects) => [
      of([`many, identical: ${objects.map(nameOf).join(', ')}`, (size) => times(size, (index) => copyWithNewNames(objects, index)).flat()]),
      of([`many, different: ${objects.map(nameOf).join(', ')}`, (size) => times(size, (index) => copyWithNewReferences(objects, index)).flat()]),
    ]),
    ...pairs.flatMap((pair) => [
      of([`pairs, identical: ${pair.map(nameOf).join(' and ')}`, (size) => times(size, (index) => copyWithNewNames(inOneNamespace(pair), index)).flat()]),
      of([`pairs, different: ${pair.map(nameOf).join(' and ')}`, (size) => times(size, (index) => copyWithNewReferences(inOneNamespace(pair), index)).flat()]),
    ]),
    ...[...new Map(examples.flatMap(within).map((shape) => [shape.name, shape])).values()].map(({ name, objects }) => of([`within: ${name}`, objects])),
  ];
}

function inOneNamespace(objects) {
  return objects.map((object) => ({ ...object, metadata: { ...object.metadata, namespace: 'shop' } }));
}

/** Returns a copy with other images, and with every number increased by one. */
function changeObjects(objects) {
  const more = (value) => {
    if (typeof value === 'number') return value + 1;
    if (Array.isArray(value)) return value.map(more);
    return isMap(value) ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, more(inner)])) : value;
  };
  return withTexts(more(objects), (text, key) => (key === 'image' ? `${text}1` : text));
}

const WORKS = {
  plan: (objects) => () => planManifests(objects),
  text: (objects) => {
    const plan = planManifests(objects);
    return () => renderPlanText(plan, { detail: 'all' });
  },
  change: (objects) => {
    const after = changeObjects(objects);
    return () => planChange(objects, after);
  },
};

function secondsFor(work) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

function timesOf(workOf, objects, size, turns) {
  const [small, large] = [workOf(objects(size)), workOf(objects(4 * size))];
  small();
  let [least, most] = [Infinity, Infinity];
  for (let turn = 0; turn < turns; turn++) {
    least = Math.min(least, secondsFor(small));
    most = Math.min(most, secondsFor(large));
    if (most < LEAST_SECONDS || most < 0.8 * MOST_TIMES * least) break;
  }
  return { seconds: most, times: most / least };
}

function isSlow({ seconds, times: growth }) {
  return seconds >= LEAST_SECONDS && growth > MOST_TIMES;
}

const [sizeArgument = '200', ...words] = process.argv.slice(2);
const size = Number(sizeArgument);
const chosen = shapes().filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
let slow = 0;
for (const { name, objects } of chosen) {
  for (const [what, workOf] of Object.entries(WORKS)) {
    if (!isSlow(timesOf(workOf, objects, size, 6))) continue;
    // Small inputs grow by chance, so measure again with larger ones.
    const { seconds, times: growth } = timesOf(workOf, objects, 4 * size, 3);
    if (growth <= MOST_TIMES) continue;
    slow++;
    process.stdout.write(`${growth.toFixed(1)} x, ${(seconds * 1_000).toFixed(0)} ms at ${16 * size}: ${what} of ${name}\n`);
  }
}
process.stdout.write(`${chosen.length} shapes from ${size} to ${4 * size}: ${slow === 0 ? `none grows more than ${MOST_TIMES} times` : `${slow} grow more than ${MOST_TIMES} times`}\n`);
