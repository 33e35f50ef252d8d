import type { RolloutSystem } from '../../src/cluster/context/context';
import { CONTEXT_KINDS } from '../../src/cluster/kinds/context-kinds';
import { getValueAt, nameOf } from '../../src/core/manifest/manifest';
import type { Manifest } from '../../src/core/manifest/manifest';
import { readFiles } from '../../src/input/read';
import { planInput } from '../../src/plan/plan';
import type { PlanOptions } from '../../src/plan/plan-options';
import { PLAN_READING, SYSTEMS } from '../../src/plan/registry';
import { RULES } from '../../src/plan/rules';
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

describe('a system is asked about its surroundings only if something is in view that it needs', () => {
  function askedFor(object: Manifest, options: PlanOptions = {}): readonly string[] {
    const asked = new Set<string>();
    const system: RolloutSystem = {
      ...takeover,
      needsInView: { kinds: [CONTEXT_KINDS.horizontalPodAutoscaler], options: ['clusters'] },
      claims: () => Boolean(asked.add('claims')) && false,
      contextFindings: () => (asked.add('contextFindings'), []),
      runFindings: () => (asked.add('runFindings'), []),
    };
    planInput({ objects: [object], systems: [system] }, options);
    return [...asked];
  }

  const web = deployment({ replicas: 2 }, { name: 'web' }) as Manifest;
  const all = ['claims', 'contextFindings', 'runFindings'];

  test('nothing of it', () => expect(askedFor(web)).toEqual([]));
  test('an object of its kinds', () => expect(askedFor(autoscaler)).toEqual(all));
  test('one of its options', () => expect(askedFor(web, { clusters: [{ kind: 'Cluster' }] })).toEqual(all));
  test('an option that is an empty list', () => expect(askedFor(web, { clusters: [] })).toEqual([]));
});

test('a system has nothing to say if nothing is in view that it needs: the examples of all rules, and each of their objects alone, have the same plan if it is asked anyway', () => {
  const asked = SYSTEMS.map((system): RolloutSystem => {
    const { needsInView: _needs, ...others } = system;
    return others;
  });
  const fleet = (kind: string, spec: string) =>
    `apiVersion: fleet.cattle.io/v1alpha1\nkind: ${kind}\nmetadata: { name: a }\nspec: ${spec}\n`;
  const files = [
    ...RULES.flatMap(({ example, fixedExample }) => [example, fixedExample]).map((content) => ({ file: 'example.yaml', content })),
    { file: 'example.yaml', content: fleet('GitRepo', '{ paths: 1 }') },
    { file: 'example.yaml', content: fleet('ClusterGroup', '{ selector: 1 }') },
    { file: 'web/fleet.yaml', content: 'targetCustomizations: [{ name: a, clusterSelector: {} }]' },
  ];
  for (const file of files) {
    const { objects } = readFiles([file], PLAN_READING);
    const alone = objects.length > 1 ? objects.map((object) => [object]) : [];
    for (const some of [objects, ...alone]) expect(planInput({ objects: some, systems: asked })).toEqual(planInput({ objects: some }));
  }
});
