import { planChange } from '../../../src/headless';
import { deployment, node, running } from '../../builders/running-pods';

/** Returns the verdict on `web`, and what it depends on. */
function verdictOfWeb(old: readonly object[], next: readonly object[]) {
  const { verdict, because } = planChange(old, next).rollouts.find(({ resource }) => resource.name === 'web')!.capacity!;
  return [verdict, ...(because ?? [])];
}

const OTHERS = ['may-not-fit', 'other rollouts of the change'];

describe('a rollout next to others of the same change depends on them', () => {
  test('if they may move to its only node', () => {
    const web = { cpu: 2, nodes: ['gpu'], podSpec: { nodeSelector: { pool: 'gpu' } } };
    const api = { cpu: 2, nodes: ['plain'] };
    const old = [node('plain', 2), node('gpu', 4, { pool: 'gpu' }), ...running('web', web), ...running('api', api)];

    expect(verdictOfWeb(old, [deployment('web', 'm:2', web)])).toEqual(['fits']);
    expect(verdictOfWeb(old, [deployment('web', 'm:2', web), deployment('api', 'm:2', api)])).toEqual(OTHERS);
  });

  test('if they leave a node because they request less', () => {
    const web = { cpu: 2, nodes: ['a'] };
    const old = [node('a', 6), node('b', 1), ...running('web', web), ...running('api', { cpu: 2, nodes: ['a', 'a'] })];

    expect(verdictOfWeb(old, [deployment('web', 'm:2', web)])).toEqual(['deadlocks']);
    expect(verdictOfWeb(old, [deployment('web', 'm:2', web), deployment('api', 'm:2', { cpu: 1, nodes: ['a', 'a'] })])).toEqual(OTHERS);
  });

  test('if they have fewer pods afterwards', () => {
    const old = [node('a', 4), ...running('web', { cpu: 1, nodes: ['a'] }), ...running('api', { cpu: 1, nodes: ['a', 'a', 'a'] })];

    expect(
      verdictOfWeb(old, [deployment('web', 'm:2', { cpu: 2, nodes: ['a'] }), deployment('api', 'm:1', { cpu: 1, nodes: ['a'] })]),
    ).toEqual(OTHERS);
  });

  test('if both use a host port from then on', () => {
    const ports = [{ containerPort: 80, hostPort: 80 }];
    const old = [node('a', 8), ...running('web', { cpu: 1, nodes: ['a'] }), ...running('api', { cpu: 1, nodes: ['a'] })];

    expect(
      verdictOfWeb(old, [
        deployment('web', 'm:2', { cpu: 1, nodes: ['a'], ports }),
        deployment('api', 'm:2', { cpu: 1, nodes: ['a'], ports }),
      ]),
    ).toEqual(OTHERS);
  });

  test('if a DaemonSet grows on its node', () => {
    const daemon = (cpu: string) => ({
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: 'agent', namespace: 'shop' },
      spec: {
        selector: { matchLabels: { app: 'agent' } },
        template: {
          metadata: { labels: { app: 'agent' } },
          spec: { containers: [{ name: 'agent', image: 'agent:1', resources: { requests: { cpu } } }] },
        },
      },
    });
    const old = [node('a', 4), ...running('web', { cpu: 1, nodes: ['a'] }), daemon('1')];

    expect(verdictOfWeb(old, [deployment('web', 'm:2', { cpu: 2, nodes: ['a'] }), daemon('2')])).toEqual(OTHERS);
  });

  test('if a quota has to make do for the pods that the change adds elsewhere', () => {
    const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'cpu', namespace: 'shop' }, spec: { hard: { cpu: '4' } } };
    const used = { ...quota, status: { hard: { cpu: '4' }, used: { cpu: '2' } } };
    const old = [used, ...running('web', { cpu: 1, nodes: ['a'] }), ...running('api', { cpu: 1, nodes: ['a'] })];

    expect(
      verdictOfWeb(old, [
        deployment('web', 'm:2', { cpu: 2, nodes: ['a'] }),
        deployment('api', 'm:1', { cpu: 1, replicas: 3, nodes: ['a'] }),
      ]),
    ).toEqual(OTHERS);
  });
});

describe('a rollout fits whatever the others do', () => {
  test('if the nodes have enough capacity for all pods of all of them', () => {
    const old = [node('a', 9), ...running('web', { cpu: 1, nodes: ['a'] }), ...running('api', { cpu: 1, nodes: ['a'] })];

    expect(
      verdictOfWeb(old, [deployment('web', 'm:2', { cpu: 2, nodes: ['a'] }), deployment('api', 'm:2', { cpu: 2, nodes: ['a'] })]),
    ).toEqual(['fits']);
  });

  test('if they only run on other nodes', () => {
    const api = { cpu: 4, nodes: ['b'], podSpec: { nodeSelector: { pool: 'api' } } };
    const web = { cpu: 1, nodes: ['a'], podSpec: { nodeSelector: { pool: 'web' } } };
    const old = [node('a', 2, { pool: 'web' }), node('b', 8, { pool: 'api' }), ...running('web', web), ...running('api', api)];

    expect(verdictOfWeb(old, [deployment('web', 'm:2', web), deployment('api', 'm:2', { ...api, cpu: 8 })])).toEqual(['fits']);
  });
});

describe('a pod of others that waits for a node', () => {
  const waiting = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'batch', namespace: 'shop' },
    spec: { containers: [{ name: 'batch', image: 'batch:1', resources: { requests: { cpu: '2' } } }] },
    status: { phase: 'Pending' },
  };
  const old = [node('a', 3), ...running('web', { cpu: 1, nodes: ['a'] }), waiting];

  test('may take the capacity that a rollout needs, or may not', () => {
    const web = deployment('web', 'm:2', { cpu: 2, nodes: ['a'] });

    expect(verdictOfWeb(old, [web])).toEqual(['may-not-fit', 'Pending pods']);
    expect(planChange(old, [web]).rollouts[0]!.findings.map(({ message, help }) => [message, help])).toContainEqual([
      'The pods may not fit: this depends on whether the Pending pods get places first.',
      'Apply once the Pending pods run or are gone, or add capacity until all pods fit at once.',
    ]);
  });

  test('is not the reason if another rollout takes or leaves places too', () => {
    const api = { cpu: 1, nodes: ['a'] };
    const next = [deployment('web', 'm:2', { cpu: 2, nodes: ['a'] }), deployment('api', 'm:2', api)];

    expect(verdictOfWeb([node('a', 4), ...old.slice(1), ...running('api', api)], next)).toEqual(OTHERS);
  });
});
