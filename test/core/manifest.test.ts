import { parseFieldPath } from '../../src/core/manifest/field-path';
import { annotationOf, groupOf, isClassInstance, isManifest, nameOf, namespaceOf, getValueAt } from '../../src/core/manifest/manifest';
import type { Manifest } from '../../src/core/manifest/manifest';

describe('field paths of the API server are split into names and indexes', () => {
  test.each([
    ['spec.strategy.rollingUpdate.maxSurge', ['spec', 'strategy', 'rollingUpdate', 'maxSurge']],
    ['spec.containers[0].env', ['spec', 'containers', 0, 'env']],
    ['metadata.annotations[serving.kserve.io/deploymentMode]', ['metadata', 'annotations', 'serving.kserve.io/deploymentMode']],
    [
      'data[deploy].deploymentRolloutStrategy.defaultRollout.maxSurge',
      ['data', 'deploy', 'deploymentRolloutStrategy', 'defaultRollout', 'maxSurge'],
    ],
    ['', []],
  ])('%s', (path, parts) => {
    expect(parseFieldPath(path)).toEqual(parts);
  });
});

describe('a Kubernetes object has apiVersion and kind', () => {
  test.each([
    { apiVersion: 'v1', kind: 'Pod' },
    { apiVersion: '', kind: '' },
  ])('%j', (value) => expect(isManifest(value)).toBe(true));
  test.each([{}, { kind: 'Pod' }, { apiVersion: 1, kind: 'Pod' }, [], null, 'text'])('not %j', (value) =>
    expect(isManifest(value)).toBe(false),
  );
});

test('group, name, namespace and annotations are read from values of any type', () => {
  const object: Manifest = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop', annotations: { a: 'b' } },
  };
  expect([groupOf(object), nameOf(object), namespaceOf(object), annotationOf(object, 'a')]).toEqual(['apps', 'web', 'shop', 'b']);

  const odd = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 2024, namespace: null, annotations: { a: 1 } } } as unknown as Manifest;
  expect([groupOf(odd), nameOf(odd), namespaceOf(odd), annotationOf(odd, 'a')]).toEqual(['', '2024', undefined, undefined]);
  expect(nameOf({ apiVersion: 'v1', kind: 'Pod' })).toBe('');
  expect(
    [5, true, { a: 'b' }, ['a'], ''].map((namespace) => namespaceOf({ ...odd, metadata: { namespace } } as unknown as Manifest)),
  ).toEqual([undefined, undefined, undefined, undefined, undefined]);
});

test('the value at an incomplete chain of fields is undefined', () => {
  expect([getValueAt({ a: [{ b: 1 }] }, 'a', 0, 'b'), getValueAt({ a: null }, 'a', 'b'), getValueAt('text', 'length')]).toEqual([
    1,
    undefined,
    undefined,
  ]);
});

test('instances of classes are distinguished from plain data', () => {
  class Lazy {}
  expect([new Lazy(), new Map(), {}, Object.create(null), [], null, 'text', 1].map(isClassInstance)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
    false,
    false,
  ]);
});
