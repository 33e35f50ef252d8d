import type { CelFunc } from '@bufbuild/cel';
import type * as Re2 from 're2js';
import type { FunctionKit } from './function-kit';
import { countCompileTicks, countSearchTicks, exceedsPatternLimit } from '../../pattern-size';
import { MAX_PARSED_LENGTH } from './parsed-length';

/** Creates the functions of regular expressions. */
export function createPatternFunctions(
  { limits: { tick, rejectPattern }, types: { INT, STRING }, func, method }: FunctionKit,
  { RE2JS }: typeof Re2,
): CelFunc[] {
  /** Compiles a pattern, and returns it with the steps of one search in a text. */
  function compile(text: string, pattern: string): { readonly compiled: Re2.RE2JS; readonly steps: number } {
    if (pattern.length > MAX_PARSED_LENGTH) rejectPattern();
    const compiled = RE2JS.compile(pattern);
    if (exceedsPatternLimit(compiled, text)) rejectPattern();
    const steps = countSearchTicks(compiled, text);
    tick(countCompileTicks(compiled) + steps);
    return { compiled, steps };
  }

  /** Returns the matches of a pattern. An empty match directly after another match does not count, as in Go. */
  function findMatches(text: string, pattern: string, maxCount: bigint): string[] {
    // Each search may read the rest of the text, also the last one, which finds nothing.
    const { compiled, steps } = compile(text, pattern);
    const matcher = compiled.matcher(text);
    const matches: string[] = [];
    const limit = maxCount < 0n ? Infinity : Number(maxCount);
    let end = -1;
    while (matches.length < limit && matcher.find()) {
      tick(steps);
      const piece = matcher.group() ?? '';
      if (piece !== '' || matcher.start() !== end) matches.push(piece);
      end = matcher.end();
    }
    return matches;
  }

  return [
    // The method is the evaluator's own.
    func('matches', [STRING, STRING], (text: string, pattern: string) => compile(text, pattern).compiled.test(text)),
    method('find', STRING, [STRING], (text: string, pattern: string) => findMatches(text, pattern, 1n)[0] ?? ''),
    method('findAll', STRING, [STRING], (text: string, pattern: string) => findMatches(text, pattern, -1n)),
    method('findAll', STRING, [STRING, INT], findMatches),
  ];
}
