import { appendFileSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { ROOT_PATH } from '../../src/core/field-path';
import { ChangedFileError, isChunked, fileTextOf } from '../../src/input/file-content';
import type { FileContent, TextChunk, ChunkedText } from '../../src/input/file-content';
import { splitIntoChunks } from '../../src/input/pieces';
import { readFiles } from '../../src/input/read';
import { readPath } from '../../src/input/read-paths';
import { planInput } from '../../src/plan/plan';
import { folderWith } from '../folder';
import { recorded } from '../upstream/recording';

/** A text that is read piece by piece, so many bytes at once; undefined where it is read as a whole. */
function inPieces(text: string, atOnce: number): ChunkedText | undefined {
  const bytes = Buffer.from(text);
  const pieces = splitIntoChunks(bytes.length, (at, end) => bytes.subarray(at, end), atOnce);
  const read = ({ bytes: { at, end } }: TextChunk) => bytes.subarray(at, end).toString();
  return pieces && { length: bytes.length, pieces, read, whole: () => fileTextOf(bytes), includes: (word) => text.includes(word) };
}

function textsOf(text: string, atOnce: number): string[] | undefined {
  const content = inPieces(text, atOnce);
  return content?.pieces.map((piece) => content.read(piece));
}

/** All that is read of a file: its objects, where each of them and its name stand, and what there is to say of it. */
function readingOf(content: FileContent): unknown {
  const { objects, findings, locations } = readFiles([{ file: 'app.yaml', content, given: { path: 'app.yaml', as: 'file' } }]);
  const places = objects.map((object) => {
    const { chunk, trail } = locations.positionOf(object)!;
    const [whole, name] = [ROOT_PATH, 'metadata.name'].map((field) => locations.locate(object, field));
    return { chunk, trail, whole, name, text: locations.textOf(object)!.textOf(chunk) };
  });
  return { objects, findings, places };
}

describe('a piece ends at the last separator of what is read at once', () => {
  test('which is in neither of the pieces around it', () => {
    expect(textsOf('a: 1\n---\nb: 2\n---\nc: 3\n', 16)).toEqual(['a: 1\n', 'b: 2\n', 'c: 3\n']);
    expect(textsOf('a: 1\n---\nb: 2\n---\nc: 3\n', 20)).toEqual(['a: 1\n---\nb: 2\n', 'c: 3\n']);
  });

  test.each([
    ['with a comment', '--- # next\n', ['a: 1\n', 'b: 2\n']],
    ['with a line end of Windows', '---\r\n', ['a: 1\n', 'b: 2\n']],
    ['that is none, since a document begins on it', '--- b\n', ['a: 1\n--- b\nb: 2\n']],
    ['behind another one, which stays with its document', '---\n---\n', ['a: 1\n', '---\nb: 2\n']],
    ['further in, which is text', '  ---\n', ['a: 1\n  ---\nb: 2\n']],
  ])('%s', (_, separator, expected) => {
    expect(textsOf(`a: 1\n${separator}b: 2\n`, 4)).toEqual(expected);
  });

  test.each([
    ['JSON', '{"a": 1}\n---\nb: 2\n'],
    ['what may be JSON behind its blanks', `${' '.repeat(16)}{"a": 1}\n---\nb: 2\n`],
    ['what may be JSON behind blanks of Go', `${'\u0085\u2003\u3000'.repeat(3)}{"a": 1}\n---\nb: 2\n`],
    ['one that goes on for 16 MB without a separator', `a: ${'x'.repeat(16 * 1024 * 1024)}\n---\nb: 2\n`],
  ])('%s is read as a whole', (_, text) => {
    expect(textsOf(text, Math.max(16, text.length / 64))).toBeUndefined();
  });
});

test('bytes that are no UTF-8 are read as a whole, wherever they stand', () => {
  const bytes = (text: string) => Buffer.from(text, 'latin1');
  const piecesIn = (text: string) => splitIntoChunks(text.length, (at, end) => bytes(text).subarray(at, end), 8)?.length;
  expect(piecesIn('a: 1\n---\nb: 2\n---\nc: 3\n')).toBe(3);
  for (const text of ['a: \u00e9\n---\nb: 2\n', 'a: 1\n---\u00a0\nb: 2\n', 'a: 1\n--- # \u00e9\nb: 2\n', 'a: 1\n---\nb: \u00e9\n'])
    expect({ text, pieces: piecesIn(text) }).toEqual({ text, pieces: undefined });
});

test('a number is found as it is written, in whichever piece it stands', () => {
  const document = (digits: string) => `kind: ConfigMap\napiVersion: v1\ndata: ${digits}\n`;
  const content = inPieces(['1e23', '12345678901234567890123', '1.0e23'].map(document).join('---\n'), 60)!;
  const { objects, locations } = readFiles([{ file: 'app.yaml', content }]);
  const written = objects.map((object) => locations.textOf(object)!.numberAt(locations.locate(object, 'data')!, object.data as number));
  expect([content.pieces.length, written]).toEqual([3, ['1e23', '12345678901234567890123', '1.0e23']]);
});

const DOCUMENTS = [
  'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n',
  'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\nmetadata: {name: c}\n',
  'apiVersion: v1\nkind: ConfigMap\nmetadata: &m {name: d}\ndata: *m\n',
  'apiVersion: v1\nkind: List\nitems:\n  - apiVersion: v1\n    kind: Secret\n    metadata: {name: e}\n  - 1\n',
  'kind: |\n  a\n\n\n',
  'torn: [\n',
  '"text"\n',
  '{"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "f"}}\n',
  '# nothing but a comment\n',
  '\n\n',
  'a: 1\r\nb:\t2\r\n',
  'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "né"} # ü\n',
  '\ufeff# 名前 😀\u2028\napiVersion: v1\nkind: Secret\nmetadata: {name: g, annotations: {a: "😀"}}\n',
  'kind: é\u00a0\ntorn: [ö\n',
];
const SEPARATORS = [
  '---\n',
  '---\n',
  '---\r\n',
  '--- # a comment\n',
  '---\n---\n',
  '--- a: 1\n',
  '---x\n',
  '\n---\n\n',
  '...\n---\n',
  '--- # né 😀\n',
  '---\u00a0\n',
  '---\u0085\n',
  '---\u2003# a\n',
];

test('a text has the same objects, places and findings, read piece by piece or as a whole', () => {
  const text = fc
    .array(fc.tuple(fc.constantFrom(...DOCUMENTS), fc.constantFrom(...SEPARATORS)), { minLength: 1, maxLength: 12 })
    .map((parts) => parts.map((part) => part.join('')).join(''));
  fc.assert(
    fc.property(text, fc.constantFrom('', '', '\ufeff'), fc.integer({ min: 1, max: 300 }), (documents, mark, atOnce) => {
      const given = mark + documents;
      const content = inPieces(given, atOnce);
      fc.pre(content !== undefined);
      expect(readingOf(content)).toEqual(readingOf(given));
    }),
    { numRuns: 1_000 },
  );
});

const OBJECT = 'apiVersion: v1\nkind: Secret\nmetadata: {name: x}\n';

test('so have the texts of which is recorded what kubectl reads, among others', () => {
  const cases = recorded('kubectl-yaml') as readonly { readonly text: string }[];
  const read = cases.flatMap(({ text }) => {
    const among = `${OBJECT}---\n${text.endsWith('\n') ? text : `${text}\n`}---\n${OBJECT}`;
    const content = inPieces(among, OBJECT.length + 8);
    return content ? [{ content, among }] : [];
  });
  expect(read.length).toBeGreaterThan(cases.length / 2);
  expect(read.map(({ content }) => readingOf(content))).toEqual(read.map(({ among }) => readingOf(among)));
});

describe('a large file', () => {
  const document = (index: number) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c-${index}}\ndata: {text: ${'x'.repeat(8_000)}}\n`;
  const text = `# né\n${Array.from({ length: 1_200 }, (_, index) => document(index)).join('---\n')}`;
  const read = (folder: string) => [...readPath('large.yaml', folder, { inPieces: true })];

  test('is read so where that is asked for, as any other is read', () => {
    const folder = folderWith({ 'large.yaml': text });
    try {
      const [file] = read(folder.path);
      const [held] = [...readPath('large.yaml', folder.path)];
      if (!file || !held || !('content' in file) || !('content' in held)) throw new Error('it was not read');
      expect([isChunked(file.content), isChunked(held.content)]).toEqual([true, false]);
      expect(readingOf(file.content)).toEqual(readingOf(held.content));
    } finally {
      folder.remove();
    }
  });

  test('that is changed while it is read is told of, and nothing is planned of it', () => {
    const folder = folderWith({ 'large.yaml': text });
    try {
      const { objects, locations } = readFiles(read(folder.path), { readsAgain: () => true });
      appendFileSync(path.join(folder.path, 'large.yaml'), '# changed\n');
      const changed = new ChangedFileError('large.yaml');
      expect(() => locations.locate(objects[0]!, 'metadata')).toThrow(changed);
      const deployment = { apiVersion: 'apps/v1', kind: 'Deployment' };
      expect(() => planInput({ objects: [deployment], whole: () => locations.whole(objects[600]!) })).toThrow(changed);
    } finally {
      folder.remove();
    }
  });
});
