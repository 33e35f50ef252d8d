import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { hasOnlyCommonCharacters, readFast } from '../../../src/input/yaml/fast-reader';
import { readDocument } from '../../../src/input/yaml/full-reader';
import type { FieldOffsets } from '../../../src/input/yaml/parsed-document';
import { recorded } from '../../upstream/recording';
import { scaleRuns } from '../../setup/scale-runs';

/** Reads a text with the fast reader, with the offsets of all fields. Returns undefined if it needs the full reader. */
function readWithFastReader(text: string): { value: unknown; at: number; offsets: unknown } | undefined {
  const offsets = new Map<object, FieldOffsets>();
  const read = hasOnlyCommonCharacters(text) ? readFast(text, 0, text.length, offsets) : undefined;
  return read && { value: read.value, at: read.value === null ? 0 : read.at, offsets: listOffsets(read.value, offsets) };
}

function readWithFullReader(text: string): { value: unknown; at: number; offsets: unknown; duplicates: number } {
  const { value, at, offsets, duplicateKeys } = readDocument(text);
  return { value, at: value === null ? 0 : at, offsets: listOffsets(value, offsets), duplicates: duplicateKeys.length };
}

function listOffsets(value: unknown, offsets: ReadonlyMap<object, FieldOffsets>): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return [{ ...offsets.get(value) }, Object.values(value).map((inner) => listOffsets(inner, offsets))];
}

const isFast = (text: string) => readWithFastReader(text) !== undefined;

describe('the fast reader supports commonly written manifests', () => {
  test.each([
    [
      'maps and lists, at the column of their key or indented',
      'a:\n- b: 1\n  c:\n    - d\n    - - e\n',
      { a: [{ b: 1, c: ['d', ['e']] }] },
    ],
    [
      'scalars of all types',
      'a: yes\nb: 0777\nc: 1.5\nd: 25%\ne: ~\nf:\ng: -1\nh: 2001-01-01\n',
      { a: true, b: 511, c: 1.5, d: '25%', e: null, f: null, g: -1, h: '2001-01-01' },
    ],
    ['quotes, with escapes of JSON', `a: "x\\n\\u0041"\nb: 'it''s' # c\n"c": ''\n`, { a: 'x\nA', b: "it's", c: '' }],
    ['scalars on several lines', `a: x\n  y\n\n  z\nb: 'x\n  y'\nc: "x\n\n  y"\n`, { a: 'x y\nz', b: 'x y', c: 'x\ny' }],
    [
      'block scalars',
      'a: |\n  x\n   y\n\n  z\n\nb: >-\n  x\n  y\n\n  z\n   k\nc: |+\n  x\n\n',
      { a: 'x\n y\n\nz\n', b: 'x y\nz\n k', c: 'x\n\n' },
    ],
    ['brackets on one line', 'a: [1, "b", {c: d}]\nb: {}\nc: {"x": [], z: 1}\n', { a: [1, 'b', { c: 'd' }], b: {}, c: { x: [], z: 1 } }],
    ['comments, empty lines and Windows line breaks', '--- # x\r\n# y\r\na: 1 # z\r\n\r\nb: x\r\n  y\r\n', { a: 1, b: 'x y' }],
    ['an empty document', '# c\n\n', null],
  ])('%s', (_, text, value) => {
    const { at, offsets } = readWithFullReader(text);
    expect(readWithFastReader(text)?.value).toEqual(value);
    expect(readWithFastReader(text)).toEqual(expect.objectContaining({ at, offsets }));
  });
});

describe('the fast reader leaves other syntax to the full reader', () => {
  test.each([
    ['an anchor', 'a: &x 1\n'],
    ['an alias', 'a: *x\n'],
    ['a tag', 'a: !!str 1\n'],
    ['a merge key', '<<: {a: 1}\n'],
    ['a key that is not text', 'yes: 1\n'],
    ['a duplicate key', 'a: 1\na: 2\n'],
    ['an inherited name', '__proto__: 1\n'],
    ['a key with a question mark', '? a\n: 1\n'],
    ['an escape that JSON lacks', 'a: "\\e"\n'],
    ['half a surrogate pair', 'a: "\\ud83d"\n'],
    ['brackets on several lines', 'a: [1,\n  2]\n'],
    ['a block with an explicit indentation', 'a: |2\n    x\n'],
    ['a tab', 'a:\tb\n'],
    ['a line with wrong indentation', 'a:\n    b: 1\n  c: 2\n'],
    ['two colons', 'a: b: c\n'],
    ['text that is neither a map nor a list', 'text\n'],
    ['text after quotes', 'a: "b" c\n'],
    ['the end of the document', 'a: 1\n...\n'],
    ['a directive', '%YAML 1.1\n'],
    ['a line break that editors do not show', 'a: 1 # c\u0085b: 2\n'],
    ['a single carriage return', 'a: 1\rb: 2\n'],
    ['characters beyond U+FFFF', 'a: \u{1f600}\n'],
    ['a byte order mark', '\ufeffa: 1\n'],
  ])('%s', (_, text) => {
    expect(isFast(text)).toBe(false);
  });
});

/** Reads the text files of a folder of the repository. */
function textsBelow(folder: string, ending: string): string[] {
  const files = readdirSync(join(__dirname, '../../..', folder), { withFileTypes: true, recursive: true });
  return files
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
}

const texts = (recorded('kubectl-yaml') as readonly { readonly text: string }[]).map(({ text }) => text);
const examples = textsBelow('docs', '.md').flatMap((page) => Array.from(page.matchAll(/```yaml\n(.*?)```/gs), ([, text]) => text!));

/** YAML of this repository: the examples of its pages, which may show several files, and the recorded inputs of kubectl. */
const TEXTS = [...texts, ...examples]
  .flatMap((text) => text.split(/^---.*\n|^# \S+\.yaml\n/m))
  .map((text) => (text.endsWith('\n') ? text : `${text}\n`));

const LINES = [...new Set(TEXTS.flatMap((text) => text.split('\n')))];

/** Asserts that both readers return the same value and offsets, and no duplicate keys, if the fast reader supports a text. */
function isSame(text: string): boolean {
  const read = readWithFastReader(text);
  if (!read) return true;
  expect({ text, ...read, duplicates: 0 }).toEqual({ text, ...readWithFullReader(text) });
  return true;
}

test('the fast reader supports most manifests of this repository, and reads them as the full reader does', () => {
  expect(TEXTS.every(isSame)).toBe(true);
  const manifests = TEXTS.filter((text) => text.includes('apiVersion:'));
  expect(manifests.filter(isFast).length).toBeGreaterThan(manifests.length * 0.8);
});

const PARTS = [
  '- ',
  '  ',
  '\n',
  ': ',
  ':',
  '#',
  ' # c',
  '"',
  "'",
  '|',
  '>',
  '[',
  ']',
  '{',
  '}',
  ',',
  '\t',
  '\r\n',
  '&x ',
  '*x',
  '!!str ',
  '<<',
  '? ',
  '\\',
  'yes',
  '1',
];

const change = fc.oneof(
  fc.record({ put: fc.constantFrom(...PARTS), at: fc.nat() }),
  fc.record({ cut: fc.integer({ min: 1, max: 4 }), at: fc.nat() }),
  fc.record({ line: fc.constantFrom(...LINES), at: fc.nat() }),
  fc.record({ indent: fc.integer({ min: -2, max: 3 }), at: fc.nat() }),
);

function applyChange(text: string, by: { put?: string; cut?: number; line?: string; indent?: number; at: number }): string {
  const at = by.at % (text.length + 1);
  if (by.put !== undefined) return text.slice(0, at) + by.put + text.slice(at);
  if (by.cut !== undefined) return text.slice(0, at) + text.slice(at + by.cut);
  const lines = text.split('\n');
  const index = by.at % lines.length;
  if (by.line !== undefined) lines.splice(index, 0, by.line);
  else if (by.indent! < 0) lines[index] = lines[index]!.replace(new RegExp(`^ {1,${-by.indent!}}`), '');
  else lines[index] = ' '.repeat(by.indent!) + lines[index]!;
  return lines.join('\n');
}

test('the fast reader reads mutated manifests as the full reader does, if it supports them', () => {
  fc.assert(
    fc.property(fc.constantFrom(...TEXTS), fc.array(change, { minLength: 1, maxLength: 3 }), (text, changes) => {
      const mutated = changes.reduce(applyChange, text);
      expect(isSame(mutated.endsWith('\n') ? mutated : `${mutated}\n`)).toBe(true);
    }),
    { numRuns: scaleRuns(3_000) },
  );
});
