/* Source: apiserver v0.34 pkg/cel/library/semverlib.go, and blang/semver v4, `Parse` and `Compare`. */

export interface SemanticVersion {
  readonly numbers: readonly [bigint, bigint, bigint];
  readonly pre: readonly (bigint | string)[];
}

const VERSION = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([0-9A-Za-z.-]+))?(?:\+([0-9A-Za-z.-]+))?$/;
const MOST = 2n ** 64n - 1n;

/** Undefined for what is none. */
export function semanticVersionOf(text: string): SemanticVersion | undefined {
  const match = VERSION.exec(text);
  if (!match) return undefined;
  const numbers = match.slice(1, 4).map(BigInt) as [bigint, bigint, bigint];
  const [identifiers = [], build = []] = match.slice(4).map((part) => part?.split('.'));
  if ([...identifiers, ...build].includes('') || identifiers.some((each) => /^0\d+$/.test(each))) return undefined;
  const pre = identifiers.map((each) => (/^\d+$/.test(each) ? BigInt(each) : each));
  const isInRange = [...numbers, ...pre].every((each) => typeof each === 'string' || each <= MOST);
  return isInRange ? { numbers, pre } : undefined;
}

function withoutZeros(part: string): string {
  if (part.length <= 1) return part;
  const rest = part.replace(/^0+/, '');
  return /^\d/.test(rest) ? rest : `0${rest}`;
}

/** A version without a leading `v`, with all three numbers and no zeros before them; undefined where none can be made. */
export function normalizedVersionOf(text: string): SemanticVersion | undefined {
  const [major = '', minor, ...rest] = text.replace(/^v/, '').split('.');
  const parts = [major, ...(minor === undefined ? [] : [minor]), ...(rest.length === 0 ? [] : [rest.join('.')])].map(withoutZeros);
  if (parts.length < 3 && /[+-]/.test(parts.at(-1)!)) return undefined;
  return semanticVersionOf([...parts, '0', '0'].slice(0, 3).join('.'));
}

function comparedParts<Part extends bigint | string>(one: Part, other: Part): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function comparedIdentifiers(one: bigint | string, other: bigint | string): number {
  if (typeof one === typeof other) return comparedParts(one, other);
  return typeof one === 'bigint' ? -1 : 1;
}

/** -1, 0 or 1. What is behind a plus sign counts for nothing. */
export function comparedVersions(one: SemanticVersion, other: SemanticVersion): number {
  for (const [index, number] of one.numbers.entries()) {
    const compared = comparedParts(number, other.numbers[index]!);
    if (compared !== 0) return compared;
  }
  if (one.pre.length === 0 || other.pre.length === 0) return Math.sign(other.pre.length - one.pre.length);
  for (const [index, identifier] of one.pre.entries()) {
    if (index >= other.pre.length) return 1;
    const compared = comparedIdentifiers(identifier, other.pre[index]!);
    if (compared !== 0) return compared;
  }
  return Math.sign(one.pre.length - other.pre.length);
}
