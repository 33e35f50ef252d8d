import type { RolloutSystem } from '../../src/cluster/context';
import { CONTEXT_KINDS } from '../../src/cluster/context-kinds';
import { getValueAt, nameOf } from '../../src/core/manifest';
import type { Manifest } from '../../src/core/manifest';
import { planInput } from '../../src/plan/plan';
import { kubernetesSystem } from '../../src/workloads/system';
import { deployment } from '../builders/workload';

/** A system that takes over the Deployment that an autoscaler of its context names; it recognizes no object by itself. */
const takeover: RolloutSystem = {
  name: 'argo-rollouts',
  rules: () => [],
  effects: 'unknown',
  recognises: () => false,
  claims: (object, context) =>
    context
      .all(CONTEXT_KINDS.horizontalPodAutoscaler)
      .some((scaler) => getValueAt(scaler, 'spec', 'scaleTargetRef', 'name') === nameOf(object)),
  plan: ({ apiVersion, kind, metadata }) => [
    {
      system: 'argo-rollouts',
      resource: { apiVersion, kind, name: String(metadata?.name) },
      strategy: null,
      provenance: [],
      simulation: null,
      findings: [],
    },
  ],
};

const autoscaler = {
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'api' },
  spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'api' } },
};

function systemsOf(systems: readonly RolloutSystem[]): Record<string, string> {
  const objects = [
    deployment({ replicas: 2 }, { name: 'api' }),
    deployment({ replicas: 2 }, { name: 'web' }),
    autoscaler,
  ] as readonly Manifest[];
  const { rollouts } = planInput({ objects, systems });
  return Object.fromEntries(rollouts.map(({ system, resource }) => [resource.name, system]));
}

test.each([
  ['before', [takeover, kubernetesSystem]],
  ['after', [kubernetesSystem, takeover]],
])('a system that claims an object plans it, also if it is listed %s the one that recognizes it', (_order, systems) => {
  expect(systemsOf(systems)).toEqual({ api: 'argo-rollouts', web: 'kubernetes' });
});

test('without a claim, the system that recognizes an object plans it', () => {
  expect(systemsOf([kubernetesSystem])).toEqual({ api: 'kubernetes', web: 'kubernetes' });
});
