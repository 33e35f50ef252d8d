import type { RolloutBudget } from '../core/budget';
import type { PlannedRollout, RolloutDependency, RolloutDuration } from '../core/rollout';
import type { Simulation } from '../core/simulations/simulation';
import type { RolloutGroups, RolloutWorkers, WorkerSize } from '../core/pod-group-size';
import { escapeForTerminal } from '../core/escape-output';
import { pluralizeOrNo, joinWords } from '../core/text-format';

function formatDuration({ lowerBoundSeconds, expectedSeconds, abortSeconds, blastRadius }: RolloutDuration, broken: string): string {
  const takes = expectedSeconds === null ? 'never ends' : `takes ${expectedSeconds} s, at least ${lowerBoundSeconds} s`;
  const noticed = abortSeconds === null ? 'is never noticed' : `is noticed after ${abortSeconds} s`;
  return `${takes}; a broken image ${noticed} and breaks ${pluralizeOrNo(blastRadius, broken)}`;
}

/** What a broken image breaks, where it is no pod. */
const BROKEN_IMAGE_TARGETS: Readonly<Partial<Record<PlannedRollout['system'], string>>> = { fleet: 'cluster', 'argo-cd': 'Application' };

type TextFormatter<S extends Simulation> = (simulation: S) => string;

/** The figures at one end of an autoscaler's range. What no autoscaler scales has its name alone. */
const END_FORMATTERS: { readonly [K in Simulation['kind']]: TextFormatter<Extract<Simulation, { kind: K }>> } = {
  deployment: ({ replicas, peakPods, minAvailable }) =>
    `${pluralizeOrNo(replicas, 'replica')} peak at ${pluralizeOrNo(peakPods, 'pod')} with at least ${minAvailable} available`,
  statefulset: ({ replicas, minAvailable }) => `${pluralizeOrNo(replicas, 'replica')} keep at least ${minAvailable} available`,
  daemonset: ({ kind }) => kind,
  revision: ({ replicas, peakPods, minAvailable }) =>
    `${pluralizeOrNo(replicas, 'replica')} peak at ${pluralizeOrNo(peakPods, 'pod')} with at least ${minAvailable} available`,
  leaderworkerset: ({ replicas, peakGroups, minAvailable }) =>
    `${pluralizeOrNo(replicas, 'group')} peak at ${pluralizeOrNo(peakGroups, 'group')} with at least ${minAvailable} available`,
  disaggregatedset: ({ kind }) => kind,
  rayservice: ({ kind }) => kind,
  fleet: ({ kind }) => kind,
  rollingsync: ({ kind }) => kind,
  argorollout: ({ replicas, peakPods, minAvailable }) =>
    `${pluralizeOrNo(replicas, 'replica')} peak at ${pluralizeOrNo(peakPods, 'pod')} with at least ${minAvailable} available`,
};

function formatEnd(simulation: Simulation): string {
  return (END_FORMATTERS[simulation.kind] as TextFormatter<Simulation>)(simulation);
}

/** `8 GPUs and 2 google.com/tpu`: GPUs by that word where it is their resource, others by theirs. */
function formatAmounts(accelerators: RolloutGroups['accelerators'], of: 'count' | 'surge'): string[] {
  return (accelerators ?? []).map((one) =>
    one.resource.endsWith('/gpu') ? pluralizeOrNo(one[of], 'GPU') : `${one[of]} ${escapeForTerminal(one.resource)}`,
  );
}

/** `groups of 4 pods: 8 pods with 16 GPUs, at the peak 1 group more: 4 pods and 8 GPUs`. */
function formatGroups({ size, pods, surgeGroups, surgePods, accelerators }: RolloutGroups): string {
  const all = formatAmounts(accelerators, 'count');
  const surgeText = joinWords([pluralizeOrNo(surgePods, 'pod'), ...formatAmounts(accelerators, 'surge')]);
  const peak = surgeGroups === 0 ? 'none more at the peak' : `at the peak ${pluralizeOrNo(surgeGroups, 'group')} more: ${surgeText}`;
  return `groups of ${pluralizeOrNo(size, 'pod')}: ${pluralizeOrNo(pods, 'pod')}${all.length > 0 ? ` with ${joinWords(all)}` : ''}, ${peak}`;
}

/** GPUs go by that word, whatever their vendor; other accelerators by their resource. */
function formatAccelerators({ gpus, surgeGpus, accelerators = [] }: WorkerSize, of: 'count' | 'surge'): string[] {
  const others = accelerators.filter(({ resource }) => !resource.endsWith('gpu'));
  return [
    ...(gpus > 0 ? [pluralizeOrNo(of === 'count' ? gpus : surgeGpus, 'GPU')] : []),
    ...others.map((one) => `${one[of]} ${escapeForTerminal(one.resource)}`),
  ];
}

/**
 * `workers: 5 pods with 5 GPUs, at the peak 1 pod and 1 GPU more, and the new head pod`; accelerators only where there are some.
 * Where an autoscaler decides, the most that it may make of them, `up to`; where nothing limits it, as written.
 */
function formatWorkers({ autoscaled, maximum, ...declared }: RolloutWorkers): string {
  const size = maximum ?? declared;
  const upTo = maximum ? 'up to ' : '';
  const accelerators = formatAccelerators(size, 'count');
  const pods = `${upTo}${pluralizeOrNo(size.pods, 'pod')}${accelerators.length > 0 ? ` with ${joinWords(accelerators)}` : ''}`;
  const surgeText = `${upTo}${joinWords([pluralizeOrNo(size.surgePods, 'pod'), ...formatAccelerators(size, 'surge')])} more`;
  const open = autoscaled && !maximum ? ' (as written: a worker group has no maxReplicas, so the autoscaler may add more)' : '';
  return `workers: ${pods}, at the peak ${surgeText}, and the new head pod${open}`;
}

/** `waits on each cluster for bundle database (Ready)`; of a selector its labels and expressions. */
function formatDependency({ name, selector, acceptedStates }: RolloutDependency): string {
  const bundles =
    name === undefined ? `bundles that ${escapeForTerminal(JSON.stringify(selector))} selects` : `bundle ${escapeForTerminal(name)}`;
  return `${bundles} (${joinWords(acceptedStates.map(escapeForTerminal), 'or')})`;
}

/** `keeps to the PodDisruptionBudget "web": 3 of 4 pods have to stay healthy, and 3 do`. */
function formatBudget({ name, pods, desiredHealthy, lowest }: RolloutBudget): string {
  return `keeps to the PodDisruptionBudget "${escapeForTerminal(name)}": ${desiredHealthy} of ${pluralizeOrNo(pods, 'pod')} have to stay healthy, and ${lowest} do`;
}

/** What limits a rollout from outside, how long it takes, and what its surge means: a line each, none for what is not known. */
export function renderConstraintLines({
  system,
  autoscaled,
  capacity,
  budgets = [],
  duration,
  workers,
  groups,
  dependsOn,
}: PlannedRollout): string[] {
  return [
    ...(autoscaled ? [`${escapeForTerminal(autoscaled.by)}: ${formatEnd(autoscaled.minimum)}; ${formatEnd(autoscaled.maximum)}`] : []),
    ...(autoscaled?.maximumCapacity ? [`at its maximum: ${escapeForTerminal(autoscaled.maximumCapacity.message)}`] : []),
    ...(capacity ? [escapeForTerminal(capacity.message)] : []),
    ...budgets.filter(({ lowest, desiredHealthy }) => lowest >= desiredHealthy).map(formatBudget),
    ...(duration ? [formatDuration(duration, BROKEN_IMAGE_TARGETS[system] ?? 'pod')] : []),
    ...(workers ? [formatWorkers(workers)] : []),
    ...(groups ? [formatGroups(groups)] : []),
    ...(dependsOn ? [`waits on each cluster for ${joinWords(dependsOn.map(formatDependency))}`] : []),
  ];
}
