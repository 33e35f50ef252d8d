import { WHOLE_OBJECT, at } from '../../src/core/field-path';
import {
  BOOLEAN,
  INT32,
  INT_OR_PERCENT,
  STRING,
  STRINGS,
  STRING_MAP,
  describeType,
  knownFields,
  listOf,
  map,
  needed,
  ofKind,
  schemaProblems,
  whole,
} from '../../src/core/schema';
import type { SchemaReader } from '../../src/core/schema';

const SCHEMA = map({
  metadata: map({ name: needed(STRING), labels: STRING_MAP }),
  spec: map({
    replicas: INT32,
    paused: BOOLEAN,
    maxSurge: INT_OR_PERCENT,
    args: STRINGS,
    containers: listOf({ name: STRING }),
  }),
});

/** The fields of another type, by their paths. */
function mistyped(value: unknown, reader?: SchemaReader) {
  return ofKind(schemaProblems(value, SCHEMA, WHOLE_OBJECT, reader), 'wrong-type').map(({ path, expected, value: seen }) => ({
    path,
    expected,
    seen,
  }));
}

describe('fields of another type than the schema has', () => {
  test('are none where every field has its type, and fields beyond the schema do not matter', () => {
    const object = {
      metadata: { name: 'web', labels: { app: 'web', empty: null } },
      spec: { replicas: 3, maxSurge: '25%', args: ['a'], containers: [{ name: 'a' }], more: 1 },
    };
    expect(mistyped(object)).toEqual([]);
  });

  test('are named by their paths, in the order in which they stand', () => {
    const object = {
      metadata: { name: 2024, labels: { app: 'web', tier: 1, 'a.b/c': true } },
      spec: { paused: 'yes', replicas: 2.5, maxSurge: true, args: ['a', 1, null], containers: [{ name: 'a' }, { name: 1 }, 'b'] },
    };
    expect(mistyped(object)).toEqual([
      { path: 'metadata.name', expected: 'string', seen: 2024 },
      { path: 'metadata.labels[tier]', expected: 'string', seen: 1 },
      { path: 'metadata.labels[a.b/c]', expected: 'string', seen: true },
      { path: 'spec.paused', expected: 'boolean', seen: 'yes' },
      { path: 'spec.replicas', expected: 'int32', seen: 2.5 },
      { path: 'spec.maxSurge', expected: 'int-or-percent', seen: true },
      { path: 'spec.args[1]', expected: 'string', seen: 1 },
      { path: 'spec.args[2]', expected: 'string', seen: null },
      { path: 'spec.containers[1].name', expected: 'string', seen: 1 },
      { path: 'spec.containers[2]', expected: 'map', seen: 'b' },
    ]);
  });

  test('null counts as left out, unless it is needed', () => {
    expect(mistyped({ metadata: { name: null, labels: null }, spec: null })).toEqual([
      { path: 'metadata.name', expected: 'string', seen: null },
    ]);
  });

  test('a token of an adapter is not judged, for its value is known only later, unless the reader takes none', () => {
    class Lazy {}
    const token = new Lazy();
    const object = {
      metadata: { name: token, labels: { app: token } },
      spec: { replicas: token, containers: [{ name: token }] },
    };
    expect(mistyped(object)).toEqual([]);
    expect(mistyped(object, { takesTokens: false }).map(({ path }) => path)).toEqual([
      'metadata.name',
      'metadata.labels[app]',
      'spec.replicas',
      'spec.containers[0].name',
    ]);
  });

  test.each([null, undefined])('%p has no fields to compare', (value) => {
    expect(mistyped(value)).toEqual([]);
  });

  test.each(['text', 7, []])('%p is itself of another type, and has no fields to compare', (value) => {
    expect(mistyped(value)).toEqual([{ path: '', expected: 'map', seen: value }]);
  });
});

describe('fields that a reader does not know', () => {
  const STRATEGY = whole(map({ maxSurge: INT_OR_PERCENT, maxNew: { ...INT32, since: '0.16' }, threshold: { ...INT32, until: '0.15' } }));
  const problemsOf = (value: unknown, reader?: SchemaReader) => schemaProblems(value, STRATEGY, at`spec.rolloutStrategy`, reader);

  test('are unknown where the schema has all there are', () => {
    expect(problemsOf({ maxSurge: 1, max_surge: 1 })).toEqual([
      { kind: 'unknown', path: 'spec.rolloutStrategy.max_surge', value: 1, known: ['maxSurge', 'maxNew', 'threshold'] },
    ]);
  });

  test('are too new or gone by the version of the reader; without a version all are known', () => {
    const value = { maxNew: 5, threshold: 200 };
    expect(problemsOf(value)).toEqual([]);
    expect(problemsOf(value, { version: '0.14' })).toEqual([
      { kind: 'too-new', path: 'spec.rolloutStrategy.maxNew', value: 5, since: '0.16' },
    ]);
    expect(problemsOf(value, { version: '0.15' })).toEqual([
      { kind: 'too-new', path: 'spec.rolloutStrategy.maxNew', value: 5, since: '0.16' },
      { kind: 'gone', path: 'spec.rolloutStrategy.threshold', value: 200, until: '0.15' },
    ]);
    expect(problemsOf(value, { version: '0.16' })).toEqual([
      { kind: 'gone', path: 'spec.rolloutStrategy.threshold', value: 200, until: '0.15' },
    ]);
  });

  test('are known in any case to a reader that ignores it', () => {
    expect(problemsOf({ MAXSURGE: 1 }).map(({ kind }) => kind)).toEqual(['unknown']);
    expect(problemsOf({ MAXSURGE: 1 }, { ignoresCase: true })).toEqual([]);
  });

  test('are left out of what it reads, and nulls with them', () => {
    const { fields } = STRATEGY;
    expect(knownFields({ maxsurge: 1, maxNew: 5, threshold: null, more: 1 }, fields!, { version: '0.15', ignoresCase: true })).toEqual({
      maxSurge: 1,
    });
  });
});

test('types are put into words for a message', () => {
  expect([describeType('int32'), describeType('string-map')]).toEqual(['a whole number', 'a map of strings']);
});
