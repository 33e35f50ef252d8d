import { planChange } from '../../../src/headless';
import type { PlanOptions } from '../../../src/headless';
import type { StatefulSetSimulation } from '../../../src/core/simulations/statefulset';

const GPU = 'nvidia.com/gpu';

/** Pods of one side of a change. */
interface Side {
  readonly replicas: number;
  readonly gpus: number;
}

function statefulSet({ replicas, gpus }: Side, spec: object, image: string) {
  const labels = { app: 'db' };
  const containers = [{ name: 'db', image, resources: { limits: { [GPU]: `${gpus}` } } }];
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'db' },
    spec: {
      replicas,
      serviceName: 'db',
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers } },
      ...spec,
    },
  };
}

const quota = (gpus: number) => ({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: 'gpus' },
  spec: { hard: { [`requests.${GPU}`]: `${gpus}` } },
});

function planned(old: Side, next: Side, objects: readonly ReturnType<typeof quota>[], spec: object = {}, options: PlanOptions = {}) {
  const [before, after] = [statefulSet(old, spec, 'db:1'), statefulSet(next, spec, 'db:2')];
  const { capacity, simulation } = planChange([before, ...objects], [after, ...objects], options).rollouts[0]!;
  const { order, untouched } = simulation as StatefulSetSimulation;
  return { verdict: capacity!.verdict, message: capacity!.message, order, untouched };
}

/** Reports whether the controller creates all missing pods, and then replaces one old pod after the other, within a quota. */
function finishes({ replicas: running, gpus: old }: Side, { replicas, gpus }: Side, hard: number): boolean {
  const isAdmitted = (oldPods: number, newPods: number) => oldPods * old + newPods * gpus <= hard;
  for (let created = 1; created <= replicas - running; created++) if (!isAdmitted(running, created)) return false;
  for (let kept = running - 1; kept >= 0; kept--) if (!isAdmitted(kept, replicas - kept)) return false;
  return true;
}

test('a StatefulSet that gets more pods and other requests creates the missing pods next to all old ones', () => {
  for (let running = 1; running <= 3; running++) {
    for (let replicas = running + 1; replicas <= 4; replicas++) {
      for (const [oldGpus, newGpus] of [
        [2, 1],
        [1, 2],
        [1, 1],
      ] as const) {
        const [old, next] = [
          { replicas: running, gpus: oldGpus },
          { replicas, gpus: newGpus },
        ];
        for (let hard = running * oldGpus; hard <= 8; hard++) {
          const { verdict } = planned(old, next, [quota(hard)]);
          expect([old, next, hard, verdict]).toEqual([old, next, hard, finishes(old, next, hard) ? 'fits' : 'deadlocks']);
        }
      }
    }
  }
});

const TWO_OF_TWO = { replicas: 2, gpus: 2 };
const FOUR_OF_ONE = { replicas: 4, gpus: 1 };

test.each([{}, { podManagementPolicy: 'Parallel' }, { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } } }])(
  'no pod is replaced if a quota is full of old pods: %j',
  (spec) => {
    expect(planned(TWO_OF_TWO, FOUR_OF_ONE, [quota(4)], spec)).toEqual({
      verdict: 'deadlocks',
      message: 'Deadlocks at batch 1: it peaks at 6 requests.nvidia.com/gpu and ResourceQuota "gpus" has 4 left.',
      order: [],
      untouched: [0, 1],
    });
  },
);

test('a rollout that stops later replaces the pods before that', () => {
  expect(planned({ replicas: 2, gpus: 1 }, { replicas: 3, gpus: 2 }, [quota(5)])).toEqual({
    verdict: 'deadlocks',
    message: 'Deadlocks at batch 2: it peaks at 6 requests.nvidia.com/gpu and ResourceQuota "gpus" has 5 left.',
    order: [1, 0],
    untouched: [],
  });
});

test('missing pods wait for a node that is full of old pods', () => {
  const onNode = (gpus: number) => {
    const allocatable = { cpu: '64', memory: '1Ti', pods: 100, [GPU]: gpus };
    return planned(TWO_OF_TWO, FOUR_OF_ONE, [], {}, { capacity: { nodePools: [{ name: 'gpu', count: 1, allocatable }] } });
  };
  expect(onNode(6)).toMatchObject({ verdict: 'fits', order: [1, 0] });
  expect(onNode(5)).toMatchObject({ verdict: 'deadlocks', order: [], untouched: [0, 1] });
});

test('it is open whether a pod is replaced next to a pending one if several may be unavailable', () => {
  const spec = { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 2 } } };
  expect(planned(TWO_OF_TWO, FOUR_OF_ONE, [quota(4)], spec, { versions: { kubernetes: '1.37' } })).toMatchObject({
    verdict: 'may-not-fit',
  });
});
