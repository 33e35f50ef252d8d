import { BoundedMemo } from '../collections/memoize';

/** Facts about a product. */
export interface ProductInfo {
  /** Name for people: `KServe`. */
  readonly name: string;
  /** Version that is planned for by default. */
  readonly defaultVersion: string;
  /** Oldest version whose behaviour is known; earlier ones are planned like this one. */
  readonly oldest: string;
  /** Newest version whose behaviour is known; later ones are planned like this one. */
  readonly newest: string;
  /** Feature that is nevertheless planned for later versions, since it is already in the product's repository. @default - nothing */
  readonly unreleasedFeature?: string;
}

/** Products whose version decides what a controller does, under their names for `--versions`, in the order of the plan document. */
const PRODUCT_INFO = {
  kubernetes: { name: 'Kubernetes', defaultVersion: '1.36', oldest: '1.21', newest: '1.37' },
  kserve: {
    name: 'KServe',
    defaultVersion: '0.17',
    oldest: '0.15',
    newest: '0.20',
    unreleasedFeature: 'the strategy of an LLMInferenceService and the requests of canaries',
  },
  knative: { name: 'Knative', defaultVersion: '1.21', oldest: '1.15', newest: '1.24' },
  kuberay: { name: 'KubeRay', defaultVersion: '1.7', oldest: '1.5', newest: '1.7' },
  fleet: { name: 'Fleet', defaultVersion: '0.16', oldest: '0.12', newest: '0.16.1' },
  lws: { name: 'LeaderWorkerSet', defaultVersion: '0.9', oldest: '0.7', newest: '0.10' },
  'argo-rollouts': { name: 'Argo Rollouts', defaultVersion: '1.9', oldest: '1.8', newest: '1.10' },
  'argo-cd': { name: 'Argo CD', defaultVersion: '3.5', oldest: '2.14', newest: '3.6' },
} as const satisfies Readonly<Record<string, ProductInfo>>;

/** Products whose upgrades are planned, in the order of `--versions`. */
export const UPGRADABLE_PRODUCTS = ['kubernetes', 'kserve', 'knative', 'kuberay', 'fleet', 'lws'] as const;

/** A product whose version decides what a controller does. */
export type Product = keyof typeof PRODUCT_INFO;

/** Versions that a plan is made for, without a leading v: `1.34`, `0.17`. */
export type Versions = Readonly<Record<Product, string>>;

export const PRODUCTS = Object.keys(PRODUCT_INFO) as readonly Product[];

/** Returns the facts about a product: `getProduct('kserve').name` is `KServe`. */
export function getProduct(product: Product): ProductInfo {
  return PRODUCT_INFO[product];
}

export const DEFAULT_VERSIONS: Versions = Object.fromEntries(
  PRODUCTS.map((product) => [product, getProduct(product).defaultVersion]),
) as Versions;

/**
 * A version. The suffix of a distribution does not change the behaviour of the product: `+k3s1`, `-gke.100`, `-eks-abc`. Previews are not
 * matched, since their behaviour is not known.
 */
const VERSION = /^v?([0-9]+)\.([0-9]+)(?:\.([0-9]+))?(?:[-+](?!alpha|beta|rc)[0-9A-Za-z.+-]+)?$/;

/** Reports whether text is a version. */
export function isVersion(text: string): boolean {
  return VERSION.test(text);
}

/** Thrown for a version or product that cannot be parsed. The message contains what to write. */
export class VersionError extends Error {
  override readonly name = 'VersionError';
}

type VersionNumbers = readonly [major: number, minor: number, patch: number];

function parseVersionNumbers(version: string): VersionNumbers {
  const match = VERSION.exec(version);
  if (!match) throw new VersionError(`"${version}" is not a version: write it as 1.34 or 1.34.2`);
  return [Number(match[1]), Number(match[2]), Number(match[3] ?? 0)];
}

const NUMBERS_CACHE = new BoundedMemo<VersionNumbers>();

function versionNumbersOf(version: string): VersionNumbers {
  return NUMBERS_CACHE.getOrCompute(version, parseVersionNumbers);
}

function compareVersionNumbers(a: VersionNumbers, b: VersionNumbers): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

/** Compares versions by number, with a missing patch as 0: negative, 0 or positive. */
export function compareVersions(a: string, b: string): number {
  return compareVersionNumbers(versionNumbersOf(a), versionNumbersOf(b));
}

/** Returns the minor version of a version: `0.20` of `0.20.1`. */
export function minorOf(version: string): string {
  const [major, minor] = versionNumbersOf(version);
  return `${major}.${minor}`;
}

/** Reports whether `version` is at or after `since`. */
export function isAtLeast(version: string, since: string): boolean {
  return compareVersions(version, since) >= 0;
}

function createVersionError(product: Product, version: string): VersionError {
  const { name, defaultVersion } = getProduct(product);
  const [major, minor] = defaultVersion.split('.');
  return new VersionError(`"${version}" is not a version of ${name}: write it as ${major}.${minor} or ${major}.${minor}.2`);
}

/**
 * Fills in the versions that were not given, and removes a leading v and the suffix of a distribution.
 *
 * @throws VersionError for an unknown product or an invalid version
 */
export function resolveVersions(input: Readonly<Partial<Record<string, string>>> = {}): Versions {
  const resolved: Record<Product, string> = { ...DEFAULT_VERSIONS };
  for (const [product, version] of Object.entries(input)) {
    if (version === undefined) continue;
    if (!PRODUCTS.includes(product as Product)) {
      throw new VersionError(`"${product}" is not a product with a version: write one of ${PRODUCTS.join(', ')}`);
    }
    if (!VERSION.test(version)) throw createVersionError(product as Product, version);
    resolved[product as Product] = version.replace(/^v/, '').split(/[-+]/, 1)[0]!;
  }
  return resolved;
}

/** Where a version is outside of the known range: a later patch release of the newest version, a later version, or an earlier one. */
type OutsideKnownRange = 'patch' | 'later' | 'earlier';

/** Returns where a version is relative to the known range of its product; undefined if it is inside. */
export function compareToKnownRange(product: Product, version: string): OutsideKnownRange | undefined {
  const { oldest, newest } = getProduct(product);
  if (compareVersions(version, newest) > 0) return minorOf(version) === minorOf(newest) ? 'patch' : 'later';
  return compareVersions(version, oldest) < 0 ? 'earlier' : undefined;
}

type VersionHistory<T> = readonly (readonly [since: string, value: T])[];

/**
 * Returns the value of the last entry whose version is not after `version`; that of the first entry if all are after it.
 *
 * `getValueAtVersion([['0', 'off'], ['1.35', 'on'], ['1.35.4', 'off']], '1.35.2')` is `'on'`.
 */
export function getValueAtVersion<T>(history: VersionHistory<T>, version: string): T {
  const last = LAST_LOOKUP.get(history);
  if (last?.version === version) return last.value as T;
  const value = findValueAtVersion(history, version);
  LAST_LOOKUP.set(history, { version, value });
  return value;
}

/**
 * Returns the first patch release whose value differs from that of a version without a patch number; undefined if there is none.
 *
 * `findChangingPatch([['0', 'off'], ['1.35', 'on'], ['1.35.4', 'off']], '1.35')` is `'1.35.4'`.
 */
export function findChangingPatch<T>(history: VersionHistory<T>, version: string): string | undefined {
  if (version.split('.').length > 2) return undefined;
  const value = getValueAtVersion(history, version);
  return history.find(([since, next]) => since.startsWith(`${version}.`) && next !== value)?.[0];
}

/** Last looked-up version of each history: usually all objects use the same version. */
const LAST_LOOKUP = new WeakMap<VersionHistory<unknown>, { readonly version: string; readonly value: unknown }>();

function findValueAtVersion<T>(history: VersionHistory<T>, version: string): T {
  let value = history[0]![1];
  const numbers = versionNumbersOf(version);
  for (const [since, next] of history) {
    if (since !== '0' && compareVersionNumbers(numbers, versionNumbersOf(since)) >= 0) value = next;
  }
  return value;
}
