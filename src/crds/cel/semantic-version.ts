/* Source: apiserver v0.34 pkg/cel/library/semverlib.go, and blang/semver v4, `Parse` and `Compare`. */

export interface SemanticVersion {
  readonly numbers: readonly [bigint, bigint, bigint];
  readonly prerelease: readonly (bigint | string)[];
}

const VERSION = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([0-9A-Za-z.-]+))?(?:\+([0-9A-Za-z.-]+))?$/;
const MAX_UINT64 = 2n ** 64n - 1n;

/** Parses a semantic version; undefined for any other text. */
export function parseSemanticVersion(text: string): SemanticVersion | undefined {
  const match = VERSION.exec(text);
  if (!match) return undefined;
  const numbers = match.slice(1, 4).map(BigInt) as [bigint, bigint, bigint];
  const [identifiers = [], build = []] = match.slice(4).map((part) => part?.split('.'));
  if ([...identifiers, ...build].includes('') || identifiers.some((each) => /^0\d+$/.test(each))) return undefined;
  const prerelease = identifiers.map((each) => (/^\d+$/.test(each) ? BigInt(each) : each));
  const isInRange = [...numbers, ...prerelease].every((each) => typeof each === 'string' || each <= MAX_UINT64);
  return isInRange ? { numbers, prerelease } : undefined;
}

/** Removes the leading zeros of a part, but keeps one if no other digit follows: `02` becomes `2`, and `00-rc` becomes `0-rc`. */
function trimLeadingZeros(part: string): string {
  if (part.length <= 1) return part;
  const rest = part.replace(/^0+/, '');
  return /^\d/.test(rest) ? rest : `0${rest}`;
}

/**
 * Parses a version that may have a leading `v`, fewer than three numbers or leading zeros: `v1.02` is 1.2.0. Undefined for any other text.
 */
export function parseTolerantVersion(text: string): SemanticVersion | undefined {
  const [major = '', minor, ...rest] = text.replace(/^v/, '').split('.');
  const parts = [major, ...(minor === undefined ? [] : [minor]), ...(rest.length === 0 ? [] : [rest.join('.')])].map(trimLeadingZeros);
  if (parts.length < 3 && /[+-]/.test(parts.at(-1)!)) return undefined;
  return parseSemanticVersion([...parts, '0', '0'].slice(0, 3).join('.'));
}

function compareParts<Part extends bigint | string>(a: Part, b: Part): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function compareIdentifiers(a: bigint | string, b: bigint | string): number {
  if (typeof a === typeof b) return compareParts(a, b);
  return typeof a === 'bigint' ? -1 : 1;
}

/** Compares two versions: -1, 0 or 1. The build metadata after a plus sign is ignored. */
export function compareSemanticVersions(a: SemanticVersion, b: SemanticVersion): number {
  for (const [index, number] of a.numbers.entries()) {
    const order = compareParts(number, b.numbers[index]!);
    if (order !== 0) return order;
  }
  if (a.prerelease.length === 0 || b.prerelease.length === 0) return Math.sign(b.prerelease.length - a.prerelease.length);
  for (const [index, identifier] of a.prerelease.entries()) {
    if (index >= b.prerelease.length) return 1;
    const order = compareIdentifiers(identifier, b.prerelease[index]!);
    if (order !== 0) return order;
  }
  return Math.sign(a.prerelease.length - b.prerelease.length);
}
