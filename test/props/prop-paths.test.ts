import { resolvePropPath } from '../../src/props/prop-paths';
import type { PropPaths } from '../../src/props/prop-paths';

const PLACES: PropPaths = [
  ['spec.roles[*].spec.template', 'roles[*].pods'],
  ['spec.roles[*].spec', 'roles[*]'],
  ['spec.size', 'groupSize'],
  ['spec', ''],
];

test.each([
  ['the field itself', 'spec.size', 'groupSize'],
  ['a path below a field', 'spec.size.max', 'groupSize.max'],
  ['a field whose name begins like another', 'spec.sizes', 'sizes'],
  ['an index, which is kept', 'spec.roles[12].spec.replicas', 'roles[12].replicas'],
  ['the more specific of two fields', 'spec.roles[1].spec.template.labels["a.b"]', 'roles[1].pods.labels["a.b"]'],
  ['a key instead of an index', 'spec.roles["x"].spec.replicas', 'roles["x"].spec.replicas'],
  ['an index that does not end', 'spec.roles[1', 'roles[1'],
  ['the entire object, which has no prop', 'spec', 'spec'],
  ['a field without a prop', 'metadata.name', 'metadata.name'],
])('returns the prop of the user: %s', (_, path, prop) => {
  expect(resolvePropPath(path, PLACES)).toBe(prop);
});

test('keeps the order of two indexes', () => {
  expect(resolvePropPath('a[1].b[22].c', [['a[*].b[*]', 'outer[*].inner[*]']])).toBe('outer[1].inner[22].c');
});
