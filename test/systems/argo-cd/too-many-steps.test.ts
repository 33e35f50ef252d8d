import { planManifests } from '../../../src/plan/plan';

test('an ApplicationSet with more steps and Applications than can be simulated is a finding, and the others are planned', () => {
  const setOf = (name: string, size: number) => ({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name, namespace: 'argocd' },
    spec: {
      generators: [{ list: { elements: Array.from({ length: size }, (_, index) => ({ name: `app-${index}` })) } }],
      strategy: { type: 'RollingSync', rollingSync: { steps: Array.from({ length: size }, () => ({ matchExpressions: [] })) } },
      template: {
        metadata: { name: '{{name}}' },
        spec: { project: 'default', destination: {}, source: { repoURL: 'https://example.com/apps' } },
      },
    },
  });
  const { rollouts, findings } = planManifests([setOf('large', 3_200), setOf('small', 2)]);

  expect(rollouts.map(({ resource }) => resource.name)).toEqual(['small']);
  expect(findings.filter(({ code }) => code === 'input/unreadable').map(({ message }) => message)).toEqual([
    'ApplicationSet argocd/large cannot be planned: rolloutkit fails on it with "3200 steps and 3200 Applications are too many to simulate".',
  ]);
});
