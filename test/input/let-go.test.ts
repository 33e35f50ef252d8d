import { readFiles } from '../../src/input/read';
import type { ReadOptions } from '../../src/input/read';
import { LONG_DOCUMENT } from './long-text';

/** More characters than are held of a large input, so that what comes after it is let go. */
const LARGE = {
  file: 'large.yaml',
  content: LONG_DOCUMENT,
};
const READ_AGAIN: ReadOptions = { readsAgain: () => true };

/** What is held of an object of some metadata once it is let go. */
function heldOf(...metadata: readonly string[]) {
  const content = metadata.map((each) => `apiVersion: apps/v1\nkind: Deployment\nmetadata: ${each}\nspec: {}\n`).join('---\n');
  const { objects } = readFiles([LARGE, { file: 'web.yaml', content }], READ_AGAIN);
  const held = objects.slice(1).map(({ apiVersion, kind, metadata: named, spec }) => ({ apiVersion, kind, metadata: named, spec }));
  expect(held).toEqual(metadata.map(() => ({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: expect.any(Object) as unknown })));
  return held.map((object) => object.metadata);
}

test.each([
  ['a name', '{name: web}', { name: 'web' }],
  ['a name and a namespace', '{namespace: shop, name: web}', { name: 'web', namespace: 'shop' }],
  ['none of what there may be a lot of', '{name: web, labels: {a: b}, annotations: {a: b}, managedFields: []}', { name: 'web' }],
  [
    'what else there is',
    '{generateName: web-, namespace: shop, finalizers: [a]}',
    { generateName: 'web-', namespace: 'shop', finalizers: ['a'] },
  ],
  ['what else there is beside a name', '{name: web, labels: {a: b}, finalizers: [a]}', { name: 'web', finalizers: ['a'] }],
  ['a name that is a number', '{name: 1, namespace: shop}', { name: 1, namespace: 'shop' }],
  ['a namespace that is a number', '{name: web, namespace: 1}', { name: 'web', namespace: 1 }],
  ['a namespace of null', '{name: web, namespace: null}', { name: 'web', namespace: null }],
  ['nothing', '{}', {}],
])('of an object that is let go its metadata is held with %s', (_, metadata, held) => {
  expect(heldOf(metadata)).toEqual([held]);
});

test('objects of one namespace hold it by themselves, each its own name', () => {
  expect(heldOf('{name: a, namespace: shop}', '{name: b, namespace: shop}', '{name: a, namespace: bar}')).toEqual([
    { name: 'a', namespace: 'shop' },
    { name: 'b', namespace: 'shop' },
    { name: 'a', namespace: 'bar' },
  ]);
});
