import * as fc from 'fast-check';
import {
  findChangingPatch,
  DEFAULT_VERSIONS,
  PRODUCTS,
  VersionError,
  compareVersions,
  isAtLeast,
  getProduct,
  compareToKnownRange,
  resolveVersions,
  getValueAtVersion,
} from '../../src/core/values/versions';

describe('versions of a plan', () => {
  test('missing versions have defaults, and a leading v is removed', () => {
    expect(resolveVersions({ kserve: 'v0.20.1' })).toEqual({
      kubernetes: '1.36',
      kserve: '0.20.1',
      knative: '1.21',
      kuberay: '1.7',
      fleet: '0.16',
      lws: '0.9',
      'argo-rollouts': '1.9',
      'argo-cd': '3.5',
    });
    expect(resolveVersions()).toEqual(DEFAULT_VERSIONS);
  });

  test.each([
    [{ kubernetes: 'latest' }, '"latest" is not a version of Kubernetes: write it as 1.36 or 1.36.2'],
    [{ kubernetes: '1' }, '"1" is not a version of Kubernetes: write it as 1.36 or 1.36.2'],
    [{ kubernetes: '1.34-rc.0' }, '"1.34-rc.0" is not a version of Kubernetes: write it as 1.36 or 1.36.2'],
    [
      { istio: '1.20' },
      '"istio" is not a product with a version: write one of kubernetes, kserve, knative, kuberay, fleet, lws, argo-rollouts, argo-cd',
    ],
  ])('%j is refused', (versions, message) => {
    expect(() => resolveVersions(versions)).toThrow(new VersionError(message));
  });

  test('a version is compared to the known range', () => {
    expect([
      compareToKnownRange('kubernetes', '1.38'),
      compareToKnownRange('kubernetes', '1.37.0'),
      compareToKnownRange('kubernetes', '1.37.2'),
      compareToKnownRange('fleet', '0.16.2'),
    ]).toEqual(['later', undefined, 'patch', 'patch']);
    expect([compareToKnownRange('kubernetes', '1.20.9'), compareToKnownRange('kubernetes', '1.21')]).toEqual(['earlier', undefined]);
  });

  test.each([
    ['v1.30.4+k3s1', '1.30.4'],
    ['1.30.5-gke.100', '1.30.5'],
    ['1.30-eks-abc', '1.30'],
    ['1.29.4+rke2r1', '1.29.4'],
  ])('the suffix of a distribution is removed from %s', (input, version) => {
    expect(resolveVersions({ kubernetes: input }).kubernetes).toBe(version);
  });
});

test.each(PRODUCTS)('the known versions of %s include the default', (product) => {
  const { oldest, defaultVersion, newest } = getProduct(product);
  expect([compareVersions(oldest, defaultVersion) <= 0, compareVersions(defaultVersion, newest) <= 0]).toEqual([true, true]);
  expect(DEFAULT_VERSIONS[product]).toBe(defaultVersion);
});

const weight = ([major, minor, patch]: readonly number[]) => major! * 10_000 + minor! * 100 + patch!;

describe('versions are compared by number', () => {
  test.each([
    ['1.9', '1.10', -1],
    ['1.34', '1.34.0', 0],
    ['v1.34.2', '1.34.1', 1],
    ['2.0', '1.99.99', 1],
  ])('%s against %s', (a, b, sign) => {
    expect(Math.sign(compareVersions(a, b))).toBe(sign);
    expect(isAtLeast(a, b)).toBe(sign >= 0);
  });

  test('in the order of their numbers', () => {
    const numbers = fc.tuple(fc.nat({ max: 99 }), fc.nat({ max: 99 }), fc.nat({ max: 99 }));
    fc.assert(
      fc.property(numbers, numbers, (a, b) => {
        expect(Math.sign(compareVersions(a.join('.'), b.join('.')))).toBe(Math.sign(weight(a) - weight(b)));
      }),
    );
  });
});

const HISTORY = [
  ['0', 'off'],
  ['1.35', 'on'],
  ['1.35.4', 'off'],
  ['1.36', 'on'],
] as const;

test('the patch release that changes a behaviour is found for a version without a patch number', () => {
  expect(['1.34', '1.35', '1.35.0', '1.35.4', '1.36'].map((version) => findChangingPatch(HISTORY, version))).toEqual([
    undefined,
    '1.35.4',
    undefined,
    undefined,
    undefined,
  ]);
});

test('a behaviour applies from its version until the next entry', () => {
  expect(['1.20', '1.35', '1.35.3', '1.35.4', '1.36', '1.99'].map((version) => getValueAtVersion(HISTORY, version))).toEqual([
    'off',
    'on',
    'on',
    'off',
    'on',
    'on',
  ]);
});
