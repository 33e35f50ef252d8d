import { container, told, workload } from './told';

/* Table a.1: which templates a controller takes for one. */

const memory = (limit: unknown) => container({ resources: { limits: { memory: limit } } });
const cpu = (limit: unknown) => container({ resources: { limits: { cpu: limit } } });
const cache = (sizeLimit: unknown) => ({ volumes: [{ name: 'cache', emptyDir: { sizeLimit } }] });
const env = (...names: readonly string[]) => container({ env: names.map((name) => ({ name, value: '1' })) });
const MEMORY = 'spec.template.spec.containers[web].resources.limits[memory]';
const CONTAINER = 'spec.template.spec.containers[web]';
const same = { Deployment: 'none', StatefulSet: 'none', DaemonSet: 'none' };

function rolls(...paths: readonly string[]) {
  const line = `roll | ${paths.join(' | ')}`;
  return { Deployment: line, StatefulSet: line, DaemonSet: line };
}

/** The bytes differ and the meaning does not: a StatefulSet goes by the bytes, a DaemonSet gets a revision that no pod needs. */
function otherBytes(path: string) {
  return { Deployment: 'none', StatefulSet: `roll | ${path}`, DaemonSet: `settings | ${path}` };
}

test.each<[string, object, object, Readonly<Record<string, string>>]>([
  ['one amount in two spellings of a format', memory('1Gi'), memory('1024Mi'), same],
  ['an amount of the other formats', memory('1Gi'), memory('1073741824'), otherBytes(MEMORY)],
  ['an amount as a power of ten', memory('1G'), memory('1e9'), otherBytes(MEMORY)],
  [
    'a limit of an emptyDir in another format',
    cache('1Gi'),
    cache(1073741824),
    otherBytes('spec.template.spec.volumes[cache].emptyDir.sizeLimit'),
  ],
  ['thousandths', cpu('1'), cpu('1000m'), same],
  ['an empty list for none', {}, { tolerations: [] }, same],
  ['an empty map for none', {}, { nodeSelector: {} }, same],
  ['null for none', {}, { nodeSelector: null, tolerations: null }, same],
  ['an affinity of nothing for none', {}, { affinity: {} }, rolls('spec.template.spec.affinity')],
  ['a lifecycle of nothing for none', {}, container({ lifecycle: {} }), rolls(`${CONTAINER}.lifecycle`)],
  ['a securityContext of nothing for none, in a container', {}, container({ securityContext: {} }), rolls(`${CONTAINER}.securityContext`)],
  ['a securityContext of nothing for none, of the pod', {}, { securityContext: {} }, same],
  ['the items of a list in another order', env('A', 'B'), env('B', 'A'), rolls(`${CONTAINER}.env`)],
  ['the keys of a map in another order', { nodeSelector: { a: '1', b: '2' } }, { nodeSelector: { b: '2', a: '1' } }, same],
])('%s', (_what, old, next, expected) => {
  const answers = Object.keys(expected).map((kind) => [kind, told(workload(kind, old), workload(kind, next))]);
  expect(Object.fromEntries(answers)).toEqual(expected);
});

test('a creationTimestamp of null, which older dumps have in their templates, is none', () => {
  const dumped = (kind: string) => {
    const { spec, ...object } = workload(kind) as { spec: { template: { metadata: object; spec: object } } };
    const { template } = spec;
    return { ...object, spec: { ...spec, template: { ...template, metadata: { ...template.metadata, creationTimestamp: null } } } };
  };
  expect(Object.keys(same).map((kind) => told(dumped(kind), workload(kind)))).toEqual(['none', 'none', 'none']);
});
