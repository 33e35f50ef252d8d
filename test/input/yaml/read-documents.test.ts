import { objectsIn, problemsIn } from '../reading';

const pod = (name: string) => `apiVersion: v1\nkind: Pod\nmetadata:\n  name: ${name}\n`;
const json = (name: string) => JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name } });
const podObject = (name: string) => ({ kind: 'Pod', metadata: { name } });

describe('documents are separated as in kubectl', () => {
  test.each([
    ['a line ---', `${pod('a')}---\n${pod('b')}`],
    ['--- at the very start and the very end', `---\n${pod('a')}---\n${pod('b')}---\n`],
    ['--- with a comment', `${pod('a')}--- # the second\n${pod('b')}`],
    ['empty documents between', `${pod('a')}---\n\n---\n# nothing here\n---\n${pod('b')}`],
    ['Windows line breaks', `${pod('a')}---\n${pod('b')}`.replaceAll('\n', '\r\n')],
    ['a byte order mark', `\ufeff${pod('a')}---\n\ufeff${pod('b')}`],
  ])('%s', (_, text) => {
    expect(objectsIn(text)).toEqual([podObject('a'), podObject('b')]);
    expect(problemsIn(text)).toEqual([]);
  });

  test('an indented --- in a block scalar does not end the document', () => {
    expect(objectsIn('apiVersion: v1\nkind: ConfigMap\ndata:\n  script: |\n    ---\n    echo\n')).toEqual([
      { kind: 'ConfigMap', data: { script: '---\necho\n' } },
    ]);
  });

  test('other text after --- is an error, and the documents around it are read', () => {
    const text = `${pod('a')}--- web\n${pod('b')}---\n${pod('c')}`;
    expect(objectsIn(text)).toEqual([podObject('a'), podObject('c')]);
    expect(problemsIn(text)).toEqual([['5:1', 'document', { startLine: 5, problem: { kind: 'broken-separator', line: '--- web' } }]]);
  });

  test('a document ends at a line ..., and what follows is not read', () => {
    expect(objectsIn(`${pod('a')}...\n${pod('b')}`)).toEqual([podObject('a')]);
  });

  test.each([
    ['4,096 bytes', 'x'.repeat(4096), true],
    ['8,192 bytes, in characters of two', 'é'.repeat(4096), true],
    ['8,191 bytes with a CR at the end of the first buffer', `${'x'.repeat(4095)}\r${'x'.repeat(4095)}`, true],
    ['4,095 bytes', 'x'.repeat(4095), false],
    ['4,097 bytes', 'x'.repeat(4097), false],
    ['4,096 bytes with a CR at the end', `${'x'.repeat(4095)}\r`, false],
    ['4,096 bytes and a line break', `${'x'.repeat(4096)}\n`, false],
  ])('a last line that kubectl drops is an error, and the documents before it are read: %s', (_, letters, isDropped) => {
    const text = `${pod('a')}---\n${pod('b')}#${letters.slice(1)}`.replace('#é', '#xé');
    expect(objectsIn(text)).toEqual(isDropped ? [podObject('a')] : [podObject('a'), podObject('b')]);
    expect(problemsIn(text)).toEqual(
      isDropped ? [['6:1', 'document', { startLine: 6, problem: { kind: 'last-line-dropped', bytes: 4096 } }]] : [],
    );
  });

  test('a directive before --- is refused, as in kubectl', () => {
    expect(problemsIn(`%YAML 1.1\n---\n${pod('a')}`)).toEqual([
      ['1:1', 'document', { startLine: 1, problem: { kind: 'syntax', fault: 'directive' } }],
    ]);
  });
});

test('a tag of an unknown handle is a tag that kubectl refuses only before the end of the value', () => {
  const faultOf = (text: string) => problemsIn(text).map(([location, , { problem }]) => [location, problem]);
  expect(faultOf('x: !a!b c\n')).toEqual([['1:4', { kind: 'syntax', fault: 'tag' }]]);
  expect(faultOf(`{apiVersion: v1, kind: Pod}\n!a!b c\n`)).toEqual([['2:1', { kind: 'syntax', fault: 'behind-value' }]]);
});

describe('lines end as in kubectl, so that no comment hides a field', () => {
  test.each([
    ['U+0085', '\u0085'],
    ['U+2028', '\u2028'],
    ['U+2029', '\u2029'],
    ['a carriage return', '\r'],
  ])('%s', (_, end) => {
    const text = `apiVersion: apps/v1\nkind: Deployment\nspec:\n  replicas: 4 # keep${end}  strategy: {type: Recreate}\n`;
    expect(objectsIn(text)).toEqual([{ kind: 'Deployment', spec: { replicas: 4, strategy: { type: 'Recreate' } } }]);
  });

  test('only LF separates documents: --- after a carriage return ends the document, and kubectl does not read the rest', () => {
    expect(objectsIn(`${pod('a')}# end\r---\r${pod('b')}`)).toEqual([podObject('a')]);
    expect(objectsIn(`--- # of \r${pod('a')}`)).toEqual([podObject('a')]);
  });
});

describe('a text that begins with { is read as JSON', () => {
  test.each([
    ['one object', json('a'), ['a']],
    ['consecutive objects', `${json('a')}${json('b')}\n${json('c')}`, ['a', 'b', 'c']],
    ['indented with tabs', '{\n\t"apiVersion": "v1",\n\t"kind": "Pod",\n\t"metadata": {"name": "a"}\n}\n', ['a']],
    ['strings with brackets and quotes', '{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "x": "}\\"{"}', ['a']],
    ['then YAML', `${json('a')}\n---\n${pod('b')}`, ['a', 'b']],
    [
      'YAML in braces',
      '{apiVersion: v1, kind: Pod, metadata: {name: a}}\n---\n{apiVersion: v1, kind: Pod, metadata: {name: b}}\n',
      ['a', 'b'],
    ],
  ])('%s', (_, text, names) => {
    expect(objectsIn(text)).toEqual(names.map((name) => expect.objectContaining({ kind: 'Pod', metadata: { name } })));
    expect(problemsIn(text)).toEqual([]);
  });

  // Verified with cli-runtime 0.34.4.
  test.each(['\n', ' ', '\t'])('unless 4,096 bytes of blanks come before it: %j', (blank) => {
    const text = json('a \u0085\u0085 b');
    expect(objectsIn(blank.repeat(4095) + text)).toEqual([podObject('a \u0085\u0085 b')]);
    const found = [objectsIn(blank.repeat(4096) + text), problemsIn(blank.repeat(4096) + text).length];
    // YAML has no tabs before a value, and folds line breaks such as U+0085.
    expect(found).toEqual(blank === '\t' ? [[], 1] : [[podObject('a\nb')], 0]);
  });

  test('only another object may follow an object on its line', () => {
    expect(problemsIn(`${json('a')} web`)).toEqual([['1:58', 'document', { startLine: 1, problem: { kind: 'text-after-json' } }]]);
  });

  test.each([
    ['quoted text, even with a colon after it', '"apiVersion": v1\n"kind": Pod\n'],
    ['a number', '25%\n'],
    ['a word of JSON', 'true: 1\n'],
    ['a key that begins with a word of JSON', 'trueish: 1\n'],
    ['a list', '[1]\nkind: Pod\n'],
  ])('a line after an object that begins with another JSON value is read as this value, and kubectl fails after it: %s', (_, line) => {
    expect(objectsIn(`${json('a')}\r\n${line}---\n${pod('c')}`)).toMatchObject([podObject('a'), podObject('c')]);
    expect(problemsIn(`${json('a')}\r\n${line}`).at(-1)).toMatchObject([
      expect.anything(),
      'document',
      { problem: { kind: 'text-after-json' } },
    ]);
  });

  test('text with an escape that YAML does not have is such a JSON value', () => {
    expect(problemsIn(`${json('a')}\r\n    "\\ud83d\\ude00"\n`).map(([, , data]) => data)).toEqual([
      { startLine: 2, problem: { kind: 'not-a-map', value: '😀' } },
    ]);
  });

  test.each([
    ['null', `null\n${json('b')}`],
    ['a word that is not JSON', 'nul: 1\napiVersion: v1\nkind: Pod\nmetadata: {name: b}\n'],
    ['an invalid number', '1.x: 1\napiVersion: v1\nkind: Pod\nmetadata: {name: b}\n'],
  ])('a line after an object that begins with %s is not read as a JSON value', (_, line) => {
    expect(objectsIn(`${json('a')}\n${line}`)).toMatchObject([podObject('a'), podObject('b')]);
    expect(problemsIn(`${json('a')}\n${line}`)).toEqual([]);
  });

  test.each([
    ['U+000B', '\v'],
    ['U+0085', '\u0085'],
    ['U+00A0', '\u00a0'],
    ['U+2029', '\u2029'],
    ['U+3000', '\u3000'],
  ])('whitespace that JSON does not allow ends the text with an error, as in kubectl: %s', (_, blank) => {
    for (const [objects, column] of [
      [json('a'), 57],
      [json('a') + json('b'), 113],
    ] as const) {
      const problem = { kind: 'blank-after-json', code: blank.charCodeAt(0) };
      expect(problemsIn(`${objects}${blank}\n`)).toEqual([[`1:${column}`, 'document', { startLine: 1, problem }]]);
    }
  });

  test.each([
    ['U+0085', '\u0085'],
    ['U+00A0', '\u00a0'],
  ])('so does a single one on the line after the object, at the very end of the text: %s', (_, blank) => {
    const problem = { kind: 'blank-after-json', code: blank.charCodeAt(0) };
    for (const lineEnd of ['\n', ' \n']) {
      expect(problemsIn(`${json('a')}${lineEnd}${blank}`)).toEqual([['2:1', 'document', { startLine: 2, problem }]]);
    }
  });

  test.each([
    ['a line break', '\n\u0085\n'],
    ['another one', '\n\u0085\u0085'],
    ['an empty line before it', '\n\n\u0085'],
  ])('it is no error if kubectl reads enough after the object to recognize it as blank: %s', (_, suffix) => {
    expect(problemsIn(`${json('a')}${suffix}`)).toEqual([]);
  });

  test('such whitespace before more documents does not affect them', () => {
    expect(problemsIn(`${json('a')}\u00a0\n---\n${pod('b')}`)).toEqual([]);
    expect(objectsIn(`${json('a')}\u00a0\n---\n${pod('b')}`)).toEqual([
      expect.objectContaining({ metadata: { name: 'a' } }),
      podObject('b'),
    ]);
  });

  test('an object that is never closed is one error', () => {
    expect(problemsIn('{"apiVersion": "v1", "kind": "Pod"\n')).toEqual([
      ['1:34', 'document', { startLine: 1, problem: { kind: 'syntax', fault: 'map-open' } }],
    ]);
  });
});

describe('lists are flattened in order', () => {
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

  test('the items of a PodList are Pods even without a kind', () => {
    expect(objectsIn('apiVersion: v1\nkind: PodList\nitems:\n- metadata: {name: a}\n')).toEqual([{ kind: 'Pod', metadata: { name: 'a' } }]);
  });

  test('a list without items contains no objects', () => {
    expect(objectsIn('apiVersion: v1\nkind: List\nitems: []\n')).toEqual([]);
  });
});

test.each(['- apiVersion: v1\n  kind: Pod\n', 'just text\n'])('a value that should be an object but is not is reported: %j', (text) => {
  expect([objectsIn(text), problemsIn(text).map(([location, messageId]) => [location, messageId])]).toEqual([[], [['1:1', 'document']]]);
});

test.each(['name: values of a chart\n', '- hosts: all\n', '# a comment\n', '', 'apiVersion: v1\n', '[]\n'])(
  'a document without apiVersion and kind is skipped silently: %j',
  (text) => {
    expect([objectsIn(text), problemsIn(text)]).toEqual([[], []]);
  },
);

test('a JSON string of 4 million escapes is read, in the first of several objects', () => {
  const long = '\n'.repeat(4_000_000);
  const text = `${JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', data: { long } })}\n${json('b')}\n`;
  expect(objectsIn(text)).toEqual([{ kind: 'ConfigMap', data: { long } }, podObject('b')]);
});
