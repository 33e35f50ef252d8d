import type { RolloutBudget } from '../core/budget';
import type { PlannedRollout, RolloutDependency, RolloutDuration } from '../core/rollout';
import type { Simulation } from '../core/simulations/simulation';
import type { RolloutGroups, RolloutWorkers, WorkerSize } from '../core/workers';
import { visible } from '../core/visible';
import { countedOrNo, listed } from '../core/words';

function durationText({ lowerBoundSeconds, expectedSeconds, abortSeconds, blastRadius }: RolloutDuration, broken: string): string {
  const takes = expectedSeconds === null ? 'never ends' : `takes ${expectedSeconds} s, at least ${lowerBoundSeconds} s`;
  const noticed = abortSeconds === null ? 'is never noticed' : `is noticed after ${abortSeconds} s`;
  return `${takes}; a broken image ${noticed} and breaks ${countedOrNo(blastRadius, broken)}`;
}

/** What a broken image breaks, where it is no pod. */
const BROKEN: Readonly<Partial<Record<PlannedRollout['system'], string>>> = { fleet: 'cluster', 'argo-cd': 'Application' };

type TextOf<S extends Simulation> = (simulation: S) => string;

/** The figures at one end of an autoscaler's range. What no autoscaler scales has its name alone. */
const END_TEXTS: { readonly [K in Simulation['kind']]: TextOf<Extract<Simulation, { kind: K }>> } = {
  deployment: ({ replicas, peakPods, minAvailable }) =>
    `${countedOrNo(replicas, 'replica')} peak at ${countedOrNo(peakPods, 'pod')} with at least ${minAvailable} available`,
  statefulset: ({ replicas, minAvailable }) => `${countedOrNo(replicas, 'replica')} keep at least ${minAvailable} available`,
  daemonset: ({ kind }) => kind,
  revision: ({ replicas, peakPods, minAvailable }) =>
    `${countedOrNo(replicas, 'replica')} peak at ${countedOrNo(peakPods, 'pod')} with at least ${minAvailable} available`,
  leaderworkerset: ({ replicas, peakGroups, minAvailable }) =>
    `${countedOrNo(replicas, 'group')} peak at ${countedOrNo(peakGroups, 'group')} with at least ${minAvailable} available`,
  disaggregatedset: ({ kind }) => kind,
  rayservice: ({ kind }) => kind,
  fleet: ({ kind }) => kind,
  rollingsync: ({ kind }) => kind,
  argorollout: ({ replicas, peakPods, minAvailable }) =>
    `${countedOrNo(replicas, 'replica')} peak at ${countedOrNo(peakPods, 'pod')} with at least ${minAvailable} available`,
};

function endText(simulation: Simulation): string {
  return (END_TEXTS[simulation.kind] as TextOf<Simulation>)(simulation);
}

/** `8 GPUs and 2 google.com/tpu`: GPUs by that word where it is their resource, others by theirs. */
function amountTexts(accelerators: RolloutGroups['accelerators'], of: 'count' | 'surge'): string[] {
  return (accelerators ?? []).map((one) =>
    one.resource.endsWith('/gpu') ? countedOrNo(one[of], 'GPU') : `${one[of]} ${visible(one.resource)}`,
  );
}

/** `groups of 4 pods: 8 pods with 16 GPUs, at the peak 1 group more: 4 pods and 8 GPUs`. */
function groupsText({ size, pods, surgeGroups, surgePods, accelerators }: RolloutGroups): string {
  const all = amountTexts(accelerators, 'count');
  const more = listed([countedOrNo(surgePods, 'pod'), ...amountTexts(accelerators, 'surge')]);
  const peak = surgeGroups === 0 ? 'none more at the peak' : `at the peak ${countedOrNo(surgeGroups, 'group')} more: ${more}`;
  return `groups of ${countedOrNo(size, 'pod')}: ${countedOrNo(pods, 'pod')}${all.length > 0 ? ` with ${listed(all)}` : ''}, ${peak}`;
}

/** GPUs go by that word, whatever their vendor; other accelerators by their resource. */
function acceleratorTexts({ gpus, surgeGpus, accelerators = [] }: WorkerSize, of: 'count' | 'surge'): string[] {
  const others = accelerators.filter(({ resource }) => !resource.endsWith('gpu'));
  return [
    ...(gpus > 0 ? [countedOrNo(of === 'count' ? gpus : surgeGpus, 'GPU')] : []),
    ...others.map((one) => `${one[of]} ${visible(one.resource)}`),
  ];
}

/**
 * `workers: 5 pods with 5 GPUs, at the peak 1 pod and 1 GPU more, and the new head pod`; accelerators only where there are some.
 * Where an autoscaler decides, the most that it may make of them, `up to`; where nothing limits it, as written.
 */
function workersText({ autoscaled, most, ...written }: RolloutWorkers): string {
  const size = most ?? written;
  const upTo = most ? 'up to ' : '';
  const accelerators = acceleratorTexts(size, 'count');
  const pods = `${upTo}${countedOrNo(size.pods, 'pod')}${accelerators.length > 0 ? ` with ${listed(accelerators)}` : ''}`;
  const more = `${upTo}${listed([countedOrNo(size.surgePods, 'pod'), ...acceleratorTexts(size, 'surge')])} more`;
  const open = autoscaled && !most ? ' (as written: a worker group has no maxReplicas, so the autoscaler may add more)' : '';
  return `workers: ${pods}, at the peak ${more}, and the new head pod${open}`;
}

/** `waits on each cluster for bundle database (Ready)`; of a selector its labels and expressions. */
function dependencyText({ name, selector, acceptedStates }: RolloutDependency): string {
  const bundles = name === undefined ? `bundles that ${visible(JSON.stringify(selector))} selects` : `bundle ${visible(name)}`;
  return `${bundles} (${listed(acceptedStates.map(visible), 'or')})`;
}

/** `keeps to the PodDisruptionBudget "web": 3 of 4 pods have to stay healthy, and 3 do`. */
function keptText({ name, pods, desiredHealthy, lowest }: RolloutBudget): string {
  return `keeps to the PodDisruptionBudget "${visible(name)}": ${desiredHealthy} of ${countedOrNo(pods, 'pod')} have to stay healthy, and ${lowest} do`;
}

/** What limits a rollout from outside, how long it takes, and what its surge means: a line each, none for what is not known. */
export function surroundingLines({
  system,
  autoscaled,
  room,
  budgets = [],
  duration,
  workers,
  groups,
  dependsOn,
}: PlannedRollout): string[] {
  return [
    ...(autoscaled ? [`${visible(autoscaled.by)}: ${endText(autoscaled.minimum)}; ${endText(autoscaled.maximum)}`] : []),
    ...(autoscaled?.maximumRoom ? [`at its maximum: ${visible(autoscaled.maximumRoom.message)}`] : []),
    ...(room ? [visible(room.message)] : []),
    ...budgets.filter(({ lowest, desiredHealthy }) => lowest >= desiredHealthy).map(keptText),
    ...(duration ? [durationText(duration, BROKEN[system] ?? 'pod')] : []),
    ...(workers ? [workersText(workers)] : []),
    ...(groups ? [groupsText(groups)] : []),
    ...(dependsOn ? [`waits on each cluster for ${listed(dependsOn.map(dependencyText))}`] : []),
  ];
}
