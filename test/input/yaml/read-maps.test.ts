import type { DocumentProblem } from '../../../src/core/findings/input-problem';
import { readDocument } from '../../../src/input/yaml/full-reader';
import { DocumentError } from '../../../src/input/yaml/document-error';

function read(yaml: string): unknown {
  return readDocument(yaml).value;
}

function problemOf(yaml: string): DocumentProblem {
  try {
    readDocument(yaml);
  } catch (error) {
    if (error instanceof DocumentError) return error.problem;
    throw error;
  }
  throw new Error('the document is read without an error');
}

describe('keys are text', () => {
  test('numbers and booleans become text', () => {
    expect(read('1: a\n1.5: b\nyes: c\n"2": d\n')).toEqual({ 1: 'a', 1.5: 'b', true: 'c', 2: 'd' });
  });

  test('a float that is zero keeps its sign in a key, and loses it as a value', () => {
    expect(read('-0.0: -0.0\n')).toEqual({ '-0': 0 });
    expect(read('-1e-50: a\n-0: b\n')).toEqual({ '-0': 'a', 0: 'b' });
  });

  test.each([
    ['? [a]\n: 1\n', { described: 'a list' }],
    ['~: 1\n', null],
  ])('%j is refused', (yaml, value) => {
    expect(problemOf(yaml)).toEqual({ kind: 'key-not-text', value });
  });

  test.each([
    ['"1": a\n1: b\n', '1', 7],
    ['yes: b\n"true": a\n', 'true', 7],
    ['1: a\n1.0: b\n', '1', 5],
    ['1.0: a\n1.00000001: b\n', '1', 7],
    ['.nan: a\n.nan: b\n', '.nan', 8],
    ['-0.0: a\n0.0: b\n', '0', 8],
    ['x: &x {"1": a}\ny: {1: b, <<: *x}\n', '1', 25],
    ['x: &x {1: a}\ny: {<<: *x, "1": b}\n', '1', 25],
  ])('kubectl uses any of two keys of different types that become the same text, so %j is refused', (yaml, key, at) => {
    expect(problemOf(yaml)).toEqual({ kind: 'ambiguous-key', key });
    expect(() => readDocument(yaml)).toThrow(expect.objectContaining({ at }));
  });

  test.each([
    ['35281.3125', '35281.312'],
    ['35281.34375', '35281.344'],
    ['0.000244140625', '0.00024414062'],
    ['1.5474250491067253e+26', '1.5474251e+26'],
    ['-1.0e-45', '-1e-45'],
    ['16777217.0', '1.6777216e+07'],
  ])('a float in a key has the fewest digits of a 32-bit float, rounded as in Go: %s', (key, name) => {
    expect(read(`${key}: a\n`)).toEqual({ [name]: 'a' });
  });

  test.each(['1: a\n0x1: b\n', 'yes: a\non: b\n', '1.0: a\n1.00: b\n', '!!int "1": a\n1: b\n', '"1": a\n!!str 1: b\n'])(
    'the last of two keys of the same type is read: %j',
    (yaml) => {
      expect(Object.values(read(yaml) as object)).toEqual(['b']);
    },
  );

  test('a field named __proto__ is a field', () => {
    expect(JSON.stringify(read('__proto__: {polluted: yes}\n'))).toBe('{"__proto__":{"polluted":true}}');
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test.each([
    ['a: 1\na: 2\n', 'a', 'a', { a: 2 }],
    ['{a: 1, a: 2}\n', 'a', 'a', { a: 2 }],
    ['1: a\n0x1: b\n', '1', '1', { 1: 'b' }],
    ['b:\n  - a: 1\n    a: 3\n', 'a', 'b[0].a', { b: [{ a: 3 }] }],
  ])('the last occurrence of a duplicate key wins, and it is reported: %j', (yaml, key, path, value) => {
    const document = readDocument(yaml);
    expect(document.duplicateKeys).toEqual([{ path, key, at: expect.any(Number), first: expect.any(Number) }]);
    expect(document.value).toEqual(value);
  });
});

describe('aliases and merge keys', () => {
  test('an alias is the value of its anchor', () => {
    expect(read('a: &x {b: 1}\nc: *x\nd: [*x]\n')).toEqual({ a: { b: 1 }, c: { b: 1 }, d: [{ b: 1 }] });
  });

  test('a merge adds the fields of other maps; in a list of maps the first one wins', () => {
    expect(read('x: &x {a: 1, b: 1}\ny: &y {b: 2, c: 2}\nz:\n  <<: [*x, *y]\n  d: 3\n')).toMatchObject({ z: { a: 1, b: 1, c: 2, d: 3 } });
  });

  test('a field after a merge overrides it, and a merge after a field overrides the field', () => {
    expect(read('x: &x {a: 1}\nbelow: {<<: *x, a: 2}\nabove: {a: 2, <<: *x}\n')).toMatchObject({ below: { a: 2 }, above: { a: 1 } });
  });

  test('a quoted "<<" is a normal key', () => {
    expect(read('"<<": {a: 1}\n')).toEqual({ '<<': { a: 1 } });
  });

  test.each([
    ['a: *x\n', { kind: 'alias-without-anchor', anchor: 'x' }],
    ['a: &x [*x]\n', { kind: 'anchor-in-itself', anchor: 'x' }],
    ['a: {<<: 1}\n', { kind: 'merge-without-map' }],
  ])('%j is refused', (yaml, problem) => {
    expect(problemOf(yaml)).toEqual(problem);
  });
});

const aliases = (count: number) => `a: &a 1\nb: [${Array(count).fill('*a').join(', ')}]\n`;
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

describe('limits that no real document reaches', () => {
  test('100 aliases are read, 101 are not', () => {
    expect(read(aliases(100))).toMatchObject({ a: 1 });
    expect(problemOf(aliases(101))).toEqual({ kind: 'too-many-aliases', aliases: 100 });
  });

  test('nested aliases that expand to millions of values are refused without delay', () => {
    const laughs = ['a: &a [x, x, x, x, x, x, x, x, x]'];
    for (const [index, name] of Array.from('bcdefghij').entries())
      laughs.push(`${name}: &${name} [${Array(9).fill(`*${'abcdefghij'[index]}`).join(', ')}]`);
    expect(problemOf(laughs.join('\n'))).toEqual({ kind: 'syntax', fault: 'excessive-aliases' });
    const many = `a: &a [${'x, '.repeat(200_000)}]\nb: [*a, *a, *a, *a, *a]\n`;
    expect(problemOf(many)).toEqual({ kind: 'aliases-too-large', values: 1_000_000 });
  });

  test.each([
    ['of an alias', '*a'],
    ['of a map', `{ ${Array.from({ length: 2_000 }, (_, index) => `k${index}: 1`).join(', ')} }`],
  ])('merges in each other that copy more than a million fields %s are refused', (_, innermost) => {
    const fields = Array.from({ length: 2_000 }, (__, index) => `  k${index}: 1`).join('\n');
    const merges = (levels: number) => `a: &a\n${fields}\nb: ${'{<<: '.repeat(levels)}${innermost}${'}'.repeat(levels)}\n`;
    expect(read(merges(490))).toMatchObject({ b: { k0: 1, k1999: 1 } });
    expect(problemOf(merges(510))).toEqual({ kind: 'aliases-too-large', values: 1_000_000 });
  });

  // Verified with kubectl 1.34.
  test.each([
    ['in a list', 4_009, (values: number) => `a: &a [${'1, '.repeat(values)}]\nb: [${'*a, '.repeat(99)}]\n`],
    ['in each other', 639, (values: number) => `a: &a [${'1, '.repeat(values)}]\nb: &b [${'*a, '.repeat(5)}]\nc: [${'*b, '.repeat(20)}]\n`],
    [
      'in merges',
      4_011,
      (values: number) => `a: &a {b: &b [${'1, '.repeat(values)}]}\nc: &c {d: *b}\ne:\n${'- <<: [*a, *c]\n'.repeat(49)}`,
    ],
  ])('more than 99%% of values from aliases are refused as kubectl does: %s', (_, most, yamlOf) => {
    const head = 'apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: a}\n';
    expect(() => read(head + yamlOf(most))).not.toThrow();
    expect(problemOf(head + yamlOf(most + 1))).toEqual({ kind: 'syntax', fault: 'excessive-aliases' });
  });

  // Verified with kubectl 1.32.
  test('a list of merges at the end of a document is not counted, as kubectl does not', () => {
    const yamlOf = (others: number) =>
      `f: [${'1, '.repeat(others)}]\na: &a {b: [${'1, '.repeat(200)}]}\nc: &c {d: [${'*a, '.repeat(20)}]}\ne: {<<: [${'*c, '.repeat(40)}]}\n`;
    const head = 'apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: a}\n';
    expect(problemOf(head + yamlOf(1_408))).toEqual({ kind: 'syntax', fault: 'excessive-aliases' });
    expect(() => read(head + yamlOf(1_409))).not.toThrow();
  });

  test('1,000 levels are read, 1,001 are not, and 100,000 do not overflow the stack', () => {
    expect(JSON.stringify(read(nested(1_000)))).toBe(nested(1_000));
    expect(problemOf(nested(1_001))).toEqual({ kind: 'too-deep', levels: 1_000 });
    expect(problemOf('['.repeat(100_000))).toEqual({ kind: 'too-deep', levels: 1_000 });
    expect(problemOf('- '.repeat(100_000))).toEqual({ kind: 'too-deep', levels: 1_000 });
  });

  test('levels of aliases count like those of the text', () => {
    const deep = (own: number) => `a: &a ${nested(499).replace('[]', '[1]')}\nb: ${nested(own).replace('[]', '[*a]')}\n`;
    expect(read(deep(500))).toHaveProperty('b');
    expect(problemOf(deep(501))).toEqual({ kind: 'too-deep', levels: 1_000 });
    expect(read(`a: &a [1]\nb: [${Array(99).fill('*a').join(', ')}, ${nested(998)}]\n`)).toHaveProperty('b');
    expect(problemOf(`a: &a { x: ${nested(990)} }\nb: ${nested(10).replace('[]', '[{ <<: *a }]')}\n`)).toEqual({
      kind: 'too-deep',
      levels: 1_000,
    });
  });
});
