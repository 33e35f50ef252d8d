import { planManifests } from '../../../src/plan/plan';

const expression = { key: 'env', operator: 'NotIn', values: ['test'] };

test('an ApplicationSet with more steps, or expressions of them, and Applications than can be simulated is a finding, and the others are planned', () => {
  const setOf = (name: string, size: number, steps: readonly object[]) => ({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name, namespace: 'argocd' },
    spec: {
      generators: [{ list: { elements: Array.from({ length: size }, (_, index) => ({ name: `app-${index}` })) } }],
      strategy: { type: 'RollingSync', rollingSync: { steps } },
      template: {
        metadata: { name: '{{name}}' },
        spec: { project: 'default', destination: {}, source: { repoURL: 'https://example.com/apps' } },
      },
    },
  });
  const { rollouts, findings } = planManifests([
    setOf(
      'steps',
      3_200,
      Array.from({ length: 3_200 }, () => ({ matchExpressions: [] })),
    ),
    setOf('expressions', 3_200, [{ matchExpressions: Array.from({ length: 3_200 }, () => expression) }]),
    setOf('small', 2, [{ matchExpressions: [expression] }]),
  ]);

  expect(rollouts.map(({ resource }) => resource.name)).toEqual(['small']);
  expect(findings.filter(({ code }) => code === 'input/unreadable').map(({ message }) => message)).toEqual([
    'ApplicationSet argocd/steps cannot be planned: rolloutkit fails on it with "3200 steps with 0 expressions and 3200 Applications are too many to simulate".',
    'ApplicationSet argocd/expressions cannot be planned: rolloutkit fails on it with "1 step with 3200 expressions and 3200 Applications are too many to simulate".',
  ]);
});
