import { formatDocumentProblem } from '../../src/core/input-problem';
import { DocumentText } from '../../src/input/document';
import { DocumentError } from '../../src/input/document-error';
import { recorded } from './recording';

interface Reading {
  readonly topic: string;
  readonly text: string;
  /** The documents before the first error, empty ones left out. */
  readonly documents: readonly unknown[];
  readonly error?: string;
}

const readings = recorded('kubectl-yaml') as readonly Reading[];

/** Our reading in kubectl's terms: it stops at the first error, where we go on. */
function ours(text: string): { documents: unknown[]; error: string | undefined } {
  const documents: unknown[] = [];
  const file = new DocumentText(text.startsWith('\ufeff') ? text.slice(1) : text);
  for (const chunk of file.chunks()) {
    if ('problem' in chunk) return { documents, error: formatDocumentProblem(chunk.problem) };
    try {
      const { value } = file.valueOf(chunk);
      if (value !== null) documents.push(value);
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      return { documents, error: error.message };
    }
  }
  return { documents, error: undefined };
}

/** kubectl's documents come with their keys in order. */
function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortedKeys(inner)]));
}

function isSame({ text, documents, error }: Reading): boolean {
  const read = ours(text);
  return (
    (read.error === undefined) === (error === undefined) &&
    JSON.stringify(sortedKeys(read.documents)) === JSON.stringify(sortedKeys(documents))
  );
}

/** Where we part from kubectl, on purpose. */
const DEPARTURES: Readonly<Record<string, readonly string[]>> = {
  'infinities and NaN are read, so that a finding can name the field; kubectl cannot hand them on': readings
    .filter(({ error }) => error?.includes('unsupported value'))
    .map(({ text }) => text),
  'the documents before a broken separator are read': ['a: 1\n---b: 2\n', 'a: 1\n----\nb: 2\n', 'a: 1\n---\tb\n'],
  'what kubectl drops without a word behind the first value of a document is an error': [' a: 1\nb: 2\n', "'a':1\n", '"a":1\n'],
  'text behind the value of a document, which kubectl drops without a word, is an error in brackets and blocks too': [
    '|\nx\n',
    '>\nx\ny\n',
    '[]: a\n',
  ],
  'a directive, which ends a document, is an error': ['---\n%YAML 1.1\n', 'a: 1\n%YAML 1.1\n'],
  'a byte order mark that is not at the start, behind which kubectl may lose characters, is an error': [
    'a: \ufeffb\n',
    'a: 1\n\ufeffb: 2\n',
  ],
  'half a surrogate pair in JSON is U+FFFD, as it is once kubectl has decoded the object': ['{"a": "\\ud800"}'],
};

describe('YAML and JSON that kubectl 1.34 read', () => {
  test('comes to the same documents, and fails where it fails', () => {
    const departing = new Set(Object.values(DEPARTURES).flat());
    const different = readings.filter((reading) => !departing.has(reading.text) && !isSame(reading));
    expect(different.map((reading) => ({ ...reading, ours: ours(reading.text) }))).toEqual([]);
  });

  test.each(Object.entries(DEPARTURES))('but %s', (_, texts) => {
    expect(texts).not.toEqual([]);
    expect(readings.filter((reading) => texts.includes(reading.text) && isSame(reading))).toEqual([]);
  });
});
