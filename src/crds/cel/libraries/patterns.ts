import type { CelFunc } from '@bufbuild/cel';
import type * as Re2 from 're2js';
import type { FunctionKit } from './function-kit';
import { countCompileTicks, countSearchTicks, exceedsPatternLimit } from '../../pattern-size';
import { MAX_PARSED_LENGTH } from './parsed-length';

/** Creates the functions of regular expressions. */
export function createPatternFunctions(
  { limits: { tick, rejectPattern }, types: { INT, STRING }, method }: FunctionKit,
  { RE2JS }: typeof Re2,
): CelFunc[] {
  /** Returns the matches of a pattern. An empty match directly after another match does not count, as in Go. */
  function findMatches(text: string, pattern: string, maxCount: bigint): string[] {
    if (pattern.length > MAX_PARSED_LENGTH) rejectPattern();
    const compiled = RE2JS.compile(pattern);
    if (exceedsPatternLimit(compiled, text)) rejectPattern();
    // Each search may read the rest of the text, also the last one, which finds nothing.
    const steps = countSearchTicks(compiled, text);
    tick(countCompileTicks(compiled) + steps);
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

  const patterns = [
    method('find', STRING, [STRING], (text: string, pattern: string) => findMatches(text, pattern, 1n)[0] ?? ''),
    method('findAll', STRING, [STRING], (text: string, pattern: string) => findMatches(text, pattern, -1n)),
    method('findAll', STRING, [STRING, INT], findMatches),
  ];

  return patterns;
}
