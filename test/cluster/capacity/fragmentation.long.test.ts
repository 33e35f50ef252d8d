import * as fc from 'fast-check';
import { planManifests } from '../../../src/headless';
import { canDeadlock } from './any-scheduler';
import type { SmallDeployment } from './any-scheduler';
import { GPU, model } from '../../builders/model';
import { deployment, podTemplate } from '../../builders/workload';
import { scaleRuns } from '../../setup/scale-runs';

function smallModel(name: string, { replicas, surge, unavailable, size }: SmallDeployment, pod: object = {}) {
  return model({ name, replicas, gpus: size, rollingUpdate: { maxSurge: surge, maxUnavailable: unavailable }, pod });
}

function sharedCapacity(nodes: number, gpus: number, ...models: object[]) {
  const capacity = { nodePools: [{ name: 'a100', count: nodes, allocatable: { [GPU]: gpus } }] };
  const { capacity: shared } = planManifests(models, { capacity });
  return shared!;
}

const FULL_NODE: SmallDeployment = { replicas: 1, surge: 0, unavailable: 1, size: 4 };

describe('rollouts of different sizes on the same nodes', () => {
  test('may deadlock: a small pod takes part of the node that a large one just left', () => {
    const small = { replicas: 3, surge: 1, unavailable: 0, size: 1 };
    expect(sharedCapacity(2, 4, smallModel('large', FULL_NODE), smallModel('small', small))).toMatchObject({
      sequential: 'fits',
      concurrent: 'deadlocks',
      message:
        'One after another: fits. All at once: may deadlock (other pods may leave no node with capacity for a pod of Deployment large).',
    });
    expect(canDeadlock([FULL_NODE, small], 2, 4)).toBe(true);
  });

  test('never deadlock if there are too few small pods to be on every node', () => {
    const one = { replicas: 1, surge: 1, unavailable: 0, size: 1 };
    expect(sharedCapacity(2, 4, smallModel('large', FULL_NODE), smallModel('small', one))).toMatchObject({ concurrent: 'fits' });
    expect(canDeadlock([FULL_NODE, one], 2, 4)).toBe(false);
  });

  test('never deadlock if there are too few pods of each size, in any combination', () => {
    const two = { replicas: 1, surge: 1, unavailable: 0, size: 2 };
    const three = { replicas: 1, surge: 0, unavailable: 1, size: 3 };
    expect(sharedCapacity(3, 4, smallModel('large', FULL_NODE), smallModel('two', two), smallModel('three', three))).toMatchObject({
      concurrent: 'fits',
    });
    expect(canDeadlock([FULL_NODE, two, three], 3, 4)).toBe(false);
  });

  test('never deadlock if all pods have the same size: each takes the capacity that another one left', () => {
    const two = { replicas: 2, surge: 2, unavailable: 0, size: 1 };
    expect(sharedCapacity(5, 1, smallModel('a', two), smallModel('b', two))).toMatchObject({ concurrent: 'slower' });
    expect(canDeadlock([two, two], 5, 1)).toBe(false);
  });

  test('may deadlock if pods of others can use the same host port of every node', () => {
    const onPort = (name: string, replicas: number, size: number) => {
      const container = { ports: [{ containerPort: 80, hostPort: 80 }], resources: { limits: { [GPU]: size } } };
      const strategy = { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } };
      return deployment({ replicas, strategy, template: podTemplate(container) }, { name });
    };
    const concurrent = (nodes: number, ...models: object[]) => sharedCapacity(nodes, 4, ...models).concurrent;
    // A pod that is being deleted uses its port in addition to the two desired pods of its Deployment, so the port is used on 3 of 4 nodes.
    expect(concurrent(4, onPort('a', 1, 1), onPort('b', 2, 2))).toBe('fits');
    expect(concurrent(3, onPort('a', 1, 1), onPort('b', 2, 2))).toBe('deadlocks');
  });

  test('never deadlock if the small pods run on other nodes', () => {
    const nodePools = [
      { name: 'large', count: 1, allocatable: { [GPU]: 4 }, labels: { gpu: 'large' } },
      { name: 'small', count: 1, allocatable: { [GPU]: 4 }, labels: { gpu: 'small' } },
    ];
    const large = smallModel('large', FULL_NODE, { nodeSelector: { gpu: 'large' } });
    const small = smallModel('small', { replicas: 3, surge: 1, unavailable: 0, size: 1 }, { nodeSelector: { gpu: 'small' } });
    expect(planManifests([large, small], { capacity: { nodePools } }).capacity).toMatchObject({ concurrent: 'fits' });
  });

  test('never deadlock with any scheduler if the plan says that they finish', () => {
    const rollingUpdate = fc.constantFrom({ surge: 1, unavailable: 0 }, { surge: 0, unavailable: 1 }, { surge: 1, unavailable: 1 });
    const numbers = fc.record({ replicas: fc.integer({ min: 1, max: 3 }), size: fc.integer({ min: 1, max: 4 }) });
    const some = fc.tuple(numbers, rollingUpdate).map(([replicasAndSize, strategy]) => ({ ...replicasAndSize, ...strategy }));
    const nodes = fc.integer({ min: 1, max: 3 });
    fc.assert(
      fc.property(fc.tuple(some, some), nodes, fc.integer({ min: 2, max: 4 }), (deployments, count, gpus) => {
        const { concurrent } = sharedCapacity(count, gpus, ...deployments.map((each, index) => smallModel(`model-${index}`, each)));
        fc.pre(concurrent !== 'deadlocks');
        expect(canDeadlock(deployments, count, gpus)).toBe(false);
      }),
      { numRuns: scaleRuns(100) },
    );
  });
});
