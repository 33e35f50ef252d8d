import { describeType, describeValue, fieldName, mismatchesOf } from '../../src/core/shape';
import type { Shape } from '../../src/core/shape';

const SHAPE: Shape = {
  'metadata.name': 'string!',
  'metadata.labels': 'string-map',
  spec: 'map',
  'spec.replicas': 'int32',
  'spec.paused': 'boolean',
  'spec.maxSurge': 'int-or-percent',
  'spec.containers': 'list',
  'spec.containers[].name': 'string',
};

test('an object whose fields have the types of the shape has no mismatch, and fields beyond the shape do not matter', () => {
  const object = {
    metadata: { name: 'web', labels: { app: 'web', empty: null } },
    spec: { replicas: 3, maxSurge: '25%', containers: [{ name: 'a' }], more: 1 },
  };
  expect(mismatchesOf(object, SHAPE)).toEqual([]);
});

test('every field of another type is named by its path, in the order of the shape', () => {
  const object = {
    metadata: { name: 2024, labels: { app: 'web', tier: 1 } },
    spec: { paused: 'yes', replicas: 2.5, maxSurge: true, containers: [{ name: 'a' }, { name: 1 }] },
  };
  expect(mismatchesOf(object, SHAPE)).toEqual([
    { path: 'metadata.name', expected: 'string', seen: 2024 },
    { path: 'metadata.labels[tier]', expected: 'string', seen: 1 },
    { path: 'spec.replicas', expected: 'int32', seen: 2.5 },
    { path: 'spec.paused', expected: 'boolean', seen: 'yes' },
    { path: 'spec.maxSurge', expected: 'int-or-percent', seen: true },
    { path: 'spec.containers[1].name', expected: 'string', seen: 1 },
  ]);
});

test('null counts as absent, unless the shape forbids it', () => {
  expect(mismatchesOf({ metadata: { name: null, labels: null }, spec: null }, SHAPE)).toEqual([
    { path: 'metadata.name', expected: 'string', seen: null },
  ]);
});

test('a token of an adapter is not judged, for its value is known only later', () => {
  class Lazy {}
  expect(
    mismatchesOf(
      { metadata: { name: new Lazy(), labels: { app: new Lazy() } }, spec: { replicas: new Lazy(), containers: [{ name: new Lazy() }] } },
      SHAPE,
    ),
  ).toEqual([]);
});

test('a field is named by the end of its path, the key of a map with its map', () => {
  expect(['replicas', 'spec.replicas', 'spec.list[0]', 'metadata.labels[app.kubernetes.io/version]'].map(fieldName)).toEqual([
    'replicas',
    'replicas',
    'list[0]',
    'labels[app.kubernetes.io/version]',
  ]);
});

test.each([null, undefined, 'text', 7, []])('%p has no fields to compare', (value) => {
  expect(mismatchesOf(value, SHAPE)).toEqual([]);
});

test('types and values are put into words for a message', () => {
  expect([describeType('int32'), describeType('string-map')]).toEqual(['a whole number', 'a map of strings']);
  expect([undefined, null, '1', 1.5, NaN, true, [], [1], {}, { a: 1 }, 'x'.repeat(100)].map(describeValue)).toEqual([
    'nothing',
    'null',
    '"1"',
    '1.5',
    'NaN',
    'true',
    '[]',
    'a list',
    '{}',
    'a map',
    `"${'x'.repeat(76)}…"`,
  ]);
});
