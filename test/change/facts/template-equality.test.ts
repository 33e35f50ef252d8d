import { container, describeEffect, workload } from './effects';

/* Table a.1: which templates a controller considers equal. */

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

/** The bytes differ and the meaning does not: a StatefulSet compares the bytes, a DaemonSet gets a revision that no pod needs. */
function otherBytes(path: string) {
  return { Deployment: 'none', StatefulSet: `roll | ${path}`, DaemonSet: `settings | ${path}` };
}

test.each<[string, object, object, Readonly<Record<string, string>>]>([
  ['a quantity with two spellings of one format', memory('1Gi'), memory('1024Mi'), same],
  ['a quantity with another format', memory('1Gi'), memory('1073741824'), otherBytes(MEMORY)],
  ['a quantity as a power of ten', memory('1G'), memory('1e9'), otherBytes(MEMORY)],
  [
    'a limit of an emptyDir in another format',
    cache('1Gi'),
    cache(1073741824),
    otherBytes('spec.template.spec.volumes[cache].emptyDir.sizeLimit'),
  ],
  ['thousandths', cpu('1'), cpu('1000m'), same],
  ['an empty list instead of none', {}, { tolerations: [] }, same],
  ['an empty map instead of none', {}, { nodeSelector: {} }, same],
  ['null instead of none', {}, { nodeSelector: null, tolerations: null }, same],
  ['an empty affinity instead of none', {}, { affinity: {} }, rolls('spec.template.spec.affinity')],
  ['an empty lifecycle instead of none', {}, container({ lifecycle: {} }), rolls(`${CONTAINER}.lifecycle`)],
  [
    'an empty securityContext instead of none, in a container',
    {},
    container({ securityContext: {} }),
    rolls(`${CONTAINER}.securityContext`),
  ],
  ['an empty securityContext instead of none, of the pod', {}, { securityContext: {} }, same],
  ['the items of a list in another order', env('A', 'B'), env('B', 'A'), rolls(`${CONTAINER}.env`)],
  ['the keys of a map in another order', { nodeSelector: { a: '1', b: '2' } }, { nodeSelector: { b: '2', a: '1' } }, same],
])('%s', (_what, old, next, expected) => {
  const answers = Object.keys(expected).map((kind) => [kind, describeEffect(workload(kind, old), workload(kind, next))]);
  expect(Object.fromEntries(answers)).toEqual(expected);
});

test('a null creationTimestamp, which older dumps have in their templates, counts as none', () => {
  const dumped = (kind: string) => {
    const { spec, ...object } = workload(kind) as { spec: { template: { metadata: object; spec: object } } };
    const { template } = spec;
    return { ...object, spec: { ...spec, template: { ...template, metadata: { ...template.metadata, creationTimestamp: null } } } };
  };
  expect(Object.keys(same).map((kind) => describeEffect(dumped(kind), workload(kind)))).toEqual(['none', 'none', 'none']);
});
