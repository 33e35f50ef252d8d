import { planManifests } from '../../../src/headless';
import { deployment } from '../../builders/workload';
import { quota } from '../../builders/quota';

const named = { name: 'devices', namespace: 'shop' };

/** Returns the capacity of 2 pods that surge by one, each with a claim for these requests, under a quota of devices of the class `gpu`. */
function capacityOf(requests: readonly object[], devices: number): string | undefined {
  const spec = {
    resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: 'devices' }],
    containers: [{ name: 'web', image: 'web:1' }],
  };
  const web = deployment({ replicas: 2, template: { spec } }, { name: 'web', namespace: 'shop' });
  const claim = {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaimTemplate',
    metadata: named,
    spec: { spec: { devices: { requests } } },
  };
  const limit = quota({ 'gpu.deviceclass.resource.k8s.io/devices': devices }, { namespace: 'shop' });
  return planManifests([web, claim, limit]).rollouts[0]!.capacity?.message;
}

describe('a quota charges the most devices that a claim may get', () => {
  const gpu = { deviceClassName: 'gpu' };

  test.each([
    ['1 if it says no number', [{ name: 'one', exactly: gpu }], 3],
    ['32 if it asks for all', [{ name: 'all', exactly: { ...gpu, allocationMode: 'All' } }], 96],
    [
      'the largest alternative',
      [{ name: 'any', firstAvailable: [{ ...gpu, count: 2 }, { ...gpu, count: 4 }, { deviceClassName: 'cpu' }] }],
      12,
    ],
    [
      '32 for an alternative of all',
      [
        {
          name: 'any',
          firstAvailable: [
            { ...gpu, allocationMode: 'All' },
            { ...gpu, count: 4 },
          ],
        },
      ],
      96,
    ],
  ])('%s', (_, requests, atPeak) => {
    expect(capacityOf(requests, atPeak)).toBe(
      'May not fit: there is capacity for its peak of 3 pods, but plans do not model resourceClaims.',
    );
    expect(capacityOf(requests, atPeak - 1)).toBe(
      `Deadlocks at wave 1: it peaks at ${atPeak} gpu.deviceclass.resource.k8s.io/devices and ResourceQuota "compute" has ${atPeak - 1} left.`,
    );
  });
});

describe('from Kubernetes 1.36 a quota on the extended resource of a class charges claims too', () => {
  const implicit = 'requests.deviceclass.resource.kubernetes.io/gpu';
  const explicit = 'requests.example.com/gpu';

  /** Returns the capacity of 2 pods that surge by one, each with a claim for 2 devices of the class `gpu`, and what their containers request. */
  function capacityOfExtended(hard: object, { kubernetes = '1.36', limits = {}, scopes = {} } = {}): string | undefined {
    const spec = {
      resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: 'devices' }],
      containers: [{ name: 'web', image: 'web:1', resources: { limits } }],
    };
    const web = deployment({ replicas: 2, template: { spec } }, { name: 'web', namespace: 'shop' });
    const requests = [{ name: 'two', exactly: { deviceClassName: 'gpu', count: 2 } }];
    const claim = {
      apiVersion: 'resource.k8s.io/v1',
      kind: 'ResourceClaimTemplate',
      metadata: named,
      spec: { spec: { devices: { requests } } },
    };
    const gpu = {
      apiVersion: 'resource.k8s.io/v1',
      kind: 'DeviceClass',
      metadata: { name: 'gpu' },
      spec: { extendedResourceName: 'example.com/gpu' },
    };
    const limit = quota(hard, { namespace: 'shop' });
    const scoped = { ...limit, spec: { ...(limit.spec as object), ...scopes } };
    return planManifests([web, claim, gpu, scoped], { versions: { kubernetes } }).rollouts[0]!.capacity?.message;
  }

  test.each([implicit, explicit])('%s', (resource) => {
    expect(capacityOfExtended({ [resource]: 6 })).toContain('May not fit: there is capacity for its peak of 3 pods');
    expect(capacityOfExtended({ [resource]: 5 })).toBe(
      `Deadlocks at wave 1: it peaks at 6 ${resource} and ResourceQuota "compute" has 5 left.`,
    );
    expect(capacityOfExtended({ [resource]: 5 }, { kubernetes: '1.35' })).toBeUndefined();
  });

  test('in addition to what containers request', () => {
    const limits = { 'example.com/gpu': 1 };
    expect(capacityOfExtended({ [explicit]: 8 }, { limits })).toContain('it peaks at 9 requests.example.com/gpu');
    expect(capacityOfExtended({ [explicit]: 2 }, { limits, kubernetes: '1.35' })).toContain('it peaks at 3 requests.example.com/gpu');
  });

  test('but not if the quota has scopes, which count pods only', () => {
    expect(capacityOfExtended({ [explicit]: 5 }, { scopes: { scopes: ['NotTerminating'] } })).toBeUndefined();
  });
});
