/**
 * Maximum depth of maps and lists in one value of the input. Functions that call themselves for each level need it: Node.js has a stack of
 * about a megabyte, and how many calls fit depends on what V8 has compiled at that moment.
 */
export const MAX_LEVELS = 1_000;

/** Reports whether a value has more levels of maps and lists than a limit. */
export function exceedsLevels(value: unknown, limit: number = MAX_LEVELS): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (limit === 0) return true;
  if (Array.isArray(value)) {
    for (const item of value) if (exceedsLevels(item, limit - 1)) return true;
    return false;
  }
  for (const name in value) if (exceedsLevels((value as Readonly<Record<string, unknown>>)[name], limit - 1)) return true;
  return false;
}

/**
 * Parses JSON of the input, which may be hostile.
 *
 * @throws SyntaxError for a text that is not JSON, or that has more than 1,000 levels
 */
export function parseLimitedJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  // Each level has two brackets.
  if (text.length > 2 * MAX_LEVELS && exceedsLevels(value)) throw new SyntaxError(`it is nested more than ${MAX_LEVELS} levels deep`);
  return value;
}
