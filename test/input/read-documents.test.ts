import { objectsIn, problemsIn } from './reading';

const pod = (name: string) => `apiVersion: v1\nkind: Pod\nmetadata:\n  name: ${name}\n`;
const json = (name: string) => JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name } });
const podObject = (name: string) => ({ kind: 'Pod', metadata: { name } });

describe('documents are separated as kubectl separates them', () => {
  test.each([
    ['a line ---', `${pod('a')}---\n${pod('b')}`],
    ['--- at the very start and the very end', `---\n${pod('a')}---\n${pod('b')}---\n`],
    ['--- with a comment', `${pod('a')}--- # the second\n${pod('b')}`],
    ['empty documents between', `${pod('a')}---\n\n---\n# nothing here\n---\n${pod('b')}`],
    ['Windows line ends', `${pod('a')}---\n${pod('b')}`.replaceAll('\n', '\r\n')],
    ['a byte order mark', `\ufeff${pod('a')}---\n\ufeff${pod('b')}`],
  ])('%s', (_, text) => {
    expect(objectsIn(text)).toEqual([podObject('a'), podObject('b')]);
    expect(problemsIn(text)).toEqual([]);
  });

  test('--- inside a block of text ends the document, unless it is indented', () => {
    expect(objectsIn('apiVersion: v1\nkind: ConfigMap\ndata:\n  script: |\n    ---\n    echo\n')).toEqual([
      { kind: 'ConfigMap', data: { script: '---\necho\n' } },
    ]);
  });

  test('anything else behind --- is an error, and the documents around it are read', () => {
    const text = `${pod('a')}--- web\n${pod('b')}---\n${pod('c')}`;
    expect(objectsIn(text)).toEqual([podObject('a'), podObject('c')]);
    expect(problemsIn(text)).toEqual([['5:1', 'document', { begin: 5, problem: { kind: 'broken-separator', line: '--- web' } }]]);
  });

  test('a document ends at a line ..., and what follows is not read', () => {
    expect(objectsIn(`${pod('a')}...\n${pod('b')}`)).toEqual([podObject('a')]);
  });

  test('a directive stands before a ---, where kubectl refuses it', () => {
    expect(problemsIn(`%YAML 1.1\n---\n${pod('a')}`)).toEqual([
      ['1:1', 'document', { begin: 1, problem: { kind: 'syntax', fault: 'directive' } }],
    ]);
  });
});

describe('a line ends where it ends for kubectl, so that no comment hides a field', () => {
  test.each([
    ['U+0085', '\u0085'],
    ['U+2028', '\u2028'],
    ['U+2029', '\u2029'],
    ['a carriage return', '\r'],
  ])('%s', (_, end) => {
    const text = `apiVersion: apps/v1\nkind: Deployment\nspec:\n  replicas: 4 # keep${end}  strategy: {type: Recreate}\n`;
    expect(objectsIn(text)).toEqual([{ kind: 'Deployment', spec: { replicas: 4, strategy: { type: 'Recreate' } } }]);
  });

  test('none but LF separates documents: behind a carriage return --- ends the document, and kubectl reads no further', () => {
    expect(objectsIn(`${pod('a')}# end\r---\r${pod('b')}`)).toEqual([podObject('a')]);
    expect(objectsIn(`--- # of \r${pod('a')}`)).toEqual([podObject('a')]);
  });
});

describe('a text that begins with { is JSON', () => {
  test.each([
    ['one object', json('a'), ['a']],
    ['objects one behind the other', `${json('a')}${json('b')}\n${json('c')}`, ['a', 'b', 'c']],
    ['indented with tabs', '{\n\t"apiVersion": "v1",\n\t"kind": "Pod",\n\t"metadata": {"name": "a"}\n}\n', ['a']],
    ['strings with brackets and quotes', '{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "x": "}\\"{"}', ['a']],
    ['then YAML', `${json('a')}\n---\n${pod('b')}`, ['a', 'b']],
    [
      'in fact YAML in braces',
      '{apiVersion: v1, kind: Pod, metadata: {name: a}}\n---\n{apiVersion: v1, kind: Pod, metadata: {name: b}}\n',
      ['a', 'b'],
    ],
  ])('%s', (_, text, names) => {
    expect(objectsIn(text)).toEqual(names.map((name) => expect.objectContaining({ kind: 'Pod', metadata: { name } })));
    expect(problemsIn(text)).toEqual([]);
  });

  test('behind an object only another one may stand on its line', () => {
    expect(problemsIn(`${json('a')} web`)).toEqual([['1:58', 'document', { begin: 1, problem: { kind: 'text-after-json' } }]]);
  });

  test.each([
    ['text in quotes, though a colon follows', '"apiVersion": v1\n"kind": Pod\n'],
    ['a number', '25%\n'],
    ['a word of JSON', 'true: 1\n'],
    ['a key that begins with a word of JSON', 'trueish: 1\n'],
    ['a list', '[1]\nkind: Pod\n'],
  ])('a line behind an object that begins with another value of JSON is that to kubectl, which fails behind it: %s', (_, line) => {
    expect(objectsIn(`${json('a')}\r\n${line}---\n${pod('c')}`)).toMatchObject([podObject('a'), podObject('c')]);
    expect(problemsIn(`${json('a')}\r\n${line}`).at(-1)).toMatchObject([
      expect.anything(),
      'document',
      { problem: { kind: 'text-after-json' } },
    ]);
  });

  test('text with an escape that YAML does not have is such a value', () => {
    expect(problemsIn(`${json('a')}\r\n    "\\ud83d\\ude00"\n`).map(([, , data]) => data)).toEqual([
      { begin: 2, problem: { kind: 'not-a-map', value: '😀' } },
    ]);
  });

  test.each([
    ['null', `null\n${json('b')}`],
    ['a word that is none of JSON', 'nul: 1\napiVersion: v1\nkind: Pod\nmetadata: {name: b}\n'],
    ['a number that is none', '1.x: 1\napiVersion: v1\nkind: Pod\nmetadata: {name: b}\n'],
  ])('a line behind an object that begins with %s is not', (_, line) => {
    expect(objectsIn(`${json('a')}\n${line}`)).toMatchObject([podObject('a'), podObject('b')]);
    expect(problemsIn(`${json('a')}\n${line}`)).toEqual([]);
  });

  test.each([
    ['U+000B', '\v'],
    ['U+0085', '\u0085'],
    ['U+00A0', '\u00a0'],
    ['U+2029', '\u2029'],
    ['U+3000', '\u3000'],
  ])('a blank that is none in JSON ends the text in an error, as in kubectl: %s', (_, blank) => {
    for (const [objects, column] of [
      [json('a'), 57],
      [json('a') + json('b'), 113],
    ] as const) {
      const problem = { kind: 'blank-after-json', code: blank.charCodeAt(0) };
      expect(problemsIn(`${objects}${blank}\n`)).toEqual([[`1:${column}`, 'document', { begin: 1, problem }]]);
    }
  });

  test.each([
    ['U+0085', '\u0085'],
    ['U+00A0', '\u00a0'],
  ])('so does one alone on the line behind the object, at the very end of the text: %s', (_, blank) => {
    const problem = { kind: 'blank-after-json', code: blank.charCodeAt(0) };
    for (const lineEnd of ['\n', ' \n']) {
      expect(problemsIn(`${json('a')}${lineEnd}${blank}`)).toEqual([['2:1', 'document', { begin: 2, problem }]]);
    }
  });

  test.each([
    ['a line break', '\n\u0085\n'],
    ['a further one', '\n\u0085\u0085'],
    ['an empty line before it', '\n\n\u0085'],
  ])('it is no error where kubectl sees enough behind the object to take it for a blank: %s', (_, behind) => {
    expect(problemsIn(`${json('a')}${behind}`)).toEqual([]);
  });

  test('such a blank before more documents is none of their business', () => {
    expect(problemsIn(`${json('a')}\u00a0\n---\n${pod('b')}`)).toEqual([]);
    expect(objectsIn(`${json('a')}\u00a0\n---\n${pod('b')}`)).toEqual([
      expect.objectContaining({ metadata: { name: 'a' } }),
      podObject('b'),
    ]);
  });

  test('an object that is never closed is one error', () => {
    expect(problemsIn('{"apiVersion": "v1", "kind": "Pod"\n')).toEqual([
      ['1:34', 'document', { begin: 1, problem: { kind: 'syntax', fault: 'map-open' } }],
    ]);
  });
});

describe('lists are taken apart in order', () => {
  test('a List, and lists in it', () => {
    const text = `apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Pod, metadata: {name: a}}
- apiVersion: v1
  kind: List
  items:
  - {apiVersion: v1, kind: Pod, metadata: {name: b}}
- {apiVersion: v1, kind: Pod, metadata: {name: c}}
`;
    expect(objectsIn(text)).toEqual([podObject('a'), podObject('b'), podObject('c')]);
  });

  test('the items of a PodList are Pods without saying so', () => {
    expect(objectsIn('apiVersion: v1\nkind: PodList\nitems:\n- metadata: {name: a}\n')).toEqual([{ kind: 'Pod', metadata: { name: 'a' } }]);
  });

  test('a list without items holds nothing', () => {
    expect(objectsIn('apiVersion: v1\nkind: List\nitems: []\n')).toEqual([]);
  });
});

test.each(['- apiVersion: v1\n  kind: Pod\n', 'just text\n'])('what should be an object and is none is told: %j', (text) => {
  expect([objectsIn(text), problemsIn(text).map(([place, messageId]) => [place, messageId])]).toEqual([[], [['1:1', 'document']]]);
});

test.each(['name: values of a chart\n', '- hosts: all\n', '# a comment\n', '', 'apiVersion: v1\n', '[]\n'])(
  'what has no apiVersion and kind is skipped without a word: %j',
  (text) => {
    expect([objectsIn(text), problemsIn(text)]).toEqual([[], []]);
  },
);

test('a JSON string of 4 million escapes is a string, in one object and in the first of several', () => {
  const long = '\n'.repeat(4_000_000);
  const text = `${JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', data: { long } })}\n${json('b')}\n`;
  expect(objectsIn(text)).toEqual([{ kind: 'ConfigMap', data: { long } }, podObject('b')]);
});
