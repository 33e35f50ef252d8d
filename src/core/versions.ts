import { Remembered } from './remembered';

/** What is known of a product. */
export interface KnownProduct {
  /** For people: `KServe`. */
  readonly name: string;
  /** Planned for when nothing is said. */
  readonly assumed: string;
  /** The oldest whose behaviour was read; earlier ones are planned as this one. */
  readonly oldest: string;
  /** The newest whose behaviour was read; later ones are planned as this one. */
  readonly newest: string;
  /** What a later one is planned with all the same, since it stands in the product's repository. @default - nothing */
  readonly announced?: string;
}

/** The products whose version decides what a controller does, under the names that `--versions` takes, in the order of the plan document. */
const KNOWN = {
  kubernetes: { name: 'Kubernetes', assumed: '1.34', oldest: '1.21', newest: '1.37' },
  kserve: { name: 'KServe', assumed: '0.17', oldest: '0.15', newest: '0.20', announced: 'the strategy of an LLMInferenceService' },
  knative: { name: 'Knative', assumed: '1.21', oldest: '1.15', newest: '1.23' },
  kuberay: { name: 'KubeRay', assumed: '1.7', oldest: '1.5', newest: '1.7' },
  fleet: { name: 'Fleet', assumed: '0.16', oldest: '0.12', newest: '0.16.1' },
  lws: { name: 'LeaderWorkerSet', assumed: '0.9', oldest: '0.7', newest: '0.10' },
  'argo-rollouts': { name: 'Argo Rollouts', assumed: '1.9', oldest: '1.8', newest: '1.10' },
  'argo-cd': { name: 'Argo CD', assumed: '3.5', oldest: '2.14', newest: '3.5' },
} as const satisfies Readonly<Record<string, KnownProduct>>;

/** A product whose version decides what a controller does. */
export type Product = keyof typeof KNOWN;

/** The versions that a plan is made for, without a leading v: `1.34`, `0.17`. */
export type Versions = Readonly<Record<Product, string>>;

export const PRODUCTS = Object.keys(KNOWN) as readonly Product[];

/** What is known of a product: `knownProduct('kserve').name` is `KServe`. */
export function knownProduct(product: Product): KnownProduct {
  return KNOWN[product];
}

export const DEFAULT_VERSIONS: Versions = Object.fromEntries(
  PRODUCTS.map((product) => [product, knownProduct(product).assumed]),
) as Versions;

/** What a distribution appends says nothing of how the product behaves: `+k3s1`, `-gke.100`, `-eks-abc`. Of a preview nothing is known. */
const VERSION = /^v?([0-9]+)\.([0-9]+)(?:\.([0-9]+))?(?:[-+](?!alpha|beta|rc)[0-9A-Za-z.+-]+)?$/;

/** Thrown for a version or product that cannot be read; the message says what to write. */
export class VersionError extends Error {
  override readonly name = 'VersionError';
}

type Numbers = readonly [major: number, minor: number, patch: number];

function readNumbers(version: string): Numbers {
  const match = VERSION.exec(version);
  if (!match) throw new VersionError(`"${version}" is not a version: write it as 1.34 or 1.34.2`);
  return [Number(match[1]), Number(match[2]), Number(match[3] ?? 0)];
}

const NUMBERS = new Remembered<Numbers>();

function numbersOf(version: string): Numbers {
  return NUMBERS.of(version, readNumbers);
}

function compareNumbers(a: Numbers, b: Numbers): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

/** Compares by number, a missing patch is .0: negative, 0 or positive. */
export function compareVersions(a: string, b: string): number {
  return compareNumbers(numbersOf(a), numbersOf(b));
}

/** Is `version` at or after `since`? */
export function isAtLeast(version: string, since: string): boolean {
  return compareVersions(version, since) >= 0;
}

function wrongVersion(product: Product, version: string): VersionError {
  const { name, assumed } = knownProduct(product);
  const [major, minor] = assumed.split('.');
  return new VersionError(`"${version}" is not a version of ${name}: write it as ${major}.${minor} or ${major}.${minor}.2`);
}

/**
 * Fills in the versions that were not given, and drops a leading v and what a distribution appends.
 *
 * @throws VersionError for an unknown product or something that is no version.
 */
export function resolveVersions(given: Readonly<Partial<Record<string, string>>> = {}): Versions {
  const resolved: Record<Product, string> = { ...DEFAULT_VERSIONS };
  for (const [product, version] of Object.entries(given)) {
    if (version === undefined) continue;
    if (!PRODUCTS.includes(product as Product)) {
      throw new VersionError(`"${product}" is not a product with a version: write one of ${PRODUCTS.join(', ')}`);
    }
    if (!VERSION.test(version)) throw wrongVersion(product as Product, version);
    resolved[product as Product] = version.replace(/^v/, '').split(/[-+]/, 1)[0]!;
  }
  return resolved;
}

/** Is a version later than the newest known one of its product, or earlier than the oldest? */
export function outOfRange(product: Product, version: string): 'later' | 'earlier' | undefined {
  const { oldest, newest } = knownProduct(product);
  if (compareVersions(version, newest) > 0) return 'later';
  return compareVersions(version, oldest) < 0 ? 'earlier' : undefined;
}

type History<T> = readonly (readonly [since: string, value: T])[];

/**
 * The value of the last entry whose version is not after `version`; the first entry's before all of them.
 *
 * `valueSince([['0', 'off'], ['1.35', 'on'], ['1.35.4', 'off']], '1.35.2')` is `'on'`.
 */
export function valueSince<T>(history: History<T>, version: string): T {
  const last = LAST_ASKED.get(history);
  if (last?.version === version) return last.value as T;
  const value = lastSince(history, version);
  LAST_ASKED.set(history, { version, value });
  return value;
}

/**
 * The first patch release at which the value is another than at the version, of one that names no patch release; undefined where there is none.
 *
 * `changingPatch([['0', 'off'], ['1.35', 'on'], ['1.35.4', 'off']], '1.35')` is `'1.35.4'`.
 */
export function changingPatch<T>(history: History<T>, version: string): string | undefined {
  if (version.split('.').length > 2) return undefined;
  const value = valueSince(history, version);
  return history.find(([since, next]) => since.startsWith(`${version}.`) && next !== value)?.[0];
}

/** Of each history the version that was asked last: of a thousand objects all ask for one. */
const LAST_ASKED = new WeakMap<History<unknown>, { readonly version: string; readonly value: unknown }>();

function lastSince<T>(history: History<T>, version: string): T {
  let value = history[0]![1];
  const asked = numbersOf(version);
  for (const [since, next] of history) {
    if (since !== '0' && compareNumbers(asked, numbersOf(since)) >= 0) value = next;
  }
  return value;
}
