import { renderPlanText } from '../../src/render/text/plan';
import { simulateRevision } from '../../src/workloads/revision/simulate';
import type { RevisionScale } from '../../src/workloads/revision/scale';
import type { RevisionSimulation } from '../../src/core/simulations/revision';
import { planOf, rolloutOf } from './plans';

const SCALE: RevisionScale = {
  minScale: 2,
  initialScale: 1,
  requiredReadyPods: 2,
  leftoverPods: 0,
  trafficPercent: 100,
  rolloutSeconds: 0,
  progressDeadline: 600,
  graceSeconds: 30,
};

function textOf(simulation: RevisionSimulation): string {
  return renderPlanText(planOf([rolloutOf(simulation, { system: 'kserve', strategy: null, provenance: [] })]));
}

test('a new Revision is shown with the old one and its share of the requests', () => {
  expect(textOf(simulateRevision(SCALE, 2))).toMatchInlineSnapshot(`
"1 rollout on Kubernetes 1.36, KServe 0.17 and Knative 1.21: no findings

a wave is one step: the controller creates and deletes pods, then waits until the new ones are ready

Deployment shop/web (kserve)
  a new Revision replaces the old one
  2 replicas plus a new Revision: 4 waves, peak 4 pods, at least 2 available

  wave  new  old  total  available  to new
     1    1    2      3          2      0%
     2    2    2      4          2      0%
     3    2    2      4          4    100%
     4    2    0      2          2    100%
"
`);
});

test('a canary says that both Revisions stay', () => {
  expect(textOf(simulateRevision({ ...SCALE, trafficPercent: 10 }, 2))).toMatchInlineSnapshot(`
"1 rollout on Kubernetes 1.36, KServe 0.17 and Knative 1.21: no findings

a wave is one step: the controller creates and deletes pods, then waits until the new ones are ready

Deployment shop/web (kserve)
  a new Revision replaces the old one
  2 replicas plus a new Revision: 3 waves, peak 4 pods, at least 2 available
  the new Revision gets 10% of the requests and both stay until canaryTrafficPercent changes

  wave  new  old  total  available  to new
     1    1    2      3          2      0%
     2    2    2      4          2      0%
     3    2    2      4          4     10%
"
`);
});

test.each([
  [
    'some new pods run',
    undefined,
    'halts at wave 2: the new Revision does not fit, and its running pods keep their capacity permanently; the old one keeps all requests',
  ],
  [
    'no new pods run',
    630,
    'halts at wave 2: the new Revision does not fit, and Knative gives up after 10m30s; the old one keeps all requests',
  ],
] as const)('says where it halts for lack of capacity and how long it tries, if %s', (_, afterSeconds, line) => {
  const halted = { wave: 2, reason: 'insufficient-capacity', ...(afterSeconds !== undefined && { afterSeconds }) } as const;
  expect(textOf({ ...simulateRevision({ ...SCALE, trafficPercent: 0 }, 2), halted })).toContain(`\n  ${line}\n`);
});
