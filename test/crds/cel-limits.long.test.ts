import * as cel from '@bufbuild/cel';
import type { Manifest } from '../../src/core/manifest/manifest';
import { checkCustomResources } from '../../src/crds/check-custom-resources';
import { createListConcatenation } from '../../src/crds/cel/shared-list';
import { CrdRegistry } from '../../src/crds/crd-registry';
import type { SchemaNode } from '../../src/crds/schema-node';
import { countCpuSeconds } from '../setup/cpu-seconds';

const LONG = 'a'.repeat(1_000_000);

const NUMBERS: SchemaNode = { type: 'array', items: { type: 'integer' } };
const LISTS: SchemaNode = { type: 'array', maxItems: 100_000, items: { ...NUMBERS, maxItems: 100 } };

function fields(maxItems: number): Readonly<Record<string, SchemaNode>> {
  return {
    text: { type: 'string' },
    other: { type: 'string' },
    numbers: { type: 'array', maxItems, items: { type: 'integer' } },
    names: { type: 'array', maxItems: 100_000, items: { type: 'string', maxLength: 10 } },
    any: NUMBERS,
    lists: LISTS,
    boxes: { type: 'array', items: { type: 'object', properties: { size: { type: 'integer' }, parts: NUMBERS, lists: LISTS } } },
  };
}

function crd(rule: string, maxItems: number): Manifest {
  const spec = { type: 'object', properties: fields(maxItems), 'x-kubernetes-validations': [{ rule }] };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'boxes.shop.example' },
    spec: {
      group: 'shop.example',
      names: { kind: 'Box' },
      versions: [{ name: 'v1', served: true, schema: { openAPIV3Schema: { type: 'object', properties: { spec } } } }],
    },
  };
}

/** Evaluates one rule for an object with this spec. Returns the codes and reasons of the findings. */
function evaluate(rule: string, spec: object, { maxItems = 1_000, seconds = 60 } = {}): unknown[] {
  const box = { apiVersion: 'shop.example/v1', kind: 'Box', metadata: { name: 'a' }, spec };
  const found = checkCustomResources([box], new CrdRegistry([crd(rule, maxItems)]), () => undefined, false, seconds);
  return found.map(({ severity, messageId, data }) =>
    [severity, messageId, (data.reason as { why?: string } | undefined)?.why ?? data.reason ?? data.budgetScope].join(' '),
  );
}

const count = (length: number) => Array.from({ length }, (_, index) => index);

describe('the length of texts and lists costs what it costs the API server', () => {
  test.each([
    ['a join', 'self.numbers.map(n, self.text).join(self.text).size() >= 0'],
    ['a sum of texts', 'self.numbers.all(n, (self.text + self.text).size() >= 0)'],
    ['a split', "self.numbers.all(n, self.text.split('').size() >= 0)"],
    ['a comparison', 'self.numbers.all(n, self.text == self.other)'],
    ['a search', "self.numbers.all(n, !self.text.contains('bbbbbbbbbbbb'))"],
    ['a search for an item', 'self.numbers.all(n, n in self.numbers) && self.numbers.all(n, n in self.numbers)'],
    ['a pattern', 'self.numbers.all(n, !self.text.matches("b+"))'],
    ['a set in a set', 'self.numbers.all(n, sets.contains(self.numbers, self.numbers))'],
    ['common items of sets', 'self.numbers.all(n, sets.intersects(self.numbers, self.numbers))'],
    ['equal sets', 'sets.equivalent(self.numbers, self.numbers)'],
    ['distinct items', 'self.numbers.distinct().size() > 0'],
    ['a sorted list', 'self.numbers.sort().size() > 0'],
    ['a list sorted by a key', 'self.numbers.sortBy(n, -n).size() > 0'],
    ['reversed lists', 'self.numbers.all(n, self.numbers.reverse().size() > 0)'],
    ['parts of lists', 'self.numbers.all(n, self.numbers.slice(0, self.numbers.size()).size() > 0)'],
    ['flattened lists', 'self.numbers.all(n, [self.numbers].flatten(1000).size() > 0)'],
    ['a range of numbers', 'self.numbers.all(n, lists.range(self.numbers.size()).size() > 0)'],
  ])('%s', (_, rule) => {
    expect(evaluate(rule, { text: LONG, other: LONG, numbers: count(1_000) })).toEqual(['error cost rule']);
    expect(evaluate(rule, { text: 'a', other: 'a', numbers: [1] }).filter((found) => String(found).includes('cost'))).toEqual([]);
  });
});

test.each([
  ['read', 'self.numbers.map(n, n + 1).all(n, n > 0)'],
  ['joined', "self.numbers.map(n, string(n)).join(',').size() > 20000"],
  ['compared', 'self.numbers.filter(n, n >= 0) == self.numbers'],
])('a list of 20,000 items that a macro creates is %s', (_, rule) => {
  expect(evaluate(rule, { numbers: count(20_000) }, { maxItems: 30_000 })).toEqual([]);
});

// Source: cel-go v0.26 checker/cost.go, `computeExprSize` and `costComprehension`.
test.each([
  ['a list that is written out', '[1, 2].map(x, x).size() > 0 && [1, 2].all(x, [1, 2].all(y, [1, 2].all(z, x + y + z > 0)))', []],
  ['a sum of lists', '([1, 2] + [3]).all(x, ([1, 2] + [3]).all(y, x + y > 0))', []],
  ['a list of lists', '[[1, 2], [3]].all(x, x.all(y, x.all(z, y + z > 0)))', []],
  ['a list that a macro creates', 'self.numbers.map(n, n).all(n, self.numbers.filter(m, true).exists(m, m == n))', []],
  ['a list without a bound', 'self.any.map(n, n).all(n, self.any.filter(m, true).exists(m, m == n))', ['error rule estimate']],
])('the estimate of the API server knows the length of %s', (_, rule, expected) => {
  expect(evaluate(rule, { numbers: [1, 2], any: [1, 2] }, { maxItems: 100 })).toEqual(expected);
});

// Source: cel-go v0.26 checker/cost.go, `costSelect`. Compared with apiextensions-apiserver v0.34.4.
test.each([
  ['another field of an outer item', 'self.boxes.all(o, o.parts.all(i, o.size != i))', []],
  ['another field of an item around the outer one', 'self.boxes.all(o, o.lists.all(l, l.all(i, o.size != i)))', []],
  ['an item of a list that the rule creates', 'self.lists.filter(v, true).exists(x, x.existsOne(k, y, k >= 0))', []],
  ['no other field', 'self.boxes.all(o, o.parts.all(i, i > 0))', ['error rule estimate']],
  ['the same field', 'self.boxes.all(o, o.parts.all(i, o.parts.all(j, i != j)))', ['error rule estimate']],
  ['an item of a list of the object', 'self.lists.exists(x, x.existsOne(k, y, k >= 0))', ['error rule estimate']],
])('the estimate does not count a list if the API server may take it for another one: a body that reads %s', (_, rule, expected) => {
  expect(evaluate(rule, { boxes: [{ size: 3, parts: [1], lists: [[1]] }], lists: [[1]] })).toEqual(expected);
});

test('a list that two lists extend keeps its own items', () => {
  const concatenate = createListConcatenation(cel, () => {});
  const list = concatenate(cel.celList([1n, 2n]), cel.celList([3n]));
  const extended = [4n, 5n].map((item) => concatenate(list, cel.celList([item])));
  const twice = concatenate(list, list);

  expect([list, ...extended, twice].map((each) => [...each])).toEqual([
    [1n, 2n, 3n],
    [1n, 2n, 3n, 4n],
    [1n, 2n, 3n, 5n],
    [1n, 2n, 3n, 1n, 2n, 3n],
  ]);
  expect([list.size, list.get(2), list.get(3), list.get(-1)]).toEqual([3, 3n, undefined, undefined]);
});

describe('a rule that no API server accepts is not evaluated', () => {
  test.each([
    ['nested macros over lists without a limit', 'self.any.all(a, self.any.all(b, a != b))', 'error rule estimate'],
    ['nested macros with two variables', 'self.any.all(i, a, self.any.all(j, b, i != j))', 'error rule estimate'],
    ['a sum of 20,000 numbers', `${Array(20_000).fill('1').join('+')} > 0`, 'info rule size'],
    ['20,000 parentheses', `${'('.repeat(20_000)}true${')'.repeat(20_000)}`, 'info rule size'],
    ['2,000 conditions', `${'true?true:'.repeat(2_000)}true`, 'info rule size'],
    ['20,000 fields', `self${'.text'.repeat(19_000)} == 1`, 'info rule size'],
    ['more than 100,000 characters', `'${LONG}' != ''`, 'info rule size'],
  ])('%s', (_, rule, found) => {
    expect(evaluate(rule, { any: [1] })).toEqual([found]);
  });

  test('but one with a limit is', () => {
    expect(evaluate('self.numbers.all(a, self.numbers.all(b, a == b))', { numbers: [1, 1] })).toEqual([]);
    expect(evaluate('self.numbers.all(i, a, self.numbers.all(j, b, a == b))', { numbers: [1, 1] })).toEqual([]);
  });
});

describe('a rule that would not end, or fill the memory, is given up', () => {
  test('after its time: all matches of a pattern that reads the rest of the text for each', () => {
    const found = evaluate("self.text.findAll('a.*b|a').size() > 0", { text: 'a'.repeat(200_000) }, { seconds: 0.2 });
    expect(found).toEqual([expect.stringMatching(/^error (?:rule|object) seconds$/)]);
  });

  test('after its time: a list whose items are formatted for each item, which is not charged', () => {
    const numbers = count(20_000);
    const found = evaluate("self.numbers.all(n, '%s'.format([self.numbers]) != 'x')", { numbers }, { maxItems: 20_000, seconds: 0.2 });
    expect(found).toEqual([expect.stringMatching(/^error (?:rule|object) seconds$/)]);
  });

  test.each([
    ['matched', "!self.text.matches('[ab]*a[ab]{900}[cd]')"],
    ['found', "self.text.find('[ab]*a[ab]{900}[cd]') == ''"],
  ])('before it begins: a long pattern is %s in a long text', (_, rule) => {
    expect(evaluate(rule, { text: LONG })).toEqual(['info rule pattern']);
  });

  test.each([
    ['a text in a text', "self.text.replace('', self.text).size() > 0"],
    ['a million digits', 'isQuantity(self.text)'],
  ])('before it begins: %s', (_, rule) => {
    expect(evaluate(rule, { text: LONG })).toEqual(['info rule too-large']);
  });

  test('but a search of a long text in another takes linear time', () => {
    const text = 'a'.repeat(2_000_000);
    const readSeconds = countCpuSeconds();
    expect(evaluate('self.text.indexOf(self.other) < 0', { text, other: `b${'a'.repeat(700_000)}` })).toEqual([]);
    expect(evaluate('self.text.split(self.other).size() == 1', { text, other: `b${'a'.repeat(700_000)}` })).toEqual([]);
    expect(readSeconds()).toBeLessThan(20);
  });
});

test('a chain of calls takes no longer than its calls', () => {
  expect(evaluate(`self.text${'.trim()'.repeat(60)} == 'y'`, { text: ' y ' })).toEqual([]);
});

describe('a limit of the JavaScript engine', () => {
  test.each([
    ['21 decimal places, which some engines do not write', "'%.21f'.format([1.5]) == ''"],
    ['decimal places without end', "'%.99999999999999999999f'.format([1.5]) == ''"],
    ['a width without end', "'%.99999999999999999999e'.format([1.5]) == ''"],
  ])('is no error of the object: %s', (_, rule) => {
    expect(evaluate(rule, {})).toEqual(['info rule precision']);
  });

  test('20 decimal places and a width of 1,000,000 are evaluated', () => {
    expect(evaluate("'%.20f'.format([1.5]) == '1.50000000000000000000' && '%.1000000e'.format([1.5]).size() == 1000000", {})).toEqual([]);
  });
});

test('an error of an evaluation quotes no other program', () => {
  const box = { apiVersion: 'shop.example/v1', kind: 'Box', metadata: { name: 'a' }, spec: {} };
  const messageFor = (rule: string) => checkCustomResources([box], new CrdRegistry([crd(rule, 1)]), () => undefined, false, 60)[0]!.message;
  expect(messageFor("timestamp('9999999-01-01T00:00:00Z') == timestamp('')")).toMatch(/\(its evaluation fails with "no timestamp"\)\.$/);
  expect(messageFor("duration('x') == duration('1s')")).toMatch(/\(its evaluation fails with "no duration"\)\.$/);
});

/** Validates a spec against a schema without rules. Returns the codes and reasons of the findings. */
function validate(spec: object, schema: SchemaNode, seconds: number, boxes = 2): unknown[] {
  const definition = crd('true', 1);
  const box = { apiVersion: 'shop.example/v1', kind: 'Box', metadata: { name: 'a' }, spec };
  const versions = [{ name: 'v1', served: true, schema: { openAPIV3Schema: { type: 'object', properties: { spec: schema } } } }];
  const registry = new CrdRegistry([{ ...definition, spec: { group: 'shop.example', names: { kind: 'Box' }, versions } }]);
  const found = checkCustomResources(
    Array.from({ length: boxes }, () => box),
    registry,
    () => undefined,
    false,
    seconds,
  );
  return found.map(({ code, severity, messageId, data: { reason } }) =>
    [code, severity, messageId, ...(typeof reason === 'string' ? [reason] : [])].join(' '),
  );
}

describe('a schema that would not end, or fill the memory, is given up for an object', () => {
  const list = (items: SchemaNode): SchemaNode => ({ type: 'object', properties: { list: { type: 'array', items } } });
  const NAMES = count(5_000).map((index) => `n${index}`);
  const ONE = ['crds/rule-not-evaluated error object seconds'];

  test('after its time, with all objects after it', () => {
    const anyOf = NAMES.map((name) => ({ pattern: `^${name}$` }));
    expect(validate({ list: NAMES }, list({ type: 'string', anyOf }), 0.2)).toEqual(ONE);
  });

  test('after its time, of which each search for a long pattern in a short text takes its part', () => {
    const pattern = `^${'(a?){999}'.repeat(50)}b$`;
    const texts = Array.from({ length: 200 }, () => `${'a'.repeat(150)}b`);
    expect(validate({ list: texts }, list({ type: 'string', pattern }), 1)).toEqual(ONE);
  });

  test('if it adds too many defaults', () => {
    const properties = Object.fromEntries(NAMES.map((name) => [name, { type: 'string', default: 'x' }]));
    expect(validate({ list: NAMES.map(() => ({})) }, list({ type: 'object', properties }), 60, 1)).toEqual([
      'crds/rule-not-evaluated error object defaults',
    ]);
  });

  test('if a long text is searched for a long pattern', () => {
    expect(validate({ list: [LONG] }, list({ type: 'string', pattern: '[ab]*a[ab]{900}[cd]' }), 60)).toEqual(
      Array(2).fill('crds/rule-not-evaluated error object pattern'),
    );
  });

  test.each([
    ['an enum of thousands of values', list({ type: 'string', enum: NAMES.map((name) => `x${name}`) }), { list: NAMES }],
    ['thousands of unknown fields', { type: 'object', properties: {} }, Object.fromEntries(NAMES.map((name) => [name, 1]))],
  ])('but not because of %s, which take linear time', (_, schema, spec) => {
    expect(new Set(validate(spec, schema, 60)).size).toBe(2);
  });
});

describe('the text of a rule is parsed in linear time', () => {
  const RULE = 'self.text != ""';

  test.each([
    ['blanks at the end', `${RULE}${' '.repeat(90_000)}`],
    ['blanks in the middle', `self.text${'\n'.repeat(90_000)} != ""`],
    ['comments', `${RULE}${'\n// no'.repeat(15_000)}`],
    ['a string that is not terminated', `[?${RULE} "${'\\"'.repeat(40_000)}`],
  ])('%s', (what, rule) => {
    const readSeconds = countCpuSeconds();
    const found = evaluate(rule, { text: 'a' });
    expect(found).toEqual(what.startsWith('a string') ? ['info rule syntax'] : []);
    expect(readSeconds()).toBeLessThan(3);
  });

  test('a comment at the end of a rule is none of it', () => {
    expect(evaluate(`${RULE} // not empty`, { text: 'a' })).toEqual([]);
    expect(evaluate('self.text == "//  " // two blanks', { text: '//  ' })).toEqual([]);
  });
});
