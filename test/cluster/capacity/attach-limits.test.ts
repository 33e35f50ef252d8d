import { planChange } from '../../../src/headless';
import type { Manifest } from '../../../src/core/manifest/manifest';

/** A node with capacity for eight pods. */
const node = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, labels: {} },
  status: { allocatable: { cpu: 8, pods: 100 } },
});

const csiNode = (name: string, count?: number) => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'CSINode',
  metadata: { name },
  spec: { drivers: [{ name: 'ebs.csi.aws.com', nodeID: name, ...(count !== undefined && { allocatable: { count } }) }] },
});

const own = [
  {
    name: 'data',
    ephemeral: { volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } } },
  },
];
const shared = [{ name: 'data', persistentVolumeClaim: { claimName: 'models' } }];
const models = [
  {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'models', namespace: 'shop' },
    spec: { accessModes: ['ReadWriteMany'], volumeName: 'models' },
  },
  { apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'models' }, spec: { accessModes: ['ReadWriteMany'] } },
];

function deployment(image: string, volumes: readonly object[]): Manifest {
  const containers = [{ name: 'web', image, resources: { requests: { cpu: 1 } } }];
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop' },
    spec: {
      replicas: 3,
      strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers, volumes } },
    },
  };
}

/** A running pod of another owner, with a volume of its own. */
const other: Manifest = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'db-0', namespace: 'other' },
  spec: {
    nodeName: 'a',
    containers: [{ name: 'db', image: 'db:1' }],
    volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'db' } }],
  },
  status: { phase: 'Running' },
};

function capacityOf(volumes: readonly object[], others: readonly object[]): string | undefined {
  const surroundings = [node('a'), ...models, ...others] as Manifest[];
  return planChange([deployment('web:1', volumes), ...surroundings], [deployment('web:2', volumes), ...surroundings]).rollouts[0]!.capacity
    ?.message;
}

describe('a node attaches as many volumes as its CSINode says', () => {
  const FITS = 'Fits: there is capacity for its peak of 4 pods.';
  const OPEN = /^May not fit: .*attach limits of CSINodes/;

  test('so pods with volumes of their own may not fit', () => {
    expect(capacityOf(own, [csiNode('a', 4)])).toBe(FITS);
    expect(capacityOf(own, [csiNode('a', 3)])).toMatch(OPEN);
  });

  test('next to those of running pods', () => {
    expect(capacityOf(own, [csiNode('a', 5), other])).toBe(FITS);
    expect(capacityOf(own, [csiNode('a', 4), other])).toMatch(OPEN);
  });

  test('and a volume that all pods share counts once', () => {
    expect(capacityOf(shared, [csiNode('a', 1)])).toBe(FITS);
    expect(capacityOf(shared, [csiNode('a', 1), other])).toMatch(OPEN);
  });

  test('unless no limit is known, or the pods have no volume', () => {
    expect(capacityOf(own, [csiNode('a')])).toBe(FITS);
    expect(capacityOf(own, [csiNode('b', 1)])).toBe(FITS);
    expect(capacityOf([], [csiNode('a', 1)])).toBe(FITS);
  });
});
