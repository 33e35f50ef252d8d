import { planManifests } from '../../src/plan/plan';
import { expectValidPlan } from '../plan-schema';

/** A container with so many resources that are not valid amounts. */
function flooded(resources: number, annotations: object = {}): object {
  const requests = Object.fromEntries(Array.from({ length: resources }, (_, index) => [`example.com/r${index}`, 'much']));
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', annotations },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: 'a' } },
      template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'a', image: 'a:1', resources: { requests } }] } },
    },
  };
}

test('an object with 50,000 errors has a hundred findings and one for the others, in 100 kB', () => {
  const plan = expectValidPlan(planManifests([flooded(50_000)]));
  const errors = plan.rollouts[0]!.findings.filter(({ severity }) => severity === 'error');
  expect(errors.slice(0, 100).map(({ path }) => path)).toEqual(
    Array.from({ length: 100 }, (_, index) => `spec.template.spec.containers[0].resources.requests[example.com/r${index}]`),
  );
  expect(errors.slice(100)).toMatchObject([
    { code: 'input/wrong-type', messageId: 'omittedFindings', data: { listed: 100, omitted: 49_900 }, path: '' },
  ]);
  expect(plan.summary.errors).toBe(101);
  expect(JSON.stringify(plan).length).toBeLessThan(100_000);
});

test('an annotation that ignores a rule also ignores its omitted findings', () => {
  const { rollouts, summary } = planManifests([flooded(150, { 'rolloutkit/ignore': 'input/wrong-type: filled in later' })]);
  const [found] = rollouts[0]!.findings.filter(({ messageId }) => messageId === 'omittedFindings');
  expect(found).toMatchObject({ data: { listed: 100, omitted: 50 }, suppressed: { by: 'annotation', reason: 'filled in later' } });
  expect(summary.errors).toBe(0);
});
