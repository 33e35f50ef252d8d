import type { ApplyRejection, HookRun, ObjectChange, RestartNeeded } from '../../core/document/change';
import { MAX_LISTED_NAMES, joinTruncatedNames, joinWords, pluralize, truncateNames } from '../../core/text/text-format';
import { formatResourceLabel } from '../findings/text-findings';
import type { PlannedRollout, ResourceRef } from '../../core/document/rollout';
import { getLeastInUse } from '../../core/document/service-plan';
import type { ServicePlan } from '../../core/document/service-plan';
import { rolloutResourceKeyOf, selectServingUsers } from './object-plans';
import { escapeForTerminal } from '../../core/text/escape-output';
import { formatFieldChange } from './fields';
import { getOwnValue } from '../../core/manifest/manifest';
import { MAPPED_MARK } from '../rollout/outcome-text';

const READ_LABELS: Readonly<Record<RestartNeeded['reads'][number], string>> = {
  env: 'env',
  envFrom: 'envFrom',
  subPath: 'a subPath mount',
  volume: 'a volume',
};

/** Describes how long the pods of a workload keep the old values of a ConfigMap or Secret. */
function describeRefresh({ reads, watchedByReloader }: RestartNeeded): string {
  if (watchedByReloader) return 'keeps the old values until Reloader restarts it, as its annotations request';
  if (reads.every((read) => read === 'volume')) return 'gets the new values within about two minutes';
  return `keeps the old values until it is restarted${reads.includes('volume') ? '; its volume gets the new ones within about two minutes' : ''}`;
}

/** Formats the workloads that read a changed ConfigMap or Secret. Lists the first few, those that need a restart first. */
function formatRestarts(restarts: readonly RestartNeeded[]): string[] {
  const isLiveUpdated = ({ reads }: RestartNeeded) => reads.length > 0 && reads.every((read) => read === 'volume');
  const all = [...restarts.filter((one) => !isLiveUpdated(one)), ...restarts.filter(isLiveUpdated)];
  const texts = all.slice(0, MAX_LISTED_NAMES).map((one) => {
    if (one.reads.length === 0) return `${formatResourceLabel(one)} is restarted by Reloader, as its annotations request`;
    return `${formatResourceLabel(one)} ${describeRefresh(one)} (read by ${joinWords(one.reads.map((read) => READ_LABELS[read]))})`;
  });
  const omittedCount = all.length - texts.length;
  return omittedCount > 0 ? [...texts, `and ${omittedCount} more`] : texts;
}

/** Formats the lowest availability in any of an object's rollouts. */
function formatWorstAvailability(rollouts: readonly PlannedRollout[]): string | undefined {
  const entries = rollouts.flatMap(({ simulation }) => {
    if (!simulation || !('minAvailable' in simulation)) return [];
    const replicas = 'nodes' in simulation ? simulation.nodes : simulation.replicas;
    return [{ available: simulation.minAvailable, replicas }];
  });
  if (entries.length === 0) return undefined;
  const worst = entries.reduce((least, one) =>
    one.available / (one.replicas || 1) < least.available / (least.replicas || 1) ? one : least,
  );
  return `${worst.available} of ${worst.replicas} available at the worst moment`;
}

/** Formats the fewest ready endpoints of a Service, if there are fewer at some moment than before and after. */
function formatWorstService(own: ResourceRef, services: readonly ServicePlan[]): string | undefined {
  const counted = selectServingUsers(services).filter(({ mayAlsoSelect }) => mayAlsoSelect === undefined);
  const hasFewer = ({ readyEndpoints }: ServicePlan) => {
    const { before, after } = readyEndpoints;
    return before > 0 && getLeastInUse(readyEndpoints) < (after === 0 ? before : Math.min(before, after));
  };
  const gaps = counted.filter(hasFewer);
  if (gaps.length === 0) return undefined;
  const ratio = ({ readyEndpoints }: ServicePlan) => getLeastInUse(readyEndpoints) / readyEndpoints.before;
  const worst = gaps.reduce((least, one) => (ratio(one) < ratio(least) ? one : least));
  const { before, after } = worst.readyEndpoints;
  const least = getLeastInUse(worst.readyEndpoints);
  const isOwn = rolloutResourceKeyOf(worst.resource) === rolloutResourceKeyOf(own);
  const of = isOwn ? '' : ` of ${formatResourceLabel(worst.resource)}`;
  return `${least} of ${before} ready endpoints${of} ${after === 0 ? 'permanently' : 'at the worst moment'}`;
}

/** Formats how many of the added pods fit, if it is not certain that all of them do at once. */
function formatCapacityShortages(rollouts: readonly PlannedRollout[]): string[] {
  return rollouts.flatMap(({ resource: { component }, capacity, simulation }) => {
    if (simulation !== null || !capacity) return [];
    const part = component === undefined ? '' : ` (${escapeForTerminal(component)})`;
    if (capacity.verdict === 'may-not-fit') return [`may not fit${part}`];
    if (!capacity.shortage) return [];
    const { podsThatFit, mostPodsThatFit = podsThatFit, peakPods, verdict } = capacity;
    const range = mostPodsThatFit > podsThatFit ? `${podsThatFit} to ${mostPodsThatFit}` : `only ${podsThatFit}`;
    return `${range} of ${pluralize(peakPods, 'pod')} ${peakPods === 1 ? 'fits' : 'fit'}${verdict === 'slower' ? ' at first' : ''}${part}`;
  });
}

function formatPodChange({ pods, effect }: ObjectChange): string | undefined {
  if (!pods || pods.before === pods.after) return undefined;
  if (effect === 'create') return pluralize(pods.after, 'pod');
  return `${pods.before} -> ${pluralize(pods.after, 'pod')}${effect === 'scale' ? ', nothing is replaced' : ''}`;
}

/** Formats the clusters that a change affects, if it does not affect all of them. */
function formatClusters({ clusters = [] }: ObjectChange): string[] {
  if (clusters.length === 0) return [];
  return [`on ${clusters.length === 1 ? 'cluster' : 'clusters'} ${escapeForTerminal(joinTruncatedNames(truncateNames(clusters)))}`];
}

function formatFirstField({ because, elided = 0 }: ObjectChange): string | undefined {
  const [first] = because;
  if (!first) return undefined;
  const omittedCount = because.length - 1 + elided;
  return formatFieldChange(first) + (omittedCount > 0 ? ` and ${omittedCount} more` : '');
}

/** The API server's suffix for a change of an immutable field. The details have the value. */
const IMMUTABLE_SUFFIX = ': field is immutable';

/** Formats why an object is refused: `spec.selector is immutable`, or the path and the message of the component that refuses it. */
function formatRejectionReason({ path, message }: ApplyRejection): string {
  if (path === '') return message;
  return message.startsWith('Invalid value: ') && message.endsWith(IMMUTABLE_SUFFIX) ? `${path} is immutable` : `${path}: ${message}`;
}

/** Formats a refused change. If the rejection names no more than `spec`, the first field that differs is added. */
function formatRejectedChange(change: ObjectChange, refusal: ApplyRejection): string[] {
  const field = refusal.path.includes('.') ? undefined : formatFirstField(change);
  return [escapeForTerminal(formatRejectionReason(refusal)), ...(field === undefined ? [] : [field])];
}

const DELETE_POLICY_TEXTS: Readonly<Record<string, string>> = {
  'before-hook-creation': 'before it is created again',
  'hook-succeeded': 'when it succeeds',
  'hook-failed': 'when it fails',
};

/** Formats when a tool runs a hook, and when it deletes the object: `runs at each upgrade: pre-upgrade, weight -5; deleted before it is created again`. */
function formatHook({ phases, runsOnUpgrade, weight, deletePolicy }: HookRun): string[] {
  const names = escapeForTerminal(phases.join(', '));
  if (phases.length === 0) return ['is never applied: its hook names an unknown phase, or none'];
  if (!runsOnUpgrade) return [`does not run at an upgrade: ${names}`];
  const order = weight === 0 ? '' : `, weight ${weight}`;
  const moments = deletePolicy.flatMap((policy) => getOwnValue(DELETE_POLICY_TEXTS, policy) ?? []);
  return [`runs at each upgrade: ${names}${order}; deleted ${joinWords(moments)}`];
}

/** Formats the parts of the line that says what happens to an object. */
export function formatEffect(change: ObjectChange, rollouts: readonly PlannedRollout[], services: readonly ServicePlan[] = []): string[] {
  const { effect, refusal, causedBy = [], restarts = [] } = change;
  if (refusal) return formatRejectedChange(change, refusal);
  if (change.hook) return formatHook(change.hook);
  const caused = causedBy.length > 0 ? [`because of ${joinWords(causedBy.map(formatResourceLabel))}`] : [];
  const available = effect === 'roll' || effect === 'roll-and-scale' ? formatWorstAvailability(rollouts) : undefined;
  const moment = formatWorstService(change.resource, services) ?? available;
  const hasPods = change.pods !== undefined || rollouts.length > 0;
  const downtime = effect === 'replace' && hasPods ? ['all pods are down at once'] : [];
  return [
    ...(moment === undefined ? [] : [moment]),
    ...downtime,
    ...(change.heldUntil === undefined ? [] : [`until ${escapeForTerminal(change.heldUntil)}`]),
    ...[formatPodChange(change)].filter((text) => text !== undefined),
    ...formatCapacityShortages(rollouts),
    ...formatRestarts(restarts),
    ...((effect === 'scale' && change.pods?.before !== change.pods?.after) || effect === 'restart-needed'
      ? []
      : [formatFirstField(change)].filter((text) => text !== undefined)),
    ...formatClusters(change),
    ...caused,
    ...(change.mapped || rollouts.some(({ mapped }) => mapped) ? [MAPPED_MARK] : []),
  ];
}
