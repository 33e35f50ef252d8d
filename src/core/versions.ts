import { BoundedMemo } from './memoize';

/** What is known of a product. */
export interface ProductInfo {
  /** For people: `KServe`. */
  readonly name: string;
  /** Planned for when nothing is said. */
  readonly defaultVersion: string;
  /** The oldest whose behaviour was read; earlier ones are planned as this one. */
  readonly oldest: string;
  /** The newest whose behaviour was read; later ones are planned as this one. */
  readonly newest: string;
  /** What a later one is planned with all the same, since it stands in the product's repository. @default - nothing */
  readonly unreleasedFeature?: string;
}

/** The products whose version decides what a controller does, under the names that `--versions` takes, in the order of the plan document. */
const PRODUCT_INFO = {
  kubernetes: { name: 'Kubernetes', defaultVersion: '1.34', oldest: '1.21', newest: '1.37' },
  kserve: {
    name: 'KServe',
    defaultVersion: '0.17',
    oldest: '0.15',
    newest: '0.20',
    unreleasedFeature: 'the strategy of an LLMInferenceService',
  },
  knative: { name: 'Knative', defaultVersion: '1.21', oldest: '1.15', newest: '1.23' },
  kuberay: { name: 'KubeRay', defaultVersion: '1.7', oldest: '1.5', newest: '1.7' },
  fleet: { name: 'Fleet', defaultVersion: '0.16', oldest: '0.12', newest: '0.16.1' },
  lws: { name: 'LeaderWorkerSet', defaultVersion: '0.9', oldest: '0.7', newest: '0.10' },
  'argo-rollouts': { name: 'Argo Rollouts', defaultVersion: '1.9', oldest: '1.8', newest: '1.10' },
  'argo-cd': { name: 'Argo CD', defaultVersion: '3.5', oldest: '2.14', newest: '3.5' },
} as const satisfies Readonly<Record<string, ProductInfo>>;

/** A product whose version decides what a controller does. */
export type Product = keyof typeof PRODUCT_INFO;

/** The versions that a plan is made for, without a leading v: `1.34`, `0.17`. */
export type Versions = Readonly<Record<Product, string>>;

export const PRODUCTS = Object.keys(PRODUCT_INFO) as readonly Product[];

/** What is known of a product: `knownProduct('kserve').name` is `KServe`. */
export function getProduct(product: Product): ProductInfo {
  return PRODUCT_INFO[product];
}

export const DEFAULT_VERSIONS: Versions = Object.fromEntries(
  PRODUCTS.map((product) => [product, getProduct(product).defaultVersion]),
) as Versions;

/** What a distribution appends says nothing of how the product behaves: `+k3s1`, `-gke.100`, `-eks-abc`. Of a preview nothing is known. */
const VERSION = /^v?([0-9]+)\.([0-9]+)(?:\.([0-9]+))?(?:[-+](?!alpha|beta|rc)[0-9A-Za-z.+-]+)?$/;

/** Thrown for a version or product that cannot be read; the message says what to write. */
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

/** Compares by number, a missing patch is .0: negative, 0 or positive. */
export function compareVersions(a: string, b: string): number {
  return compareVersionNumbers(versionNumbersOf(a), versionNumbersOf(b));
}

/** Is `version` at or after `since`? */
export function isAtLeast(version: string, since: string): boolean {
  return compareVersions(version, since) >= 0;
}

function createVersionError(product: Product, version: string): VersionError {
  const { name, defaultVersion } = getProduct(product);
  const [major, minor] = defaultVersion.split('.');
  return new VersionError(`"${version}" is not a version of ${name}: write it as ${major}.${minor} or ${major}.${minor}.2`);
}

/**
 * Fills in the versions that were not given, and drops a leading v and what a distribution appends.
 *
 * @throws VersionError for an unknown product or something that is no version.
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

/** Is a version later than the newest known one of its product, or earlier than the oldest? */
export function compareToKnownRange(product: Product, version: string): 'later' | 'earlier' | undefined {
  const { oldest, newest } = getProduct(product);
  if (compareVersions(version, newest) > 0) return 'later';
  return compareVersions(version, oldest) < 0 ? 'earlier' : undefined;
}

type VersionHistory<T> = readonly (readonly [since: string, value: T])[];

/**
 * The value of the last entry whose version is not after `version`; the first entry's before all of them.
 *
 * `valueSince([['0', 'off'], ['1.35', 'on'], ['1.35.4', 'off']], '1.35.2')` is `'on'`.
 */
export function getValueAtVersion<T>(history: VersionHistory<T>, version: string): T {
  const last = LAST_LOOKUP.get(history);
  if (last?.version === version) return last.value as T;
  const value = findValueAtVersion(history, version);
  LAST_LOOKUP.set(history, { version, value });
  return value;
}

/**
 * The first patch release at which the value is another than at the version, of one that names no patch release; undefined where there is none.
 *
 * `changingPatch([['0', 'off'], ['1.35', 'on'], ['1.35.4', 'off']], '1.35')` is `'1.35.4'`.
 */
export function findChangingPatch<T>(history: VersionHistory<T>, version: string): string | undefined {
  if (version.split('.').length > 2) return undefined;
  const value = getValueAtVersion(history, version);
  return history.find(([since, next]) => since.startsWith(`${version}.`) && next !== value)?.[0];
}

/** Of each history the version that was asked last: of a thousand objects all ask for one. */
const LAST_LOOKUP = new WeakMap<VersionHistory<unknown>, { readonly version: string; readonly value: unknown }>();

function findValueAtVersion<T>(history: VersionHistory<T>, version: string): T {
  let value = history[0]![1];
  const numbers = versionNumbersOf(version);
  for (const [since, next] of history) {
    if (since !== '0' && compareVersionNumbers(numbers, versionNumbersOf(since)) >= 0) value = next;
  }
  return value;
}
