import { formatDocumentProblem } from '../../src/core/findings/input-problem';
import { DocumentError, DocumentText } from '../../src/input/yaml';
import { recorded } from './recording';

interface Reading {
  readonly topic: string;
  readonly text: string;
  /** The documents before the first error, without empty ones. */
  readonly documents: readonly unknown[];
  readonly error?: string;
}

const readings = recorded('kubectl-yaml') as readonly Reading[];

/** Converts our result to the form of kubectl, which stops at the first error. We continue. */
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

/** Sorts the keys, as kubectl does. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortKeys(inner)]));
}

function isSame({ text, documents, error }: Reading): boolean {
  const read = ours(text);
  return (
    (read.error === undefined) === (error === undefined) && JSON.stringify(sortKeys(read.documents)) === JSON.stringify(sortKeys(documents))
  );
}

/** Intended differences from kubectl. */
const DEPARTURES: Readonly<Record<string, readonly string[]>> = {
  'infinities and NaN are read, so that a finding can name the field; kubectl cannot send them': readings
    .filter(({ error }) => error?.includes('unsupported value'))
    .map(({ text }) => text),
  'the documents before a broken separator are read': ['a: 1\n---b: 2\n', 'a: 1\n----\nb: 2\n', 'a: 1\n---\tb\n'],
  'text after the first value of a document, which kubectl drops silently, is an error': [' a: 1\nb: 2\n', "'a':1\n", '"a":1\n'],
  'text after the value of a document, which kubectl drops silently, is an error in flow and block style too': [
    '|\nx\n',
    '>\nx\ny\n',
    '[]: a\n',
  ],
  'a directive, which ends a document, is an error': ['---\n%YAML 1.1\n', 'a: 1\n%YAML 1.1\n'],
  'a byte order mark that is not at the start, after which kubectl may lose characters, is an error': [
    'a: \ufeffb\n',
    'a: 1\n\ufeffb: 2\n',
  ],
  'half a surrogate pair in JSON is U+FFFD, as after kubectl has decoded the object': ['{"a": "\\ud800"}'],
};

describe('YAML and JSON read by kubectl 1.34', () => {
  test('results in the same documents and fails in the same cases', () => {
    const departing = new Set(Object.values(DEPARTURES).flat());
    const different = readings.filter((reading) => !departing.has(reading.text) && !isSame(reading));
    expect(different.map((reading) => ({ ...reading, ours: ours(reading.text) }))).toEqual([]);
  });

  test.each(Object.entries(DEPARTURES))('differs on purpose: %s', (_, texts) => {
    expect(texts).not.toEqual([]);
    expect(readings.filter((reading) => texts.includes(reading.text) && isSame(reading))).toEqual([]);
  });
});
