import ts from 'typescript-5-9';
import { findNodes } from './source-files';

function isDynamicPattern(node: ts.Node): node is ts.CallExpression | ts.NewExpression {
  return (ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp';
}

test('no pattern is built from text, which could be input: each is a literal in the sources', () => {
  expect(findNodes(isDynamicPattern).map(({ node, place }) => `${place}: ${node.getText()}`)).toEqual([]);
});

/** Parses a pattern literal: `/a+/g`. */
function patternOf(literal: string): RegExp {
  const end = literal.lastIndexOf('/');
  return new RegExp(literal.slice(1, end), literal.slice(end + 1));
}

/** Returns texts that a pattern may match: words and characters of its source, and some characters of each class. */
function atomsOf(source: string): string[] {
  const plain = source.replaceAll(/\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|\\[a-zA-Z0]/g, '').replaceAll('\\', '');
  const expanded = source
    .replaceAll(/\\[dw]/g, '1')
    .replaceAll('\\', '')
    .replaceAll(/(\w)\{(\d\d?)[^}]*\}/g, (_, character: string, count: string) => character.repeat(Number(count)));
  const words = [plain, expanded].flatMap((text) => text.match(/[\w./:-]{2,}/g) ?? []);
  const characters = plain.match(/[^\w\s]/g) ?? [];
  return [...new Set([...words, ...characters, 'a', 'A', '1', ' ', '-', '.', '/', '\n', '\r', '\t', '"', '\u2028'])];
}

/** Returns functions that write a text of a length that almost matches a pattern: one or two atoms repeated, and something else at an end. */
function hostileTexts(source: string): ((length: number) => string)[] {
  const atoms = atomsOf(source);
  const units = atoms.flatMap((first) => atoms.map((second) => (first === second ? first : first + second)));
  const starts = ['', ...(source.match(/[\w.]{3,}/g) ?? [])];
  const ends = [...starts.map((start): [string, string] => [start, '']), ['', '!'], ['', '\n']] as const;
  return [...new Set(units)].flatMap((unit) =>
    ends.map(
      ([start, end]) =>
        (length: number) =>
          start + unit.repeat(Math.ceil(length / unit.length)) + end,
    ),
  );
}

function millisecondsFor(pattern: RegExp, text: string): number {
  const begin = process.hrtime.bigint();
  pattern.lastIndex = 0;
  if (pattern.global) text.replaceAll(pattern, '');
  else pattern.test(text);
  return Number(process.hrtime.bigint() - begin) / 1e6;
}

/** Returns the minimum of several measurements, since the machine may be busy. */
function minMilliseconds(pattern: RegExp, text: string, enough: number): number {
  let found = Infinity;
  for (let turn = 0; turn < 5 && found > enough; turn++) found = Math.min(found, millisecondsFor(pattern, text));
  return found;
}

/**
 * A linear pattern takes some hundredths of a millisecond for 6,000 characters, a quadratic one more than twenty milliseconds, or some if matches
 * begin at few characters. Exponential patterns are found with 25 characters; they would not finish with more. A text on which a pattern takes no
 * longer than `enough` is not tried with more characters.
 */
const LENGTHS = [
  { length: 25, enough: 8 },
  { length: 500, enough: 0.004 },
  { length: 6_000, enough: 0.5 },
  { length: 40_000, enough: 8 },
] as const;
const MAX_MILLISECONDS = 8;

/** Tells whether twice the characters take about four times as long, not two: a busy machine makes both measurements slow. */
function isQuadratic(pattern: RegExp, write: (length: number) => string, length: number): boolean {
  if (length === 25) return true;
  return minMilliseconds(pattern, write(2 * length), 0) > 3 * minMilliseconds(pattern, write(length), 0);
}

const patterns = new Map(findNodes(ts.isRegularExpressionLiteral).map(({ node, place }) => [node.text, place] as const));

describe('every pattern of the sources matches hostile text in linear time', () => {
  test.each([...patterns])('%s', (literal) => {
    const pattern = patternOf(literal);
    let texts = hostileTexts(pattern.source);
    for (const { length, enough } of LENGTHS) {
      const timed = texts.map((write) => ({ write, milliseconds: minMilliseconds(pattern, write(length), enough) }));
      const slow = timed
        .filter(({ write, milliseconds }) => milliseconds > MAX_MILLISECONDS && isQuadratic(pattern, write, length))
        .map(({ write }) => write(length));
      expect(slow.map((text) => `${JSON.stringify(text.slice(0, 40))}… ${JSON.stringify(text.slice(-3))}`)).toEqual([]);
      if (length > 25) texts = timed.filter(({ milliseconds }) => milliseconds > enough).map(({ write }) => write);
    }
  });
});

/** Matches repeated groups, which use limited stack space for each repetition. */
const REPEATS_GROUP = /\)(?:[*+]|\{\d+,\})/;

test('no pattern with a repeated group runs out of stack space for a text of 8,000,000 characters', () => {
  const failing = [...patterns.keys()]
    .filter((literal) => REPEATS_GROUP.test(literal))
    .filter((literal) => {
      const pattern = patternOf(literal);
      const texts = ['a', '1', 'a.', '1s', '\\n'].flatMap((unit) => [unit, `"${unit}`].map((text) => text.repeat(8_000_000 / unit.length)));
      return texts.some((text) => {
        try {
          millisecondsFor(pattern, text);
          return false;
        } catch {
          return true;
        }
      });
    });
  expect(failing).toEqual([]);
});
