import { renderPlanText } from '../../src/render/text';
import { simulateRevision } from '../../src/systems/kserve/knative/simulate';
import type { RevisionScale } from '../../src/systems/kserve/knative/scale';
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

test('a Revision is shown beside the old one, with its share of the requests', () => {
  expect(textOf(simulateRevision(SCALE, 2))).toMatchInlineSnapshot(`
"1 rollout on Kubernetes 1.34, KServe 0.17 and Knative 1.21: no findings

a wave: pods that are started and stopped before anything has to wait for new pods to become ready

Deployment shop/web (kserve)
  a new Revision, replaced as a whole
  2 replicas and a new Revision beside them: 4 waves, peak 4 pods, at least 2 available

  wave  new  old  total  available  to new
     1    1    2      3          2      0%
     2    2    2      4          2      0%
     3    2    2      4          4    100%
     4    2    0      2          2    100%
"
`);
});

test('a canary says that both stay', () => {
  expect(textOf(simulateRevision({ ...SCALE, trafficPercent: 10 }, 2))).toMatchInlineSnapshot(`
"1 rollout on Kubernetes 1.34, KServe 0.17 and Knative 1.21: no findings

a wave: pods that are started and stopped before anything has to wait for new pods to become ready

Deployment shop/web (kserve)
  a new Revision, replaced as a whole
  2 replicas and a new Revision beside them: 3 waves, peak 4 pods, at least 2 available
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
    'halts at wave 2: the new Revision finds no room, and the new pods that run hold theirs for good; the old one keeps all requests',
  ],
  ['none does', 630, 'halts at wave 2: the new Revision finds no room, and Knative gives up after 630 s; the old one keeps all requests'],
] as const)('says where it halts for want of room, and for how long it tries, where %s', (_, afterSeconds, line) => {
  const halted = { wave: 2, reason: 'insufficient-capacity', ...(afterSeconds !== undefined && { afterSeconds }) } as const;
  expect(textOf({ ...simulateRevision({ ...SCALE, trafficPercent: 0 }, 2), halted })).toContain(`\n  ${line}\n`);
});
