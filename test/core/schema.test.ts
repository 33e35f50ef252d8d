import * as fc from 'fast-check';
import { toFieldPath } from '../../src/core/manifest/field-path';
import { describeType } from '../../src/core/values/field-type';
import {
  ANY,
  BOOLEAN,
  INT32,
  INT_OR_PERCENT,
  pickKnownFields,
  LIST,
  defineList,
  defineMap,
  requireNonNull,
  filterProblems,
  findSchemaProblems,
  STRING,
  STRING_MAP,
  STRING_LIST,
  closeSchema,
} from '../../src/core/values/schema';
import type { FieldSchema, SchemaReader } from '../../src/core/values/schema';
import { scaleRuns } from '../setup/scale-runs';

const SCHEMA = defineMap({
  metadata: requireNonNull(defineMap({ name: requireNonNull(STRING), labels: STRING_MAP })),
  spec: defineMap({
    replicas: INT32,
    paused: BOOLEAN,
    maxSurge: INT_OR_PERCENT,
    args: STRING_LIST,
    anything: ANY,
    scopes: LIST,
    containers: defineList({ name: STRING }),
    strategy: closeSchema(defineMap({ type: STRING, limits: closeSchema(defineMap({ max: INT32 })) })),
    ports: closeSchema(defineList({ port: INT32 })),
    suspend: { ...BOOLEAN, since: '1.7' },
    legacy: { ...STRING, until: '1.6' },
    grown: { ...defineMap({ more: { ...INT32, since: '1.8' } }), since: '1.7', until: '1.9' },
  }),
});

const NAMED = { metadata: { name: 'web' } };

/** Returns the problems of an object with this spec, as short lines. */
function problems(spec: unknown, reader?: SchemaReader): string[] {
  return findSchemaProblems({ ...NAMED, spec }, SCHEMA, toFieldPath``, reader).map((problem) => {
    const { kind, path } = problem;
    if (kind === 'wrong-type') return `${path} is not ${describeType(problem.expected)}`;
    if (kind === 'unknown') return `${path} is not one of ${problem.knownFields.join(', ')}`;
    if (kind === 'too-new') return `${path} exists from ${problem.since} on`;
    return kind === 'gone' ? `${path} does not exist from ${problem.until} on` : `${path} is kept from ${problem.persistedSince} on`;
  });
}

describe('the problems of a value by its schema are', () => {
  test.each<[string, unknown, readonly string[]]>([
    ['none, if all types are right', { replicas: 3, paused: false, maxSurge: '25%', args: ['a'], containers: [{ name: 'a' }] }, []],
    ['none, if a map has other fields in addition to the relevant ones', { more: 1, containers: [{ name: 'a', image: 2 }] }, []],
    ['none, if null means that a field is omitted', { replicas: null, containers: null, strategy: null, args: null }, []],
    ['none for a field of any type', { anything: [{}] }, []],
    ['none for items without a schema', { scopes: [1, null, {}] }, []],
    ['a number in quotes', { replicas: '3' }, ['spec.replicas is not a whole number']],
    ['a fraction', { replicas: 2.5 }, ['spec.replicas is not a whole number']],
    ['more than 32 bits', { replicas: 3_000_000_000 }, ['spec.replicas is not a whole number']],
    ['a word instead of a boolean', { paused: 'yes' }, ['spec.paused is not true or false']],
    ['neither a number nor text', { maxSurge: true }, ['spec.maxSurge is not a whole number or a percentage such as "25%"']],
    ['a map instead of a list', { containers: {} }, ['spec.containers is not a list']],
    ['text instead of an item that is a map', { containers: ['app'] }, ['spec.containers[0] is not a map']],
    ['an item that is null', { containers: [{ name: 'a' }, null] }, ['spec.containers[1] is not a map']],
    ['a number as the name of an item', { containers: [{ name: 'a' }, { name: 1 }] }, ['spec.containers[1].name is not a string']],
    ['text instead of a list of texts', { args: 'a' }, ['spec.args is not a list of strings']],
    ['an item that is not text', { args: ['a', 1, null] }, ['spec.args[1] is not a string', 'spec.args[2] is not a string']],
    [
      'an unknown field of a closed map',
      { strategy: { typ: 'a', limits: { max: 1, 'min.imum': 2 } } },
      ['spec.strategy.typ is not one of type, limits', 'spec.strategy.limits[min.imum] is not one of max'],
    ],
    ['an unknown field of an item', { ports: [{ port: 1 }, { prot: 2 }] }, ['spec.ports[1].prot is not one of port']],
    [
      'all problems, in document order',
      { paused: 1, replicas: 'a' },
      ['spec.paused is not true or false', 'spec.replicas is not a whole number'],
    ],
    ['a spec that is text', 'web', ['spec is not a map']],
  ])('%s', (_what, spec, lines) => {
    expect(problems(spec)).toEqual(lines);
  });

  test('reported with the value and the expected type', () => {
    expect(findSchemaProblems({ metadata: { name: 2024, labels: { app: 'web', 'a.b/tier': 1 } } }, SCHEMA, toFieldPath``)).toEqual([
      { kind: 'wrong-type', path: 'metadata.name', value: 2024, expected: 'string' },
      { kind: 'wrong-type', path: 'metadata.labels[a.b/tier]', value: 1, expected: 'string' },
    ]);
  });

  test('entries of a map of strings that are not strings; null is an empty string', () => {
    const labels = { app: 'web', empty: null, 'a.b': true, c: {} };
    expect(findSchemaProblems({ labels }, defineMap({ labels: STRING_MAP }), toFieldPath`metadata`)).toEqual([
      { kind: 'wrong-type', path: 'metadata.labels[a.b]', value: true, expected: 'string' },
      { kind: 'wrong-type', path: 'metadata.labels[c]', value: {}, expected: 'string' },
    ]);
    expect(findSchemaProblems({ labels: ['a'] }, defineMap({ labels: STRING_MAP }), toFieldPath`metadata`)).toEqual([
      { kind: 'wrong-type', path: 'metadata.labels', value: ['a'], expected: 'string-map' },
    ]);
    expect(describeType('string-map')).toBe('a map of strings');
  });

  test('null if a value is required; a missing field is never a problem', () => {
    expect(findSchemaProblems({ metadata: null }, SCHEMA, toFieldPath``)).toEqual([
      { kind: 'wrong-type', path: 'metadata', value: null, expected: 'map' },
    ]);
    expect(findSchemaProblems({ metadata: { name: null } }, SCHEMA, toFieldPath``)).toMatchObject([{ path: 'metadata.name', value: null }]);
    expect(findSchemaProblems({}, SCHEMA, toFieldPath``)).toEqual([]);
    expect(findSchemaProblems(undefined, requireNonNull(SCHEMA), toFieldPath``)).toEqual([]);
  });

  test.each([null, undefined])('none for %p', (value) => {
    expect(findSchemaProblems(value, SCHEMA, toFieldPath``)).toEqual([]);
  });

  test.each(['text', 7, []])('%p itself if it has the wrong type', (value) => {
    expect(findSchemaProblems(value, SCHEMA, toFieldPath``)).toEqual([{ kind: 'wrong-type', path: '', value, expected: 'map' }]);
  });

  test('reported below the path of the value', () => {
    expect(findSchemaProblems({ a: 1 }, closeSchema(defineMap({ b: INT32 })), toFieldPath`data[a.b]`)).toEqual([
      { kind: 'unknown', path: 'data[a.b].a', value: 1, knownFields: ['b'] },
    ]);
  });
});

describe('fields that a version does not know', () => {
  test.each<[string, unknown, readonly string[]]>([
    ['1.5', { suspend: true, legacy: 'a' }, ['spec.suspend exists from 1.7 on']],
    ['1.6', { suspend: true, legacy: 'a' }, ['spec.suspend exists from 1.7 on', 'spec.legacy does not exist from 1.6 on']],
    ['1.7', { suspend: true }, []],
    ['1.7', { grown: { more: 1 } }, ['spec.grown.more exists from 1.8 on']],
    ['1.8', { grown: { more: 'x' } }, ['spec.grown.more is not a whole number']],
    ['1.9', { grown: { more: 1 } }, ['spec.grown does not exist from 1.9 on']],
    ['1.5', { suspend: 'yes' }, ['spec.suspend exists from 1.7 on', 'spec.suspend is not true or false']],
  ])('in %s: %j', (version, spec, lines) => {
    expect(problems(spec, { version })).toEqual(lines);
  });

  test('without a version every field is known', () => {
    expect(problems({ suspend: true, legacy: 'a', grown: { more: 1 } })).toEqual([]);
  });
});

test('a case-insensitive reader knows a field in any case, and reports the path as written', () => {
  const spec = { STRATEGY: { Type: 1, typ: 2 } };
  expect(problems(spec)).toEqual([]);
  expect(problems(spec, { ignoresCase: true })).toEqual([
    'spec.STRATEGY.Type is not a string',
    'spec.STRATEGY.typ is not one of type, limits',
  ]);
});

test('a token of an adapter is not checked, since its value is not known yet, unless the reader allows no tokens', () => {
  class Lazy {}
  const tokens = { replicas: new Lazy(), containers: [{ name: new Lazy() }], args: [new Lazy()], strategy: new Lazy() };
  expect(problems(tokens)).toEqual([]);
  expect(findSchemaProblems({ metadata: { name: new Lazy(), labels: { app: new Lazy() } } }, SCHEMA, toFieldPath``)).toEqual([]);
  expect(problems(tokens, { allowsTokens: false })).toEqual([
    'spec.replicas is not a whole number',
    'spec.containers[0].name is not a string',
    'spec.args[0] is not a string',
  ]);
});

test('problems are filtered by kind', () => {
  const found = findSchemaProblems({ spec: { suspend: 'yes', strategy: { typ: 1 } } }, SCHEMA, toFieldPath``, { version: '1.6' });
  expect(filterProblems(found, 'unknown').map(({ path }) => path)).toEqual(['spec.strategy.typ']);
  expect(filterProblems(found, 'wrong-type', 'too-new').map(({ kind }) => kind)).toEqual(['too-new', 'wrong-type']);
});

test('a reader sees the fields of its version, under their own names, without nulls', () => {
  const fields: Readonly<Record<string, FieldSchema>> = {
    name: STRING,
    suspend: { ...BOOLEAN, since: '1.7' },
    limits: defineMap({ maxSurge: INT32, gone: { ...INT32, until: '1.6' } }),
    items: defineList({ size: INT32 }),
  };
  const written = {
    NAME: 'web',
    suspend: true,
    limits: { maxsurge: 1, gone: 2, more: 3 },
    items: [{ Size: 1 }, 'odd'],
    other: 1,
    items2: null,
  };
  expect(pickKnownFields(written, fields, { version: '1.6', ignoresCase: true })).toEqual({
    name: 'web',
    limits: { maxSurge: 1 },
    items: [{ size: 1 }, 'odd'],
  });
  expect(pickKnownFields(written, fields, { version: '1.7' })).toEqual({ suspend: true, limits: {}, items: [{}, 'odd'] });
});

describe('the compiled check', () => {
  const versioned = closeSchema(
    defineMap({
      plain: STRING,
      many: { ...closeSchema(defineList({ name: requireNonNull(STRING), sizes: { type: 'quantity-map' } })), allowsNulls: true },
      counts: { type: 'int32-list' },
      labels: STRING_MAP,
      young: { ...INT32, since: '1.34' },
      old: { ...BOOLEAN, until: '1.33' },
      gated: { ...defineMap({ when: { type: 'time' } }), persistedSince: '1.35' },
      share: requireNonNull(INT_OR_PERCENT),
      any: ANY,
    }),
  );
  const leaf = fc.constantFrom<unknown>(
    null,
    undefined,
    true,
    1,
    1.5,
    -1,
    2 ** 40,
    '',
    'a',
    '25%',
    '1Gi',
    '2026-01-31T08:00:00Z',
    new Date(0),
  );
  const name = fc.constantFrom(...Object.keys(versioned.fields!), 'name', 'sizes', 'when', 'other', '__proto__x');
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      leaf,
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(name, tie('value'), { maxKeys: 5 }),
    ),
  }));

  test('passes exactly if the full check finds no problem, for any value, version and treatment of null', () => {
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, '1.32', '1.33', '1.34', '1.36'), fc.boolean(), (candidate, version, allowsNulls) => {
        const reader: SchemaReader = { allowsNulls, ...(version !== undefined && { version }) };
        // No two names of the schema differ only in case, so this reader finds the same problems, and it always uses the full check.
        expect(findSchemaProblems(candidate, versioned, toFieldPath`a`, reader)).toEqual(
          findSchemaProblems(candidate, versioned, toFieldPath`a`, { ...reader, ignoresCase: true }),
        );
      }),
      { numRuns: scaleRuns(2_000) },
    );
  });
});
