import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { hasOnlyCommonCharacters, readFast } from '../../src/input/fast-yaml';
import { readDocument } from '../../src/input/yaml-document';
import type { FieldOffsets } from '../../src/input/yaml-document';
import { recorded } from '../upstream/recording';

/** What the fast reader makes of a text, with the places of all that it holds; undefined where it leaves it to the other one. */
function fast(text: string): { value: unknown; at: number; places: unknown } | undefined {
  const offsets = new Map<object, FieldOffsets>();
  const read = hasOnlyCommonCharacters(text) ? readFast(text, 0, text.length, offsets) : undefined;
  return read && { value: read.value, at: read.value === null ? 0 : read.at, places: placesIn(read.value, offsets) };
}

function whole(text: string): { value: unknown; at: number; places: unknown; duplicates: number } {
  const { value, at, offsets, duplicateKeys } = readDocument(text);
  return { value, at: value === null ? 0 : at, places: placesIn(value, offsets), duplicates: duplicateKeys.length };
}

function placesIn(value: unknown, offsets: ReadonlyMap<object, FieldOffsets>): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return [{ ...offsets.get(value) }, Object.values(value).map((inner) => placesIn(inner, offsets))];
}

const isFast = (text: string) => fast(text) !== undefined;

describe('the fast reader takes manifests as they are commonly written', () => {
  test.each([
    ['maps and lists, level with their key or further in', 'a:\n- b: 1\n  c:\n    - d\n    - - e\n', { a: [{ b: 1, c: ['d', ['e']] }] }],
    [
      'scalars of all sorts',
      'a: yes\nb: 0777\nc: 1.5\nd: 25%\ne: ~\nf:\ng: -1\nh: 2001-01-01\n',
      { a: true, b: 511, c: 1.5, d: '25%', e: null, f: null, g: -1, h: '2001-01-01' },
    ],
    ['quotes, with escapes that JSON has too', `a: "x\\n\\u0041"\nb: 'it''s' # c\n"c": ''\n`, { a: 'x\nA', b: "it's", c: '' }],
    ['scalars over several lines', `a: x\n  y\n\n  z\nb: 'x\n  y'\nc: "x\n\n  y"\n`, { a: 'x y\nz', b: 'x y', c: 'x\ny' }],
    [
      'blocks of text',
      'a: |\n  x\n   y\n\n  z\n\nb: >-\n  x\n  y\n\n  z\n   k\nc: |+\n  x\n\n',
      { a: 'x\n y\n\nz\n', b: 'x y\nz\n k', c: 'x\n\n' },
    ],
    ['brackets on one line', 'a: [1, "b", {c: d}]\nb: {}\nc: {"x": [], z: 1}\n', { a: [1, 'b', { c: 'd' }], b: {}, c: { x: [], z: 1 } }],
    ['comments, empty lines and Windows line ends', '--- # x\r\n# y\r\na: 1 # z\r\n\r\nb: x\r\n  y\r\n', { a: 1, b: 'x y' }],
    ['nothing at all', '# c\n\n', null],
  ])('%s', (_, text, value) => {
    expect(fast(text)?.value).toEqual(value);
    expect(fast(text)).toEqual(expect.objectContaining({ at: whole(text).at, places: whole(text).places }));
  });
});

describe('it leaves to the reader of all of YAML what is not certain', () => {
  test.each([
    ['an anchor', 'a: &x 1\n'],
    ['an alias', 'a: *x\n'],
    ['a tag', 'a: !!str 1\n'],
    ['a merge key', '<<: {a: 1}\n'],
    ['a key that is no text', 'yes: 1\n'],
    ['a key that stands twice', 'a: 1\na: 2\n'],
    ['the name of what every object has', '__proto__: 1\n'],
    ['a key with a question mark', '? a\n: 1\n'],
    ['an escape that JSON lacks', 'a: "\\e"\n'],
    ['half a surrogate pair', 'a: "\\ud83d"\n'],
    ['brackets over several lines', 'a: [1,\n  2]\n'],
    ['a block with an indentation of its own', 'a: |2\n    x\n'],
    ['a tab', 'a:\tb\n'],
    ['a line that is out of place', 'a:\n    b: 1\n  c: 2\n'],
    ['two colons', 'a: b: c\n'],
    ['text that is no map and no list', 'text\n'],
    ['text behind quotes', 'a: "b" c\n'],
    ['the end of the document', 'a: 1\n...\n'],
    ['a directive', '%YAML 1.1\n'],
    ['a line end that an editor does not show', 'a: 1 # c\u0085b: 2\n'],
    ['a carriage return alone', 'a: 1\rb: 2\n'],
    ['characters beyond U+FFFF', 'a: \u{1f600}\n'],
    ['a byte order mark', '\ufeffa: 1\n'],
  ])('%s', (_, text) => {
    expect(isFast(text)).toBe(false);
  });
});

/** The text files below a folder of the repository. */
function textsBelow(folder: string, ending: string): string[] {
  const files = readdirSync(join(__dirname, '../..', folder), { withFileTypes: true, recursive: true });
  return files
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
}

const texts = (recorded('kubectl-yaml') as readonly { readonly text: string }[]).map(({ text }) => text);
const examples = textsBelow('docs', '.md').flatMap((page) => Array.from(page.matchAll(/```yaml\n(.*?)```/gs), ([, text]) => text!));

/** YAML as this repository has it: in its pages, where one example may show several files, and among the texts that kubectl was asked about. */
const TEXTS = [...texts, ...examples]
  .flatMap((text) => text.split(/^---.*\n|^# \S+\.yaml\n/m))
  .map((text) => (text.endsWith('\n') ? text : `${text}\n`));

const LINES = [...new Set(TEXTS.flatMap((text) => text.split('\n')))];

/** Whatever the fast reader takes, both read the same, at the same places, and no key stands twice. */
function isSame(text: string): boolean {
  const read = fast(text);
  if (!read) return true;
  expect({ text, ...read, duplicates: 0 }).toEqual({ text, ...whole(text) });
  return true;
}

test('it takes most of the manifests of this repository, and reads them as the reader of all of YAML does', () => {
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

function changed(text: string, by: { put?: string; cut?: number; line?: string; indent?: number; at: number }): string {
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

test('however manifests are mutilated, what it takes is read as the reader of all of YAML reads it', () => {
  fc.assert(
    fc.property(fc.constantFrom(...TEXTS), fc.array(change, { minLength: 1, maxLength: 3 }), (text, changes) => {
      const mutated = changes.reduce(changed, text);
      expect(isSame(mutated.endsWith('\n') ? mutated : `${mutated}\n`)).toBe(true);
    }),
    { numRuns: 3_000 },
  );
});
