import * as fc from 'fast-check';
import { parse, stringify } from 'yaml';
import { applyEdits, removeField, renameField, setField } from '../../../src/core/findings/suggested-fix';
import type { Edit } from '../../../src/core/findings/suggested-fix';
import { toFieldPath, buildFieldPath } from '../../../src/core/manifest/field-path';
import type { PathPart } from '../../../src/core/manifest/field-path';
import { applyDocumentEdits } from '../../../src/input/edit/document-edit';

function yaml(text: string, ...edits: readonly Edit[]): string | undefined {
  return applyDocumentEdits(text, edits, false);
}

function json(text: string, ...edits: readonly Edit[]): string | undefined {
  return applyDocumentEdits(text, edits, true);
}

describe('a field is renamed', () => {
  test('in place, with its quotes, its comments and its content', () => {
    expect(
      yaml(
        'a:\n  max_surge:  1 # one\n  "b_c":\n    - x # y\n',
        renameField(toFieldPath`a.max_surge`, 'maxSurge'),
        renameField(toFieldPath`a.b_c`, 'bC'),
      ),
    ).toBe('a:\n  maxSurge:  1 # one\n  "bC":\n    - x # y\n');
    expect(yaml('{a: {b_c: 1, d: 2}}', renameField(toFieldPath`a.b_c`, 'bC'))).toBe('{a: {bC: 1, d: 2}}');
    expect(json('{"a": {"b_c" : 1}}', renameField(toFieldPath`a.b_c`, 'bC'))).toBe('{"a": {"bC" : 1}}');
  });

  test('but not to a name that exists already, through an alias, or in the map of an anchor with aliases', () => {
    expect(yaml('a: {b: 1, c: 2}\n', renameField(toFieldPath`a.b`, 'c'))).toBeUndefined();
    expect(yaml('a: &x {b: 1}\nd: *x\n', renameField(toFieldPath`d.b`, 'c'))).toBeUndefined();
    expect(yaml('a: &x {b: 1}\nd: *x\n', renameField(toFieldPath`a.b`, 'c'))).toBeUndefined();
  });
});

test('a document of 200 levels is edited, one of 201 is not', () => {
  const nested = (levels: number, replicas: number) =>
    `{"replicas": ${replicas}, "status": ${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
  for (const edit of [yaml, json]) {
    expect(edit(nested(200, 1), setField(toFieldPath`replicas`, 2))).toBe(nested(200, 2));
    expect(edit(nested(201, 1), setField(toFieldPath`replicas`, 2))).toBeUndefined();
  }
});

describe('a value is set', () => {
  test('instead of another, and comments, quotes and spacing stay', () => {
    expect(yaml('# web\nspec:\n    replicas:   "2"   # two\n    name: \'a\'\n', setField(toFieldPath`spec.replicas`, 2))).toBe(
      "# web\nspec:\n    replicas:   2   # two\n    name: 'a'\n",
    );
  });

  test('as text with the same quotes', () => {
    expect(
      yaml('a: "1"\nb: \'1\'\nc: 1\n', setField(toFieldPath`a`, '25%'), setField(toFieldPath`b`, "it's"), setField(toFieldPath`c`, '25%')),
    ).toBe("a: \"25%\"\nb: 'it''s'\nc: 25%\n");
  });

  test('as text with quotes if YAML 1.1 would read another type', () => {
    expect(yaml('a: b\n', setField(toFieldPath`a`, 'on'), setField(toFieldPath`c`, '012'))).toBe('a: "on"\nc: "012"\n');
  });

  test('after a key without a value', () => {
    expect(yaml('spec:\n  replicas: # how many\n  name: a\n', setField(toFieldPath`spec.replicas`, 2))).toBe(
      'spec:\n  replicas: 2 # how many\n  name: a\n',
    );
  });

  test('in a map that does not exist, with the indentation of the maps around it', () => {
    expect(
      yaml('spec:\n    template:\n        a: 1\n    name: b\nother: 1\n', setField(toFieldPath`spec.strategy.rollingUpdate.maxSurge`, 1)),
    ).toBe('spec:\n    template:\n        a: 1\n    name: b\n    strategy:\n        rollingUpdate:\n            maxSurge: 1\nother: 1\n');
  });

  test('below a key without a value, after its comment', () => {
    expect(yaml('spec:\n  strategy: # later\n  replicas: 1\n', setField(toFieldPath`spec.strategy.type`, 'Recreate'))).toBe(
      'spec:\n  strategy: # later\n    type: Recreate\n  replicas: 1\n',
    );
  });

  test('in an item of a list', () => {
    expect(
      yaml(
        'containers:\n- name: web # the web\n  image: web:1\n# the end\n- name: b\n',
        setField(toFieldPath`containers[0].readinessProbe`, { tcpSocket: { port: 80 } }),
      ),
    ).toBe('containers:\n- name: web # the web\n  image: web:1\n  readinessProbe:\n    tcpSocket:\n      port: 80\n# the end\n- name: b\n');
  });

  test('after a block scalar', () => {
    expect(yaml('a:\n  script: |\n    one\n\nb: 1\n', setField(toFieldPath`a.c`, 1))).toBe('a:\n  script: |\n    one\n  c: 1\n\nb: 1\n');
  });

  test('in braces', () => {
    expect(
      yaml('a: {b: 1, c: {}}\n', setField(toFieldPath`a.b`, 2), setField(toFieldPath`a.d`, 'x, y'), setField(toFieldPath`a.c.e`, true)),
    ).toBe('a: {b: 2, c: {e: true}, d: "x, y"}\n');
  });

  test('in JSON, with its line breaks', () => {
    expect(json('{\n  "a": 1,\n  "b": "2"\n}', setField(toFieldPath`b`, 2), setField(toFieldPath`c`, { d: '1' }))).toBe(
      '{\n  "a": 1,\n  "b": 2,\n  "c": {"d":"1"}\n}',
    );
  });

  test('with the line breaks of the file', () => {
    expect(yaml('a:\r\n  b: 1\r\nc: 2\r\n', setField(toFieldPath`a.d`, 3))).toBe('a:\r\n  b: 1\r\n  d: 3\r\nc: 2\r\n');
  });

  test('at the end of a text without a final line break', () => {
    expect(yaml('a:\n  b: 1', setField(toFieldPath`a.c`, 2))).toBe('a:\n  b: 1\n  c: 2');
  });
});

describe('a field is removed', () => {
  test('with its line and its content', () => {
    expect(yaml('a: 1\n# about b\nb: # gone\n  c: 1\n  d: [1]\ne: 2\n', removeField(toFieldPath`b`))).toBe('a: 1\n# about b\ne: 2\n');
  });

  test('from the line of its list item', () => {
    expect(yaml('- a: 1\n  b: 2\n', removeField(toFieldPath`[0].a`))).toBe('- b: 2\n');
  });

  test('as the only one of its map', () => {
    expect(yaml('spec:\n  paused: true\nx: 1\n', removeField(toFieldPath`spec.paused`))).toBe('spec: {}\nx: 1\n');
  });

  test('from braces', () => {
    expect(yaml('a: {b: 1, c: 2, d: 3}\n', removeField(toFieldPath`a.b`))).toBe('a: {c: 2, d: 3}\n');
    expect(yaml('a: {b: 1, c: 2, d: 3}\n', removeField(toFieldPath`a.d`))).toBe('a: {b: 1, c: 2}\n');
    expect(json('{"a":1}', removeField(toFieldPath`a`))).toBe('{}');
  });

  test('and nothing changes if it does not exist', () => {
    expect(yaml('a: 1\n', removeField(toFieldPath`b.c`), removeField(toFieldPath`d`))).toBe('a: 1\n');
  });
});

describe('an edit that would change anything else is not applied', () => {
  test.each<[string, string, Edit]>([
    ['a value with aliases', 'a: &x 1\nb: *x\n', setField(toFieldPath`a`, 2)],
    ['a map that comes from an alias', 'a: &x {c: 1}\nb: *x\n', setField(toFieldPath`b.c`, 2)],
    ['a list instead of a scalar', 'a: [1]\n', setField(toFieldPath`a`, 2)],
    ['an item that does not exist', 'a: [1]\n', setField(toFieldPath`a[3].b`, 2)],
    ['a comment between the first field of an item and the next one', '- a: 1\n  # about b\n  b: 2\n', removeField(toFieldPath`[0].a`)],
  ])('%s', (_, text, edit) => {
    expect(yaml(text, edit)).toBeUndefined();
  });
});

test('a field that comes from a merge is added to the map next to the merge', () => {
  expect(yaml('base: &b {x: 1}\na:\n  <<: *b\n  y: 2\n', setField(toFieldPath`a.x`, 3))).toBe(
    'base: &b {x: 1}\na:\n  <<: *b\n  y: 2\n  x: 3\n',
  );
});

const KEY = fc.constantFrom('a', 'b', 'c', 'with-dash', 'dotted.name', 'on');
const LEAF = fc.oneof(
  fc.integer(),
  fc.boolean(),
  fc.constantFrom('25%', 'text', '012', 'two words', '', 'line\nand another\n'),
  fc.constant(null),
);
const { value: TREE } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    LEAF,
    fc.dictionary(KEY, tie('value'), { maxKeys: 4 }),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
}));

function leavesOf(value: unknown, path: readonly PathPart[] = []): (readonly PathPart[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...path, Array.isArray(value) ? Number(key) : key]));
}

/** Adds comments to many lines of a text. */
function addComments(text: string): string {
  return text
    .split('\n')
    .map((line, index) => (index % 3 === 0 && /^[\s-]*[a-z.-]+: \S+$/.test(line) && !/[|>]/.test(line) ? `${line} # ${index}` : line))
    .join('\n');
}

test('any value of any document can be set, and no other line changes', () => {
  const documents = fc
    .dictionary(KEY, TREE, { minKeys: 1, maxKeys: 5 })
    .chain((value) => fc.record({ value: fc.constant(value), leaf: fc.nat(), isCommented: fc.boolean(), indent: fc.constantFrom(2, 4) }));
  fc.assert(
    fc.property(documents, ({ value, leaf, isCommented, indent }) => {
      const plain = stringify(value, { version: '1.1', lineWidth: 0, indent });
      const text = isCommented ? addComments(plain) : plain;
      const leaves = leavesOf(value).filter((path) => path.length > 0);
      fc.pre(leaves.length > 0 && JSON.stringify(parse(text, { version: '1.1' })) === JSON.stringify(value));
      const path = leaves[leaf % leaves.length]!;
      const edit = setField(buildFieldPath(...path), 12_345);
      const written = applyDocumentEdits(text, [edit], false);
      expect(parse(written!, { version: '1.1' })).toEqual(applyEdits(value, [edit]));
      const [before, after] = [text.split('\n'), written!.split('\n')];
      const isLine = (line: string) => after.includes(line);
      // A value with several lines is replaced completely. For all other values one line changes.
      const isText = JSON.stringify(value).includes('line\\n');
      expect(before.filter((line) => !isLine(line)).length).toBeLessThanOrEqual(isText ? 3 : 1);
    }),
  );
});

describe('JSON in the text of a field is edited', () => {
  const configMap = (...deploy: readonly string[]) => ['data: # of KServe', ...deploy, 'other: 1 # as it was', ''].join('\n');
  const rollout = (path: string) => buildFieldPath('data', 'deploy', 'deploymentRolloutStrategy', 'defaultRollout', path);

  test('in a block scalar, and its other lines, its indentation, its header and the blank lines after it stay', () => {
    const text = configMap(
      '  deploy: |- # the platform',
      '      {',
      '        "defaultDeploymentMode":   "Standard",',
      '        "deploymentRolloutStrategy": {',
      '          "defaultRollout": { "mode": "Availability", "maxSurge": 0,',
      '            "maxUnavailable": "25%" }',
      '        }',
      '      }',
      '',
      '',
    );
    expect(yaml(text, removeField(rollout('mode')), setField(rollout('maxSurge'), '0%'))).toBe(
      text.replace('"mode": "Availability", ', '').replace('"maxSurge": 0', '"maxSurge": "0%"'),
    );
  });

  test.each(['|', '|+', '|-', '|2'])('with the header %s, and with LF and CR LF', (header) => {
    const text = configMap(`  deploy: ${header}`, '    {"defaultDeploymentMode": "standard"}', '', '');
    const expected = text.replace('"standard"', '"Standard"');
    const edit = setField(toFieldPath`data[deploy].defaultDeploymentMode`, 'Standard');
    expect(yaml(text, edit)).toBe(expected);
    expect(yaml(text.replaceAll('\n', '\r\n'), edit)).toBe(expected.replaceAll('\n', '\r\n'));
  });

  test('in quotes, and in a JSON manifest', () => {
    const edit = setField(toFieldPath`data[deploy].a`, '25%');
    expect(yaml(`data: {deploy: '{"a": 1, "b": "it''s"}'}\n`, edit)).toBe(`data: {deploy: '{"a": "25%", "b": "it''s"}'}\n`);
    expect(json(String.raw`{"data": {"deploy": "{\"a\": 1}"}, "b": 2}`, edit)).toBe(
      String.raw`{"data": {"deploy": "{\"a\": \"25%\"}"}, "b": 2}`,
    );
  });

  test('in a folded scalar, which is then quoted on one line', () => {
    expect(yaml('data:\n  deploy: >-\n    {"a":\n    1}\n', setField(toFieldPath`data[deploy].a`, 2))).toBe(
      `data:\n  deploy: '{"a": 2}'\n`,
    );
  });

  test('but not if the text is not a JSON object', () => {
    expect(yaml('data:\n  deploy: |-\n    [1]\n', setField(toFieldPath`data[deploy].a`, 2))).toBeUndefined();
  });
});
