import { planChange } from '../../../src/headless';
import type { Manifest } from '../../../src/core/manifest/manifest';

const ZONE = 'topology.kubernetes.io/zone';

/** A zone with one node that has capacity for this many pods. */
const node = (zone: string, cpu: number) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: `node-${zone}`, labels: { [ZONE]: zone } },
  status: { allocatable: { cpu, pods: 100 } },
});

/** A class that provisions volumes in zone a only. */
const storageClass = (fields: object = {}, annotations: object = {}) => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: 'disk', annotations },
  provisioner: 'ebs.csi.aws.com',
  volumeBindingMode: 'WaitForFirstConsumer',
  allowedTopologies: [{ matchLabelExpressions: [{ key: ZONE, values: ['a'] }] }],
  ...fields,
});

const claimSpec = (storageClassName?: string) => ({
  accessModes: ['ReadWriteOnce'],
  resources: { requests: { storage: '1Gi' } },
  ...(storageClassName !== undefined && { storageClassName }),
});

const pods = (image: string, volumes: readonly object[] = []) => ({
  metadata: { labels: { app: 'db' } },
  spec: { containers: [{ name: 'db', image, resources: { requests: { cpu: 1 } } }], volumes },
});

/** Two pods that surge by one, each with a volume of its own that ends with it. */
function cache(image: string, className: string | undefined = 'disk'): object {
  const volumes = [{ name: 'data', ephemeral: { volumeClaimTemplate: { spec: claimSpec(className) } } }];
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'cache', namespace: 'shop' },
    spec: {
      replicas: 2,
      strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      selector: { matchLabels: { app: 'db' } },
      template: pods(image, volumes),
    },
  };
}

function database(image: string): object {
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'db', namespace: 'shop' },
    spec: {
      replicas: 3,
      serviceName: 'db',
      selector: { matchLabels: { app: 'db' } },
      volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: claimSpec('disk') }],
      template: pods(image),
    },
  };
}

function capacityOf(old: object, next: object, others: readonly object[], cpu = 2): string | undefined {
  const surroundings = [node('a', cpu), node('b', 8), ...others] as Manifest[];
  return planChange([old, ...surroundings], [next, ...surroundings]).rollouts[0]!.capacity?.message;
}

describe('a new volume is provisioned in the topologies of its class', () => {
  const rolling = (others: readonly object[], cpu?: number, className?: string) =>
    capacityOf(cache('db:1', className), cache('db:2', className), others, cpu);
  const FITS = 'Fits: there is capacity for its peak of 3 pods.';

  test('so pods with ephemeral volumes only run there', () => {
    expect(rolling([storageClass()])).toBe('Deadlocks at wave 1: it peaks at 3 pods and the node pools have 2 left.');
    expect(rolling([storageClass()], 3)).toBe(FITS);
  });

  test('and anywhere if the class names none, or if volumes are not provisioned', () => {
    expect(rolling([storageClass({ allowedTopologies: [] })])).toBe(FITS);
    expect(rolling([storageClass({ provisioner: 'kubernetes.io/no-provisioner' })])).toBe(FITS);
    expect(rolling([])).toBe(FITS);
  });

  test('of the default class if the claim names none', () => {
    const isDefault = { 'storageclass.kubernetes.io/is-default-class': 'true' };
    const unnamed = (annotations: object) => {
      const [old, next] = [1, 2].map((version) =>
        JSON.parse(JSON.stringify(cache(`db:${version}`)).replace('"storageClassName":"disk"', '"volumeMode":"Filesystem"')),
      );
      return capacityOf(old, next, [storageClass({}, annotations)]);
    };
    expect(unnamed(isDefault)).toMatch(/^Deadlocks at wave 1/);
    expect(unnamed({})).toBe(FITS);
  });

  test('unless a free volume of the class may be elsewhere', () => {
    const free = {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'spare' },
      spec: { storageClassName: 'disk', accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' } },
    };
    expect(rolling([storageClass(), free])).toBe(FITS);
  });
});

describe('the volumes of a StatefulSet', () => {
  test('are not said to have nodes if its class has too few', () => {
    expect(capacityOf(database('db:1'), database('db:2'), [storageClass()])).toBe('May not fit: this depends on volumes.');
    expect(capacityOf(database('db:1'), database('db:2'), [storageClass()], 4)).toBe('Fits: there is capacity for its peak of 3 pods.');
  });

  test('may be those of an earlier class if they exist', () => {
    const claim = {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'data-db-0', namespace: 'shop' },
      spec: { ...claimSpec('disk'), volumeName: 'pv-0' },
    };
    expect(capacityOf(database('db:1'), database('db:2'), [storageClass(), claim])).toBe('Fits: there is capacity for its peak of 3 pods.');
  });
});
