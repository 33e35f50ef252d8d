import { planChange, planManifests } from '../../../src/headless';

const CREATE_FIRST = { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };
const DELETE_FIRST = { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } };

/** Renders a Deployment of 2 pods of 1 CPU in namespace `shop`. */
function deployment(name: string, version: number, strategy: object, podSpec: object = {}) {
  const labels = { app: name };
  const containers = [{ name, image: `${name}:${version}`, resources: { requests: { cpu: '1' } } }];
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'shop' },
    spec: {
      replicas: 2,
      strategy,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers, ...podSpec } },
    },
  };
}

const FULL_QUOTA = {
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: 'cpu', namespace: 'shop' },
  spec: { hard: { 'requests.cpu': '4' } },
};

const FULL_NODE = { nodePools: [{ name: 'small', count: 1, allocatable: { cpu: '4', pods: '110' } }] };

/** Returns the verdicts on `api`, which creates pods first, in a change of both Deployments. */
function verdictBeside(old: object, next: object, surroundings: readonly object[], capacity?: object) {
  const api = [1, 2].map((version) => deployment('api', version, CREATE_FIRST));
  const { rollouts } = planChange([api[0]!, old, ...surroundings], [api[1]!, next, ...surroundings], { ...(capacity && { capacity }) });
  const { verdict, because } = rollouts.find(({ resource }) => resource.name === 'api')!.capacity!;
  return [verdict, because];
}

const DEPENDS = ['may-not-fit', ['other rollouts of the change']];

describe('a rollout that lacks capacity, while another rollout of the same change deletes a pod before it creates the next', () => {
  const [old, next] = [1, 2].map((version) => deployment('web', version, DELETE_FIRST)) as [object, object];

  test('may take its share of a quota', () => {
    expect(verdictBeside(old, next, [FULL_QUOTA])).toEqual(DEPENDS);
  });

  test('may take its place on a node', () => {
    expect(verdictBeside(old, next, [], FULL_NODE)).toEqual(DEPENDS);
  });
});

describe('a rollout that lacks capacity deadlocks', () => {
  test('if the other one creates pods first too', () => {
    const [old, next] = [1, 2].map((version) => deployment('web', version, CREATE_FIRST)) as [object, object];

    expect(verdictBeside(old, next, [FULL_QUOTA])).toEqual(['deadlocks', undefined]);
    expect(verdictBeside(old, next, [], FULL_NODE)).toEqual(['deadlocks', undefined]);
  });

  test('if the change leaves the other one as it is', () => {
    const web = deployment('web', 1, DELETE_FIRST);

    expect(verdictBeside(web, web, [FULL_QUOTA])).toEqual(['deadlocks', undefined]);
    expect(verdictBeside(web, web, [], FULL_NODE)).toEqual(['deadlocks', undefined]);
  });

  test('if what the other one leaves is too little', () => {
    const quota = { ...FULL_QUOTA, spec: { hard: { 'requests.cpu': '2100m' } } };
    const small = { containers: [{ name: 'web', image: 'web:1', resources: { requests: { cpu: '50m' } } }] };
    const changed = { containers: [{ ...small.containers[0], image: 'web:2' }] };

    expect(verdictBeside(deployment('web', 1, DELETE_FIRST, small), deployment('web', 2, DELETE_FIRST, changed), [quota])).toEqual([
      'deadlocks',
      undefined,
    ]);
  });

  test('in a plan without OLD, where the other one does not change', () => {
    const plan = planManifests([deployment('api', 2, CREATE_FIRST), deployment('web', 2, DELETE_FIRST), FULL_QUOTA]);

    expect(plan.rollouts[0]!.capacity).toMatchObject({ verdict: 'deadlocks' });
  });
});
