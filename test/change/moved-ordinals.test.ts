import { planChange } from '../../src/headless';

interface Pods {
  readonly start: number;
  readonly replicas: number;
  readonly image: string;
}

function statefulSet({ start, replicas, image }: Pods) {
  const labels = { app: 'db' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'db', image, readinessProbe: { tcpSocket: { port: 5432 } } }] } };
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'db', namespace: 'shop' },
    spec: { replicas, serviceName: 'db', ordinals: { start }, selector: { matchLabels: labels }, template },
  };
}

function batchesOf(old: Omit<Pods, 'image'>, next: Omit<Pods, 'image'>) {
  const { simulation } = planChange([statefulSet({ ...old, image: 'db:1' })], [statefulSet({ ...next, image: 'db:2' })]).rollouts[0]!;
  return simulation?.kind === 'statefulset' ? simulation.batches.flat() : undefined;
}

test('a rollout that also moves the ordinals replaces only the pods that have an ordinal before and after it', () => {
  expect({
    'from 5, 6, 7 to 3, 4, 5, 6, 7': batchesOf({ start: 5, replicas: 3 }, { start: 3, replicas: 5 }),
    'from 0, 1, 2 to 1, 2, 3': batchesOf({ start: 0, replicas: 3 }, { start: 1, replicas: 3 }),
    'from 0, 1, 2, 3, 4 to 2, 3, 4': batchesOf({ start: 0, replicas: 5 }, { start: 2, replicas: 3 }),
    'from 5, 6, 7 to 0, 1, 2': batchesOf({ start: 5, replicas: 3 }, { start: 0, replicas: 3 }),
  }).toEqual({
    'from 5, 6, 7 to 3, 4, 5, 6, 7': [7, 6, 5],
    'from 0, 1, 2 to 1, 2, 3': [2, 1],
    'from 0, 1, 2, 3, 4 to 2, 3, 4': [4, 3, 2],
    'from 5, 6, 7 to 0, 1, 2': [],
  });
});
