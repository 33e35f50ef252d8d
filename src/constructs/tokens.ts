import type { IConstruct } from 'constructs';
import { parseFieldPath } from '../core/manifest/field-path';
import type { FieldPath } from '../core/manifest/field-path';
import { joinWords } from '../core/text/text-format';
import { formatTokenRefusal, listTokenPaths } from '../props/tokens';

/** Paths of the tokens in the props of each construct. */
const TOKEN_PATHS = new WeakMap<IConstruct, readonly FieldPath[]>();

/** Remembers the tokens in the props of a construct, for the errors about them. */
export function recordTokens(construct: IConstruct, props: unknown): void {
  const paths = listTokenPaths(props);
  if (paths.length > 0) TOKEN_PATHS.set(construct, paths);
}

/** Returns the path that an error line is about: `predictor.model` of `[kserve/invalid-service] predictor.model: …`. */
function pathOfLine(line: string): string {
  return /^(?:\[[^\]]+\] )?(.*?)(?::? |$)/.exec(line)?.[1] ?? '';
}

/** Reports whether a path is that of a token or of something in it. A rule may write a label as `labels[tier]`, and a path as `labels.tier`. */
function isAtOrBelow(path: string, token: FieldPath): boolean {
  const [parts, parentParts] = [path, token].map((each) => parseFieldPath(each)) as [(string | number)[], (string | number)[]];
  return parentParts.every((part, index) => String(parts[index]) === String(part));
}

/** How a message shows a token that it read as a plain value. */
const DESCRIBED_TOKEN = /an instance of a class|\{\\?"produce/;

/**
 * Replaces the error lines about a token, or about what is in it, by one line that says that its value was needed too early. A check that reads
 * a token finds a map without the expected fields. A line that has the token under another path gets the paths of all tokens.
 */
export function explainTokenLines(construct: IConstruct, lines: readonly string[]): readonly string[] {
  const paths = TOKEN_PATHS.get(construct);
  if (!paths) return lines;
  const explained = lines.map((line) => {
    // A Serve config has its own message, which says why.
    if (line.includes('is a token')) return line;
    const linePath = pathOfLine(line);
    const token = paths.find((path) => isAtOrBelow(linePath, path));
    if (token !== undefined) return formatTokenRefusal(token);
    if (!DESCRIBED_TOKEN.test(line)) return line;
    return `${line.replace(/\.$/, '')}; a Lazy value is known only at synth, so write the plain value of ${joinWords(paths, 'or')}`;
  });
  return [...new Set(explained)];
}
