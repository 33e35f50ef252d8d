import { formatSeconds } from '../../core/document/goal-text';
import type { RolloutBudget } from '../../core/budget/budget';
import type { RequestTermination } from '../../core/document/request-termination';
import type { PlannedRollout, RolloutAnalysis, RolloutDependency, RolloutDuration } from '../../core/document/rollout';
import type { Simulation } from '../../core/simulations/simulation';
import type { RolloutGroups, RolloutWorkers, WorkerSize } from '../../core/document/pod-group-size';
import { escapeForTerminal } from '../../core/text/escape-output';
import { pluralizeOrNo, joinWords } from '../../core/text/text-format';

function formatDuration({ lowerBoundSeconds, expectedSeconds, abortSeconds, blastRadius }: RolloutDuration, broken: string): string {
  const takes =
    expectedSeconds === null
      ? 'never finishes'
      : `takes about ${formatSeconds(expectedSeconds)}, at least ${formatSeconds(lowerBoundSeconds)}`;
  const detected = abortSeconds === null ? 'is never detected' : `is detected after ${formatSeconds(abortSeconds)}`;
  return `${takes}; a broken image ${detected} and breaks ${pluralizeOrNo(blastRadius, broken)}`;
}

/** Noun for what a broken image breaks, if it is not a pod. */
const BROKEN_IMAGE_TARGETS: Readonly<Partial<Record<PlannedRollout['system'], string>>> = { fleet: 'cluster', 'argo-cd': 'Application' };

type TextFormatter<S extends Simulation> = (simulation: S) => string;

/** Formats the figures at one end of an autoscaler's range. Kinds that no autoscaler scales only have their name. */
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

/** Formats accelerators: `8 GPUs` for a resource that ends in /gpu, `2 google.com/tpu` for others. */
function formatAmounts(accelerators: RolloutGroups['accelerators'], of: 'count' | 'surge'): string[] {
  return (accelerators ?? []).map((one) =>
    one.resource.endsWith('/gpu') ? pluralizeOrNo(one[of], 'GPU') : `${one[of]} ${escapeForTerminal(one.resource)}`,
  );
}

/** Formats groups: `groups of 4 pods: 8 pods with 16 GPUs, 1 extra group at the peak: 4 pods and 8 GPUs`. */
function formatGroups({ size, pods, surgeGroups, surgePods, accelerators }: RolloutGroups): string {
  const all = formatAmounts(accelerators, 'count');
  const surgeText = joinWords([pluralizeOrNo(surgePods, 'pod'), ...formatAmounts(accelerators, 'surge')]);
  const peak = surgeGroups === 0 ? 'no extra groups at the peak' : `${pluralizeOrNo(surgeGroups, 'extra group')} at the peak: ${surgeText}`;
  return `groups of ${pluralizeOrNo(size, 'pod')}: ${pluralizeOrNo(pods, 'pod')}${all.length > 0 ? ` with ${joinWords(all)}` : ''}, ${peak}`;
}

/** Formats accelerators: GPUs of any vendor as `GPU`, others by their resource. */
function formatAccelerators({ gpus, surgeGpus, accelerators = [] }: WorkerSize, of: 'count' | 'surge'): string[] {
  const others = accelerators.filter(({ resource }) => !resource.endsWith('gpu'));
  return [
    ...(gpus > 0 ? [pluralizeOrNo(of === 'count' ? gpus : surgeGpus, 'GPU')] : []),
    ...others.map((one) => `${one[of]} ${escapeForTerminal(one.resource)}`),
  ];
}

/**
 * Formats workers: `workers: 5 pods with 5 GPUs; the peak adds 1 pod and 1 GPU, and the new head pod`. Accelerators are listed if there are some.
 *
 * If an autoscaler decides, the figures are its maximum, `up to`. If nothing limits the autoscaler, they are as declared.
 */
function formatWorkers({ autoscaled, maximum, ...declared }: RolloutWorkers): string {
  const size = maximum ?? declared;
  const upTo = maximum ? 'up to ' : '';
  const accelerators = formatAccelerators(size, 'count');
  const pods = `${upTo}${pluralizeOrNo(size.pods, 'pod')}${accelerators.length > 0 ? ` with ${joinWords(accelerators)}` : ''}`;
  const surgeText = `${upTo}${joinWords([pluralizeOrNo(size.surgePods, 'pod'), ...formatAccelerators(size, 'surge')])}`;
  const open = autoscaled && !maximum ? ' (as declared: a worker group has no maxReplicas, so the autoscaler may add more)' : '';
  return `workers: ${pods}; the peak adds ${surgeText}, and the new head pod${open}`;
}

/** Formats a dependency: `bundle database (Ready)`, or the labels and expressions of a selector. */
function formatDependency({ name, selector, acceptedStates }: RolloutDependency): string {
  const bundles =
    name === undefined ? `bundles that ${escapeForTerminal(JSON.stringify(selector))} selects` : `bundle ${escapeForTerminal(name)}`;
  return `${bundles} (${joinWords(acceptedStates.map(escapeForTerminal), 'or')})`;
}

/** Formats a budget: `respects PodDisruptionBudget "web": 3 of 4 pods must stay healthy, and at least 3 do`. */
function formatBudget({ name, pods, desiredHealthy, lowest }: RolloutBudget): string {
  return `respects PodDisruptionBudget "${escapeForTerminal(name)}": ${desiredHealthy} of ${pluralizeOrNo(pods, 'pod')} must stay healthy, and at least ${lowest} ${lowest === 1 ? 'does' : 'do'}`;
}

/** Formats how long a running request lives: `a running request lives at most 55 s (15 preStop + 40 drain)`. */
function formatTermination({ requestSeconds, preStopSeconds, drainSeconds, container, endedBy }: RequestTermination): string {
  if (endedBy === 'ray-serve') return `a running request lives at most ${requestSeconds} s (Ray Serve then stops its replica)`;
  if (endedBy === 'cluster-deletion')
    return `a running request has at least ${requestSeconds} s (the operator then deletes the old cluster)`;
  const end = container === undefined ? '' : `, when container "${container}" exits`;
  return `a running request lives at most ${requestSeconds} s (${preStopSeconds} preStop + ${drainSeconds} drain${end})`;
}

/** Maximum number of steps of an analysis in a line. */
const MAX_LISTED_SHARES = 8;

/** Formats what an analysis does with requests: `10, 20, 30% of the requests`. */
function formatRequestShares({ strategy, checks }: RolloutAnalysis): string {
  if (strategy === 'skipped') return 'skipped';
  const progressing = checks.filter(({ phase }) => phase === 'Progressing');
  const weights = [...new Set(progressing.map(({ newWeight }) => newWeight).filter((weight) => weight > 0))];
  const shares =
    weights.length > MAX_LISTED_SHARES
      ? `${weights[0]} to ${weights.at(-1)}% of the requests in ${weights.length} steps`
      : `${weights.join(', ')}% of the requests`;
  const mirrored = progressing.some(({ mirrors }) => mirrors) ? 'copies of the requests, then ' : '';
  return weights.length === 0 ? `${mirrored}no requests` : `${mirrored}${shares}`;
}

/** Formats the analysis before a promotion, with the time that it takes at least. */
function formatAnalysis(analysis: RolloutAnalysis): string {
  const { strategy, provider, isProviderAssumed, checks, elided = 0, intervalSeconds, durationSeconds, outcome, approvals = [] } = analysis;
  const count = checks.length + elided;
  const by = `${escapeForTerminal(provider)}${isProviderAssumed ? ', assumed' : ''}`;
  const ends =
    outcome === 'promoted'
      ? `${pluralizeOrNo(count, 'check')} every ${formatSeconds(intervalSeconds)}, at least ${formatSeconds(durationSeconds)}`
      : 'never ends';
  const waits = approvals.length === 0 ? '' : `; waits for ${joinWords(approvals.map(escapeForTerminal))}`;
  return `analysis (${strategy}, ${by}): ${formatRequestShares(analysis)}; ${ends}${waits}`;
}

/** Renders what limits a rollout, its duration, and the cost of its surge: one line each, none for what is unknown. */
export function renderConstraintLines({
  system,
  autoscaled,
  capacity,
  budgets = [],
  duration,
  termination,
  requestsPickedBy,
  simulation,
  workers,
  groups,
  analysis,
  dependsOn,
}: PlannedRollout): string[] {
  return [
    ...(autoscaled ? [`${escapeForTerminal(autoscaled.by)}: ${formatEnd(autoscaled.minimum)}; ${formatEnd(autoscaled.maximum)}`] : []),
    ...(autoscaled?.maximumCapacity ? [`at its maximum: ${escapeForTerminal(autoscaled.maximumCapacity.message)}`] : []),
    ...(capacity ? [escapeForTerminal(capacity.message)] : []),
    ...budgets.filter(({ lowest, desiredHealthy }) => lowest >= desiredHealthy).map(formatBudget),
    ...(duration ? [formatDuration(duration, BROKEN_IMAGE_TARGETS[system] ?? 'pod')] : []),
    ...(termination ? [formatTermination(termination)] : []),
    ...(requestsPickedBy && simulation
      ? ['the endpoint picker scores the pods of both versions: the share of the new one is not known']
      : []),
    ...(workers ? [formatWorkers(workers)] : []),
    ...(groups ? [formatGroups(groups)] : []),
    ...(analysis ? [formatAnalysis(analysis)] : []),
    ...(dependsOn ? [`waits on each cluster for ${joinWords(dependsOn.map(formatDependency))}`] : []),
  ];
}
