import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { CapacityResult } from '../../src/core/document/capacity-result';
import type { Fields, Manifest } from '../../src/core/manifest/manifest';
import type { PlannedRollout } from '../../src/core/document/rollout';
import { planChange } from '../../src/headless';

/** How a rollout ends, over every choice of nodes that the scheduler's filters allow. */
export interface Ends {
  readonly outcome: 'every' | 'some' | 'none';
  /** New pods that run at the ends. */
  readonly newAtLeast: number;
  readonly newAtMost: number;
  /** Old pods that run at the ends, at least. */
  readonly oldAtLeast: number;
  /** Whether pods of others are evicted at an end. */
  readonly evicts?: boolean;
}

/** A pod template. */
interface Template {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly spec: Fields;
}

/** A workload as it is applied. */
type WorkloadManifest = Manifest & {
  readonly spec: Fields & {
    readonly template?: Template;
    readonly leaderWorkerTemplate?: { readonly size: number; readonly workerTemplate: Template };
  };
};

function templateOf({ spec: { template, leaderWorkerTemplate } }: WorkloadManifest): Template {
  return template ?? leaderWorkerTemplate!.workerTemplate;
}

/** A rollout in a small cluster. */
export interface SchedulerCase extends Ends {
  readonly id: string;
  readonly theme: string;
  readonly nodes: readonly Manifest[];
  /** Pods of others. */
  readonly others?: readonly Manifest[];
  readonly objects?: readonly Manifest[];
  readonly quota?: Manifest;
  /** Names of the nodes of the pods at the start. */
  readonly oldPods: readonly string[];
  /** Names of their devices. */
  readonly oldDevices?: readonly (readonly string[])[];
  readonly old: WorkloadManifest;
  readonly new: WorkloadManifest;
  /** The ends if controller, scheduler and kubelet act in any order, if they differ. */
  readonly raced?: Ends;
  /** The ends if the scheduler evicted nothing, if it does. */
  readonly unevicted?: Ends;
}

const NAMESPACE = 'models';
const REVISION = '5d9c7b6f4d';
const DEVICE_DRIVER = 'gpu.example.com';

const RECORDING = path.join(__dirname, '../fixtures/upstream/kubernetes-scheduler.json.gz');

/** Returns every so-manieth case of the recording, all by default. */
export function readSchedulerCases(step = 1): SchedulerCase[] {
  const lines = gunzipSync(readFileSync(RECORDING)).toString('utf8').split('\n');
  const cases = lines.filter((line) => line.startsWith('{"id"'));
  // Each case is a line, so that a sample is read without the rest.
  return cases.filter((_, index) => index % step === 0).map((line) => JSON.parse(line.replace(/,$/, '')) as SchedulerCase);
}

function ownerReference(apiVersion: string, kind: string, name: string) {
  return [{ apiVersion, kind, name, uid: name, controller: true, blockOwnerDeletion: true }];
}

/** How the pods of a kind are named, labelled and owned. */
interface KindOfPods {
  readonly revisionLabel: string;
  readonly nameOf: (position: number, groupSize: number) => string;
  readonly owner: (position: number, groupSize: number) => readonly object[];
  /** Labels of a pod beyond those of the template. @default - none */
  readonly labelsOf?: (position: number, groupSize: number) => Readonly<Record<string, string>>;
}

/** Name of the ReplicaSet, or of the revision of a StatefulSet. */
const REVISION_NAME = `web-${REVISION}`;

const KINDS_OF_PODS: Readonly<Record<string, KindOfPods>> = {
  Deployment: {
    revisionLabel: 'pod-template-hash',
    nameOf: (position) => `${REVISION_NAME}-${position}`,
    owner: () => ownerReference('apps/v1', 'ReplicaSet', REVISION_NAME),
  },
  Rollout: {
    revisionLabel: 'rollouts-pod-template-hash',
    nameOf: (position) => `${REVISION_NAME}-${position}`,
    owner: () => ownerReference('apps/v1', 'ReplicaSet', REVISION_NAME),
  },
  StatefulSet: {
    revisionLabel: 'controller-revision-hash',
    nameOf: (position) => `web-${position}`,
    owner: () => ownerReference('apps/v1', 'StatefulSet', 'web'),
  },
  DaemonSet: {
    revisionLabel: 'controller-revision-hash',
    nameOf: (position) => `web-${position}`,
    owner: () => ownerReference('apps/v1', 'DaemonSet', 'web'),
  },
  LeaderWorkerSet: {
    revisionLabel: 'leaderworkerset.sigs.k8s.io/template-revision-hash',
    nameOf: (position, size) =>
      position % size === 0 ? `web-${position / size}` : `web-${Math.floor(position / size)}-${position % size}`,
    // The StatefulSet of the workers of a group has the name of the leader.
    owner: (position, size) => {
      const group = `web-${Math.floor(position / size)}`;
      return ownerReference('apps/v1', 'StatefulSet', position % size === 0 ? 'web' : group);
    },
    labelsOf: (position, size) => ({
      'leaderworkerset.sigs.k8s.io/name': 'web',
      'leaderworkerset.sigs.k8s.io/group-index': `${Math.floor(position / size)}`,
      'leaderworkerset.sigs.k8s.io/worker-index': `${position % size}`,
    }),
  },
};

function listPods({ old, oldPods, oldDevices }: SchedulerCase): Manifest[] {
  const { revisionLabel, nameOf, owner, labelsOf } = KINDS_OF_PODS[old.kind]!;
  const { metadata, spec } = templateOf(old);
  const revision = old.kind === 'StatefulSet' ? REVISION_NAME : REVISION;
  const size = old.spec.leaderWorkerTemplate?.size ?? 1;
  return oldPods.flatMap((nodeName, position) => {
    const name = nameOf(position, size);
    const [claim] = (spec.resourceClaims ?? []) as readonly { readonly name: string; readonly resourceClaimTemplateName: string }[];
    const claimName = `${name}-gpu-x`;
    const templates = (old.spec.volumeClaimTemplates ?? []) as readonly { readonly metadata: { readonly name: string } }[];
    const volumes = templates.map(({ metadata: { name: volume } }) => ({
      name: volume,
      persistentVolumeClaim: { claimName: `${volume}-${name}` },
    }));
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name,
        namespace: NAMESPACE,
        uid: name,
        labels: { ...metadata.labels, ...labelsOf?.(position, size), [revisionLabel]: revision },
        ownerReferences: owner(position, size),
      },
      spec: { ...spec, ...(volumes.length > 0 && { volumes: [...((spec.volumes ?? []) as object[]), ...volumes] }), nodeName },
      status: {
        phase: 'Running',
        conditions: [{ type: 'Ready', status: 'True' }],
        ...(claim && { resourceClaimStatuses: [{ name: claim.name, resourceClaimName: claimName }] }),
      },
    };
    const devices = oldDevices?.[position];
    if (!devices) return [pod];
    const consumers = { reservedFor: [{ resource: 'pods', name, uid: name }] };
    const results = devices.map((device) => ({ request: 'gpu', driver: DEVICE_DRIVER, pool: nodeName, device }));
    const requests = [{ name: 'gpu', exactly: { deviceClassName: DEVICE_DRIVER, allocationMode: 'ExactCount', count: devices.length } }];
    return [
      pod,
      {
        apiVersion: 'resource.k8s.io/v1',
        kind: 'ResourceClaim',
        metadata: { name: claimName, namespace: NAMESPACE, uid: claimName, ownerReferences: ownerReference('v1', 'Pod', name) },
        spec: { devices: { requests } },
        status: { ...consumers, allocation: { devices: { results } } },
      },
    ];
  });
}

/** Returns the workload, what its controller made, and its Pods as a cluster stores them. */
function listLiveObjects(given: SchedulerCase): Manifest[] {
  const { old, oldPods } = given;
  const replicas = oldPods.length;
  const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(old) };
  const metadata = { ...old.metadata, uid: 'web', generation: 1, annotations };
  const counts = { replicas, readyReplicas: replicas, availableReplicas: replicas };
  const pods = listPods(given);
  const { kind } = old;
  const status = { observedGeneration: 1, updatedReplicas: replicas, ...counts };
  if (kind === 'StatefulSet') {
    const revisions = { currentRevision: REVISION_NAME, updateRevision: REVISION_NAME };
    return [{ ...old, metadata, status: { ...status, currentReplicas: replicas, ...revisions } }, ...pods];
  }
  if (kind === 'DaemonSet') {
    const numbers = {
      desiredNumberScheduled: replicas,
      currentNumberScheduled: replicas,
      numberReady: replicas,
      numberAvailable: replicas,
    };
    return [{ ...old, metadata, status: { observedGeneration: 1, ...numbers, updatedNumberScheduled: replicas } }, ...pods];
  }
  if (kind === 'LeaderWorkerSet') {
    const groups = old.spec.replicas as number;
    return [{ ...old, metadata, status: { replicas: groups, readyReplicas: groups, updatedReplicas: groups } }, ...pods];
  }
  const { revisionLabel } = KINDS_OF_PODS[kind]!;
  const labels = { ...templateOf(old).metadata.labels, [revisionLabel]: REVISION };
  const replicaSet = {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: REVISION_NAME,
      namespace: NAMESPACE,
      uid: REVISION_NAME,
      labels,
      ownerReferences: ownerReference(old.apiVersion, kind, 'web'),
    },
    spec: { replicas, selector: { matchLabels: labels }, template: { ...templateOf(old), metadata: { labels } } },
    status: counts,
  };
  const ofRollout = { ...status, observedGeneration: '1', currentPodHash: REVISION, stableRS: REVISION, phase: 'Healthy' };
  return [{ ...old, metadata, status: kind === 'Rollout' ? ofRollout : status }, replicaSet, ...pods];
}

/** Plans a case from live objects, with the Nodes among them. */
export function planCase(given: SchedulerCase): PlannedRollout {
  const { quota, others = [], objects = [], nodes } = given;
  const old = [...listLiveObjects(given), ...(quota ? [quota] : []), ...others, ...objects, ...nodes];
  return planChange(old, [given.new]).rollouts[0]!;
}

function planManifestsOf({ old, new: next, quota, others = [], objects = [], nodes }: SchedulerCase): PlannedRollout {
  return planChange([old, ...(quota ? [quota] : []), ...others, ...objects, ...nodes], [next]).rollouts[0]!;
}

/** What a verdict is, held against how the rollout ends. */
export type Judgement = 'right' | 'falsely fits' | 'falsely deadlocks' | 'undecided' | 'no verdict';

/**
 * Judges a verdict. It must hold in both orders of events. A rollout that needs an eviction does not simply fit, and one that an eviction may
 * help does not deadlock.
 */
export function judge(capacity: CapacityResult | undefined, { outcome, raced, unevicted }: SchedulerCase): Judgement {
  if (capacity === undefined) return 'no verdict';
  const { verdict } = capacity;
  const outcomes = [outcome, raced?.outcome ?? outcome];
  const all = new Set([...outcomes, unevicted?.outcome ?? outcome]);
  if (verdict === 'fits' || verdict === 'slower') return all.size === 1 && all.has('every') ? 'right' : 'falsely fits';
  if (verdict === 'deadlocks') return outcomes.every((one) => one === 'none') ? 'right' : 'falsely deadlocks';
  return all.size > 1 || all.has('some') ? 'right' : 'undecided';
}

type Planner = (given: SchedulerCase) => PlannedRollout;

/** Returns a planner that plans each case only once. */
function planEachOnce(plan: Planner): Planner {
  const planned = new Map<SchedulerCase, PlannedRollout>();
  return (given) => {
    const known = planned.get(given) ?? plan(given);
    planned.set(given, known);
    return known;
  };
}

const planOnce = planEachOnce(planCase);

/** Plans a case from the manifests alone, so that the nodes of its pods are not known. */
export const planWithoutPods = planEachOnce(planManifestsOf);

/** Counts the cases by judgement. */
export function countJudgements(cases: readonly SchedulerCase[], plan: Planner = planOnce): Readonly<Partial<Record<Judgement, number>>> {
  const counts: Partial<Record<Judgement, number>> = {};
  for (const given of cases) {
    const judgement = judge(plan(given).capacity, given);
    counts[judgement] = (counts[judgement] ?? 0) + 1;
  }
  return counts;
}

/** Lists the undecided cases whose verdict names no reason. */
export function findUnexplained(cases: readonly SchedulerCase[]): string[] {
  return cases.flatMap((given) => {
    const { capacity } = planOnce(given);
    return judge(capacity, given) === 'undecided' && (capacity?.because ?? []).length === 0 ? [given.id] : [];
  });
}

/** Returns the fewest and the most new pods that run once a rollout has deadlocked, or new groups with all of their pods. */
function readNewPods({ capacity, simulation }: PlannedRollout): readonly [number, number] {
  const size = simulation?.kind === 'leaderworkerset' ? simulation.size : 1;
  return [capacity!.newPodsAtLeast! / size, capacity!.newPodsAtMost! / size];
}

/** How the new pods of a rollout that deadlocks compare with those recorded: the same, a wider range, or another number. */
type Comparison = 'same' | 'wider' | 'other';

function compareNewPods(given: SchedulerCase): Comparison {
  const size = given.old.spec.leaderWorkerTemplate?.size ?? 1;
  const { newAtLeast, newAtMost } = given.unevicted ?? given;
  const [least, most] = [Math.floor(newAtLeast / size), Math.floor(newAtMost / size)];
  const [plannedLeast, plannedMost] = readNewPods(planOnce(given));
  if (plannedLeast === least && plannedMost === most) return 'same';
  return plannedLeast <= least && plannedMost >= most ? 'wider' : 'other';
}

/** Lists the rollouts that deadlock with another number of new pods than recorded, or with a wider range. */
export function findNewPods(cases: readonly SchedulerCase[], comparison: Comparison): string[] {
  return cases.flatMap((given) => {
    const { capacity } = planOnce(given);
    if (capacity?.verdict !== 'deadlocks' || judge(capacity, given) !== 'right' || compareNewPods(given) !== comparison) return [];
    return [`${given.id}: ${readNewPods(planOnce(given)).join(' to ')}`];
  });
}

/**
 * Lists the Deployments whose last row shows another number of old pods than are left with the most new ones, and the LeaderWorkerSets whose
 * last row shows another number of old groups than recorded.
 */
export function findWrongRows(cases: readonly SchedulerCase[]): string[] {
  return cases.flatMap((given) => {
    const { capacity, simulation } = planOnce(given);
    if (capacity?.verdict !== 'deadlocks' || judge(capacity, given) !== 'right') return [];
    if (simulation?.kind === 'leaderworkerset') {
      const left = simulation.waves.at(-1)!.oldGroups * simulation.size;
      return left === given.oldAtLeast ? [] : [`${given.id}: ${left} old pods, ${given.oldAtLeast} recorded`];
    }
    if (simulation?.kind !== 'deployment') return [];
    const { replicas, unavailable, waves } = simulation;
    const old = waves.at(-1)?.oldReplicas ?? replicas;
    const expected = Math.max(0, replicas - unavailable - capacity.newPodsAtMost!);
    return old === expected ? [] : [`${given.id}: ${old} old pods, ${expected} expected`];
  });
}

/** Lists the rollouts that finish by their verdict and not by their rows, or the other way round. */
export function findContradictions(cases: readonly SchedulerCase[], plan: Planner = planOnce): string[] {
  return cases.flatMap((given) => {
    const { capacity, simulation } = plan(given);
    const { halted } = (simulation ?? {}) as { readonly halted?: { readonly wave: number } };
    const { verdict, deadlockWave } = capacity ?? {};
    if (verdict === undefined || verdict === 'may-not-fit') return [];
    const isSame = verdict === 'deadlocks' ? halted?.wave === deadlockWave : halted === undefined;
    return isSame ? [] : [`${given.id} ${verdict}`];
  });
}

/** Lists the cases whose verdict is wrong. */
export function findWrongVerdicts(cases: readonly SchedulerCase[], plan: Planner = planOnce): string[] {
  return cases.flatMap((given) => {
    const judgement = judge(plan(given).capacity, given);
    return judgement.startsWith('falsely') ? [`${given.id} ${judgement}`] : [];
  });
}
