import { planChange } from '../../../src/headless';
import { deployment, node, running } from '../../builders/running-pods';

/** A claim that is bound to a disk, which may be limited to a node. */
function disk(accessMode: string, nodeName?: string): object[] {
  const named = { name: 'data', namespace: 'shop' };
  const terms = [{ matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [nodeName] }] }];
  return [
    { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: named, spec: { accessModes: [accessMode], volumeName: 'data' } },
    {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'data' },
      spec: { accessModes: [accessMode], claimRef: named, ...(nodeName && { nodeAffinity: { required: { nodeSelectorTerms: terms } } }) },
    },
  ];
}

const podSpec = { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] };
const NODES = [node('a', 8), node('b', 8)];
const IN_PLACE = { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } };
const OPEN = 'plans do not model volumes';

function capacityOf(name: string, old: readonly object[], next: object) {
  return planChange([...NODES, ...old], [next]).rollouts.find(({ resource }) => resource.name === name)!.capacity!.message;
}

describe.each([
  ['Recreate', { type: 'Recreate' }],
  ['in place', IN_PLACE],
])('pods that share a ReadWriteOnce claim and are replaced: %s', (_way, strategy) => {
  const web = { cpu: 1, nodes: ['a', 'a'], podSpec, strategy };
  const roll = (volume: readonly object[], pods = web) =>
    capacityOf('web', [...running('web', pods), ...volume], deployment('web', 'm:2', pods));

  test('may start on different nodes, where one of them waits for the disk', () => {
    expect(roll(disk('ReadWriteOnce'))).toContain(OPEN);
  });

  test('fit if only one node can have the disk, if several can use it, or if there is one pod', () => {
    expect([roll(disk('ReadWriteOnce', 'a')), roll(disk('ReadWriteMany')), roll(disk('ReadWriteOnce'), { ...web, nodes: ['a'] })]).toEqual([
      'Fits: there is capacity for its peak of 2 pods.',
      'Fits: there is capacity for its peak of 2 pods.',
      'Fits: there is capacity for its peak of 1 pod.',
    ]);
  });

  test('may be split from the pod of another workload that mounts the claim', () => {
    const single = { ...web, nodes: ['a'] };
    expect(roll([...disk('ReadWriteOnce'), ...running('backup', single)], single)).toContain(OPEN);
  });
});

describe('pods that an apply adds', () => {
  const web = { cpu: 1, nodes: ['a'], podSpec };
  const scale = (volume: readonly object[]) =>
    capacityOf('web', [...running('web', web), ...volume], deployment('web', 'm:1', { ...web, replicas: 3 }));

  test('may start on a node that the disk is not attached to', () => {
    expect(scale(disk('ReadWriteOnce'))).toContain(OPEN);
    expect(capacityOf('job', [...running('web', web), ...disk('ReadWriteOnce')], deployment('job', 'm:1', web))).toContain(OPEN);
  });

  test('fit if several nodes can use the disk', () => {
    expect(scale(disk('ReadWriteMany'))).toBe('Fits: there is capacity for 3 pods.');
  });

  test('may not fit if their claim, or its volume, is not in the input', () => {
    const [claim] = disk('ReadWriteMany');
    expect([scale([]), scale([{ ...claim, spec: { accessModes: ['ReadWriteMany'] } }])]).toEqual([
      'May not fit: there is capacity for 3 pods, but plans do not model volumes.',
      'May not fit: there is capacity for 3 pods, but plans do not model volumes.',
    ]);
  });
});
