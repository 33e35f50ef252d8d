import { planManifests } from '../../src/headless';

function deployment(name: string, namespace: string): object {
  const labels = { app: name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, labels },
    spec: {
      replicas: 4,
      selector: { matchLabels: labels },
      strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 2 } },
      template: { metadata: { labels }, spec: { containers: [{ name: 'app', image: 'app:1' }] } },
    },
  };
}

const BUDGET = {
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'all', namespace: 'counted' },
  spec: { minAvailable: 3, selector: {} },
};

// More than are evaluated together.
describe('of 600 Deployments, a third are in a namespace with a budget', () => {
  const namespaceOf = (index: number) => (index % 3 === 0 ? 'counted' : 'shop');
  const objects = Array.from({ length: 600 }, (_, index) => deployment(`web-${index}`, namespaceOf(index)));
  const { rollouts } = planManifests([...objects, BUDGET]);

  test('each is planned, in the order of the input', () => {
    expect(rollouts.map(({ resource: { name } }) => name)).toEqual(objects.map((_, index) => `web-${index}`));
  });

  test('those that nothing counts are planned as if each were the only one', () => {
    const independent = objects.filter((_, index) => namespaceOf(index) === 'shop');
    const planned = rollouts.filter((_, index) => namespaceOf(index) === 'shop');
    expect(planned).toEqual(independent.flatMap((object) => planManifests([object]).rollouts));
  });

  test('the others have the budget', () => {
    const budgeted = rollouts.filter(({ budgets }) => budgets !== undefined);
    expect(budgeted.map(({ resource: { namespace } }) => namespace)).toEqual(Array.from({ length: 200 }, () => 'counted'));
  });
});
