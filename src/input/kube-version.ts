/** A version as three numbers: `1.36` is at least 1.36.0. */
type VersionNumbers = readonly [major: number, minor: number, patch: number];

/** A comparison with a version. Charts write `-0` to also accept the builds of clouds. */
const COMPARISON = /^(>=|<=|>|<)\s*v?(\d{1,6})(?:\.(\d{1,6}))?(?:\.(\d{1,6}))?(-0)?$/;

function compareNumbers(one: VersionNumbers, other: VersionNumbers): number {
  return one[0] - other[0] || one[1] - other[1] || one[2] - other[2];
}

/** Reports whether a version meets a comparison; undefined if it is written in another way. */
function meets(version: VersionNumbers, comparison: string): boolean | undefined {
  const [, operator, major, minor, patch, build] = COMPARISON.exec(comparison) ?? [];
  // The other two operators also compare the first release with its builds.
  if (operator === undefined || (build !== undefined && operator !== '>=' && operator !== '<')) return undefined;
  const isBelow = operator.startsWith('<');
  // Helm reads `>1.20` as 1.21 or later, and `<=1.20` as any 1.20.
  const covers = patch === undefined && (operator === '>' || operator === '<=') ? Infinity : 0;
  const limit: VersionNumbers = [Number(major), minor === undefined ? covers : Number(minor), patch === undefined ? covers : Number(patch)];
  const order = compareNumbers(version, limit);
  if (order === 0) return operator.endsWith('=');
  return isBelow ? order < 0 : order > 0;
}

/** Combines the answers of comparisons that must all be met. */
function meetsAll(version: VersionNumbers, group: string): boolean | undefined {
  const comparisons = group
    .replace(/([<>]=?)\s+/g, '$1')
    .split(/[\s,]+/)
    .filter((each) => each !== '');
  const answers = comparisons.map((each) => meets(version, each));
  if (answers.length === 0 || answers.includes(undefined)) return undefined;
  return !answers.includes(false);
}

/**
 * Reports whether the kubeVersion of a chart accepts a version of Kubernetes, in any patch if it names none; undefined if this is not known.
 * Only comparisons such as `>=1.25.0-0 <1.40` are evaluated. Source: Masterminds/semver v3.4, constraints.go.
 *
 * @param version - `1.36` or `1.36.2`; undefined if it is not known
 */
export function matchesKubeVersion(kubeVersion: string, version: string | undefined): boolean | undefined {
  const [major, minor, patch] = version?.split('.').map(Number) ?? [];
  if (major === undefined || minor === undefined || kubeVersion.length > 1_000) return undefined;
  const ends: VersionNumbers[] = (patch === undefined ? [0, 1_000_000] : [patch]).map((each) => [major, minor, each]);
  const groups = kubeVersion.split('||');
  const answers = ends.map((end) => {
    const found = groups.map((group) => meetsAll(end, group));
    return found.includes(undefined) ? undefined : found.includes(true);
  });
  return answers.every((answer) => answer === answers[0]) ? answers[0] : undefined;
}
