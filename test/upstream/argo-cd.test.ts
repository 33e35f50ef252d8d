import { simulateRollingSync } from '../../src/systems/argo-cd/simulate';
import { parseApplicationSetStrategy } from '../../src/systems/argo-cd/steps';
import { rollingSyncBehaviourOf } from '../../src/systems/argo-cd/versions';
import { recorded } from './recording';

type RollingSync = readonly [
  steps: readonly object[],
  labels: readonly Readonly<Record<string, string>>[],
  waves: readonly (readonly string[])[],
];

const RECORDINGS = [
  ['3.5.1', ''],
  ['3.2.6', '-3.2'],
] as const;

test.each(RECORDINGS)('Argo CD %s syncs the Applications of a RollingSync in the planned waves', (version, suffix) => {
  const rollouts = recorded(`argo-cd-rolling-sync${suffix}`) as readonly RollingSync[];
  const ours = rollouts.map(([steps, labels]): RollingSync => {
    const strategy = parseApplicationSetStrategy({ spec: { strategy: { type: 'RollingSync', rollingSync: { steps } } } } as never);
    const applications = labels.map((ownLabels, index) => ({ name: `app-${index}`, labels: ownLabels }));
    const { waves } = simulateRollingSync(strategy, applications, rollingSyncBehaviourOf(version));
    return [steps, labels, waves.map((wave) => wave.applications!)];
  });
  expect(rollouts.length).toBeGreaterThan(400);
  expect(ours).toEqual(rollouts);
});
