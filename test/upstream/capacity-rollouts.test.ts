import type { CapacityVerdict } from '../../src/core/document/capacity-result';
import type { Manifest } from '../../src/core/manifest/manifest';
import type { DeploymentSimulation } from '../../src/core/simulations/deployment';
import type { PlannedRollout } from '../../src/core/document/rollout';
import { planChange } from '../../src/headless';
import { sampleOf } from '../setup/recording-step';
import { recorded } from './recording';

/** A rollout in a small cluster, and what the scheduler's filters and the quota evaluators made of all placements. */
interface CapacityCase {
  readonly id: string;
  readonly theme: string;
  readonly nodes: readonly Manifest[];
  readonly running: readonly Manifest[] | null;
  /** Names of the nodes of the old pods. */
  readonly oldPods: readonly string[];
  readonly quota?: Manifest;
  readonly devices?: readonly Manifest[];
  readonly old: Manifest & { readonly spec: { readonly template: { readonly metadata: object; readonly spec: object } } };
  readonly new: Manifest;
  readonly replicas: number;
  /** Unset for the cases written by hand. */
  readonly outcome?: 'every' | 'some' | 'none';
  /** New pods that run where a placement does not finish. */
  readonly newAtLeast: number;
  readonly newAtMost: number;
}

const cases = recorded('kubernetes-capacity') as readonly CapacityCase[];
const byProgram = cases.filter(({ outcome }) => outcome !== undefined);
const byHand = cases.filter(({ outcome }) => outcome === undefined);

const HASH = '5d9c7b6f4d';
const NAMESPACE = 'models';

function controller(apiVersion: string, kind: string, name: string, uid: string) {
  return [{ apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true }];
}

/** Returns the Deployment, its ReplicaSet and its Pods as a cluster stores them. */
function liveObjects({ old, oldPods, replicas }: CapacityCase): Manifest[] {
  const labels = { app: 'web', 'pod-template-hash': HASH };
  const counts = { replicas, readyReplicas: replicas, availableReplicas: replicas };
  const deployment = {
    ...old,
    metadata: {
      ...old.metadata,
      uid: 'web',
      generation: 1,
      annotations: { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(old) },
    },
    status: { observedGeneration: 1, updatedReplicas: replicas, ...counts },
  };
  const replicaSet = {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `web-${HASH}`,
      namespace: NAMESPACE,
      uid: `web-${HASH}`,
      labels,
      ownerReferences: controller('apps/v1', 'Deployment', 'web', 'web'),
    },
    spec: { replicas, selector: { matchLabels: labels }, template: { ...old.spec.template, metadata: { labels } } },
    status: counts,
  };
  const pods = oldPods.map((nodeName, index) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `web-${HASH}-${index}`,
      namespace: NAMESPACE,
      labels,
      ownerReferences: controller('apps/v1', 'ReplicaSet', `web-${HASH}`, `web-${HASH}`),
    },
    spec: { ...old.spec.template.spec, nodeName },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
  }));
  return [deployment, replicaSet, ...pods];
}

/** How the cluster is passed to the plan. */
type Variant = 'live' | 'nodes in view' | 'manifest' | 'no status';

const livePlans = new Map<CapacityCase, PlannedRollout>();

/** Plans a case, and a live one only once. */
function planCase(given: CapacityCase, variant: Variant): PlannedRollout {
  if (variant !== 'live') return planVariant(given, variant);
  const known = livePlans.get(given) ?? planVariant(given, variant);
  livePlans.set(given, known);
  return known;
}

function planVariant(given: CapacityCase, variant: Variant): PlannedRollout {
  const quotas = given.quota ? [given.quota] : [];
  const old = [
    ...(variant === 'manifest' ? [given.old] : liveObjects(given)),
    ...(variant === 'no status' ? quotas.map((quota) => ({ ...quota, status: {} })) : quotas),
    ...(given.running ?? []),
    ...(given.devices ?? []),
    ...(variant === 'nodes in view' ? given.nodes : []),
  ];
  const capacity = { apiVersion: 'v1', kind: 'List', items: given.nodes };
  return planChange(old, [given.new], variant === 'nodes in view' ? {} : { capacity }).rollouts[0]!;
}

function judge(verdict: CapacityVerdict | undefined, { outcome }: CapacityCase): string {
  if (verdict === undefined) return 'no verdict';
  if (verdict === 'fits' || verdict === 'slower') return outcome === 'every' ? 'right' : 'falsely fits';
  if (verdict === 'deadlocks') return outcome === 'none' ? 'right' : 'falsely deadlocks';
  return outcome === 'some' ? 'right' : 'undecided';
}

function countJudgements(variant: Variant, compared: readonly CapacityCase[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const given of compared) {
    const judgement = judge(planCase(given, variant).capacity?.verdict, given);
    counts[judgement] = (counts[judgement] ?? 0) + 1;
  }
  return counts;
}

describe('rollouts in small clusters, by the filters of the scheduler and the quota evaluators of Kubernetes 1.34', () => {
  test('no verdict is wrong if the running pods are known; labels of namespaces that are not in view leave two undecided', () => {
    expect(countJudgements('live', byProgram)).toEqual({ right: 205, undecided: 2 });
  });

  test.each([
    ['Nodes among the objects are the capacity', 'nodes in view'],
    ['a quota without a status counts old pods at their own amounts', 'no status'],
  ] as const)('%s, with the same verdicts', (_, variant) => {
    const verdictsOf = (given: CapacityCase) => [variant, 'live' as const].map((cluster) => planCase(given, cluster).capacity?.verdict);
    expect(
      sampleOf(byProgram)
        .map(verdictsOf)
        .filter(([verdict, live]) => verdict !== live),
    ).toEqual([]);
  });

  test('without the old pods, their nodes are unknown, and no verdict is wrong', () => {
    const compared = sampleOf(byProgram);
    const { right, undecided = 0, ...wrong } = countJudgements('manifest', compared);
    expect(wrong).toEqual({});
    expect(undecided / compared.length).toBeLessThan(0.08);
    expect(right).toBeGreaterThan(0);
  });

  test('a rollout that deadlocks keeps the recorded number of new pods, in its verdict and in its last row', () => {
    for (const given of byProgram.filter(({ outcome }) => outcome === 'none')) {
      const { capacity, simulation } = planCase(given, 'live');
      const { newPodsAtLeast, newPodsAtMost } = capacity!;
      const range = [given.newAtLeast, given.newAtMost];
      expect({ id: given.id, range: [newPodsAtLeast, newPodsAtMost] }).toEqual({ id: given.id, range });
      const { replicas, unavailable, waves, halted } = simulation as DeploymentSimulation;
      expect(halted).toEqual({ wave: capacity!.deadlockWave, reason: 'insufficient-capacity' });
      const old = waves.at(-1)?.oldReplicas ?? replicas;
      expect({ id: given.id, old }).toEqual({ id: given.id, old: Math.max(0, replicas - unavailable - given.newAtMost) });
    }
  });

  test('a rollout that finishes only in some placements has both ends', () => {
    for (const given of byProgram.filter(({ outcome }) => outcome === 'some')) {
      const { because, newPodsAtLeast, newPodsAtMost } = planCase(given, 'live').capacity!;
      expect({ id: given.id, because, newPodsAtLeast, newPodsAtMost }).toEqual({
        id: given.id,
        because: expect.arrayContaining(['the choice of nodes']) as string[],
        newPodsAtLeast: given.newAtLeast,
        newPodsAtMost: given.replicas,
      });
    }
  });

  test('the cases written by hand end as the facts say', () => {
    const outcomes = byHand.map((given) => {
      const { verdict, newPodsAtLeast, newPodsAtMost } = planCase(given, 'live').capacity!;
      return [given.id, verdict, newPodsAtLeast, newPodsAtMost].filter((part) => part !== undefined).join(' ');
    });
    expect(outcomes).toEqual([
      'q-shrink-4 deadlocks 0 0',
      'q-shrink-5 fits',
      'q-shrink-4-u1 fits',
      'q-grow-4 deadlocks 1 1',
      'q-grow-4-u1 slower',
      'q-grow-5 fits',
      'local-3cpu deadlocks 0 0',
      'spread-c-full fits',
      'spread-tainted-zone deadlocks 2 2',
      'spread-tainted-zone-honor fits',
      'spread-minDomains deadlocks 2 2',
      'spread-empty-selector fits',
      'spread-full-zone deadlocks 1 1',
      'anti-old-alone deadlocks 0 0',
      'anti-old-alone-u1 fits',
      'anti-new-alone deadlocks 0 0',
      'anti-hash fits',
      'self-affinity-zone fits',
      'self-affinity-hash may-not-fit 2 3',
      'first-pod-elsewhere deadlocks 0 0',
      'pool-move fits',
      'rank-decides deadlocks 1 1',
    ]);
  });
});
