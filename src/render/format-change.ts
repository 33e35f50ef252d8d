import type { ChangeSummary, ApplyEffect, FieldChange, ObjectChange, PlannedChange, ApplyRejection, RestartNeeded } from '../core/change';
import type { PlannedRollout, ResourceRef } from '../core/rollout';
import type { RolloutHealth, InitialRolloutState } from '../core/initial-state';
import { pluralize, truncateNames, joinWords, joinTruncatedNames, MAX_LISTED_NAMES } from '../core/text-format';
import { describeRolloutOutcome } from './outcome-text';
import { formatResourceLabel } from './text-findings';
import { escapeForTerminal, formatValueForTerminal } from '../core/escape-output';

/** How an effect is counted, in the order of the headline: what moves pods, what does not, and what is left out. */
const EFFECT_LABELS: Readonly<Record<ApplyEffect, readonly [one: string, several: string]>> = {
  replace: ['is deleted and made anew', 'are deleted and made anew'],
  'roll-and-scale': ['rolls and scales', 'roll and scale'],
  roll: ['rolls', 'roll'],
  held: ['is held', 'are held'],
  scale: ['scales', 'scale'],
  'restart-needed': ['needs a restart', 'need a restart'],
  create: ['is new', 'are new'],
  delete: ['is deleted', 'are deleted'],
  settings: ['changes settings', 'change settings'],
  metadata: ['changes metadata', 'change metadata'],
  none: ['stays', 'stay'],
  refused: ['is refused', 'are refused'],
  unknown: ['has an effect that is not known', 'have effects that are not known'],
};

const EFFECT_LABEL_ENTRIES = Object.entries(EFFECT_LABELS) as [ApplyEffect, readonly [one: string, several: string]][];

/** What each effect begins with: what is to be decided, what moves, what comes and goes. */
export const EFFECT_MARKS: Readonly<Record<ApplyEffect, string>> = {
  refused: '✗',
  replace: '!',
  'roll-and-scale': '!',
  roll: '!',
  held: '!',
  scale: '~',
  'restart-needed': '!',
  settings: '~',
  metadata: '~',
  none: '=',
  create: '+',
  delete: '-',
  unknown: '?',
};

/** The order in which a person reads: what needs a decision first. */
const EFFECTS_BY_URGENCY: readonly ApplyEffect[] = [
  'refused',
  'replace',
  'delete',
  'roll-and-scale',
  'roll',
  'held',
  'restart-needed',
  'scale',
  'unknown',
  'create',
  'settings',
  'metadata',
  'none',
];

/** `4 of 41 objects differ: 2 roll, 1 scales, 1 is refused; 27 pods are replaced, at most 9 more at once`. */
export function formatChangeHeadline({ summary, objects: changes }: PlannedChange, rollouts: readonly PlannedRollout[]): string {
  const objects = EFFECT_LABEL_ENTRIES.reduce((sum, [effect]) => sum + summary[effect], 0);
  const differing = objects - summary.none;
  if (differing === 0)
    return objects === 0
      ? 'no objects: nothing changes'
      : `nothing changes: ${formatAllObjects(objects)} as the server has ${objects === 1 ? 'it' : 'them'}`;
  const counts = countEffects(summary)
    .filter(({ effect }) => effect !== 'none')
    .map(({ count, label }) => `${count} ${label}`);
  return `${differing} of ${pluralize(objects, 'object')} ${differing === 1 ? 'differs' : 'differ'}: ${counts.join(', ')}; ${formatPodCounts(summary) ?? formatUncountedPods(changes, rollouts)}`;
}

/** How many objects have each effect that there is, in the order of the headline: `2`, `roll`. */
export function countEffects(summary: ChangeSummary): { readonly effect: ApplyEffect; readonly count: number; readonly label: string }[] {
  return EFFECT_LABEL_ENTRIES.filter(([effect]) => summary[effect] > 0).map(([effect, [one, several]]) => {
    const count = summary[effect];
    return { effect, count, label: count === 1 ? one : several };
  });
}

function formatAllObjects(count: number): string {
  return count === 1 ? 'the object is' : `all ${count} objects are`;
}

/** What touches pods, be it in a number that no plan tells. */
const POD_AFFECTING_EFFECTS: readonly ApplyEffect[] = ['replace', 'roll-and-scale', 'roll', 'unknown'];

/** What is said of pods where no plan counts any: none is touched, none is replaced since all that rolls stands still before that, or nobody knows. */
function formatUncountedPods(changes: readonly ObjectChange[], rollouts: readonly PlannedRollout[]): string {
  const affecting = changes.filter(({ effect }) => POD_AFFECTING_EFFECTS.includes(effect));
  if (affecting.length === 0) return 'no pod is touched';
  const byObject = groupRolloutsByObject(rollouts);
  const isBlocked = ({ resource, pods }: ObjectChange) => {
    const objectRollouts = (byObject.get(rolloutResourceKeyOf(resource)) ?? []).filter(({ simulation }) => simulation !== null);
    return pods !== undefined && objectRollouts.length > 0 && objectRollouts.every((rollout) => describeRolloutOutcome(rollout).isStuck);
  };
  return affecting.every(isBlocked) ? 'no pod is replaced' : 'how many pods that touches is not known';
}

/** Beside pods that are replaced, those that are added are not counted apart: they are among those that are there more at once. */
function formatPodCounts(summary: ChangeSummary): string | undefined {
  const { podsReplaced, podsAdded, podsRemoved, peakExtraPods } = summary;
  const moved: readonly (readonly [count: number, word: string])[] = [
    [podsReplaced, 'replaced'],
    [podsReplaced > 0 ? 0 : podsAdded, 'added'],
    [podsRemoved, 'removed'],
  ];
  const entries = moved.filter(([count]) => count > 0);
  if (entries.length === 0) return undefined;
  const parts = entries.map(([count, word], index) =>
    index > 0 ? `${count} ${word}` : `${pluralize(count, 'pod')} ${count === 1 ? 'is' : 'are'} ${word}`,
  );
  return `${parts.join(', ')}, ${peakExtraPods === 0 ? 'never more at once than now' : `at most ${peakExtraPods} more at once`}`;
}

/** Objects that differ, worst first, in their order otherwise. */
export function sortByEffectUrgency(objects: readonly ObjectChange[]): ObjectChange[] {
  const ranked = objects.filter(({ effect }) => effect !== 'none');
  return ranked.toSorted((a, b) => EFFECTS_BY_URGENCY.indexOf(a.effect) - EFFECTS_BY_URGENCY.indexOf(b.effect));
}

/** The key by which the rollouts of an object are found. */
export function rolloutResourceKeyOf({ apiVersion, kind, namespace, name }: ResourceRef): string {
  return JSON.stringify([apiVersion, kind, namespace, name]);
}

/** The rollouts of a plan by their objects. */
export function groupRolloutsByObject(rollouts: readonly PlannedRollout[]): ReadonlyMap<string, readonly PlannedRollout[]> {
  const byObject = new Map<string, PlannedRollout[]>();
  for (const rollout of rollouts) {
    const key = rolloutResourceKeyOf(rollout.resource);
    byObject.set(key, [...(byObject.get(key) ?? []), rollout]);
  }
  return byObject;
}

/** Characters of a value on one line; the JSON holds it whole. */
const MAX_VALUE_LENGTH = 60;

/** A value on one line, `none` where there is none. */
export function formatShortValue(value: unknown): string {
  if (value === undefined) return 'none';
  const text = Array.from(value === '' ? '""' : formatValueForTerminal(value));
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH - 1).join('')}…` : text.join('');
}

/** The name of a field without what holds it: `image` of `spec.template.spec.containers[web].image`; of a variable `env[MODE]`. */
function leafNameOf(path: string): string {
  const variable = path.endsWith('].value') ? path.lastIndexOf('.env[') : -1;
  if (variable >= 0) return path.slice(variable + 1, -'.value'.length);
  const open = path.endsWith(']') ? path.indexOf('[', path.lastIndexOf(']', path.length - 2) + 1) : -1;
  const bare = open < 0 ? path : path.slice(0, open);
  return bare.slice(bare.lastIndexOf('.') + 1) + path.slice(bare.length);
}

/** A whole map or list that comes or goes is not written out on one line, nor are two values that begin alike and are cut before they differ. */
function formatDifference(old: unknown, next: unknown): string {
  if (old === undefined && typeof next === 'object') return 'added';
  if (next === undefined && typeof old === 'object') return 'removed';
  const [before, after] = [formatShortValue(old), formatShortValue(next)];
  return before === after ? 'differs' : `${before} -> ${after}`;
}

/** `image api:1 -> api:2`, `env[MODE] added`. */
export function formatFieldChange({ path, old, new: next }: FieldChange): string {
  return escapeForTerminal(`${leafNameOf(path)} ${formatDifference(old, next)}`);
}

const READ_LABELS: Readonly<Record<RestartNeeded['reads'][number], string>> = {
  env: 'env',
  envFrom: 'envFrom',
  subPath: 'a subPath mount',
  volume: 'a volume',
};

/** Until when the pods of a workload keep what a ConfigMap or Secret said before. */
function describeRefresh({ reads, watchedByReloader }: RestartNeeded): string {
  if (watchedByReloader) return 'keeps the old values until Reloader restarts it, as its annotations ask';
  if (reads.every((read) => read === 'volume')) return 'follows within about two minutes';
  return `keeps the old values until it is restarted${reads.includes('volume') ? ', and follows in part within about two minutes' : ''}`;
}

/** Whose pods keep what a ConfigMap or Secret said before, and how they read it: the first of them, those that need a restart ahead. */
function formatRestarts(restarts: readonly RestartNeeded[]): string[] {
  const follows = ({ reads }: RestartNeeded) => reads.every((read) => read === 'volume');
  const all = [...restarts.filter((one) => !follows(one)), ...restarts.filter(follows)];
  const texts = all.slice(0, MAX_LISTED_NAMES).map((one) => {
    return `${formatResourceLabel(one)} ${describeRefresh(one)} (read by ${joinWords(one.reads.map((read) => READ_LABELS[read]))})`;
  });
  const omittedCount = all.length - texts.length;
  return omittedCount > 0 ? [...texts, `and ${omittedCount} more`] : texts;
}

/** The least of its pods that is available at the worst moment of any of its rollouts. */
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

/** Of pods that are added and do not all find room, or not at once, how many do. */
function formatCapacityShortages(rollouts: readonly PlannedRollout[]): string[] {
  return rollouts.flatMap(({ resource: { component }, capacity, simulation }) => {
    if (simulation !== null || !capacity?.shortage) return [];
    const { podsThatFit, mostPodsThatFit = podsThatFit, peakPods, verdict } = capacity;
    const range = mostPodsThatFit > podsThatFit ? `${podsThatFit} to ${mostPodsThatFit}` : `only ${podsThatFit}`;
    const part = component === undefined ? '' : ` (${escapeForTerminal(component)})`;
    return `${range} of ${peakPods} find room${verdict === 'slower' ? ' at first' : ''}${part}`;
  });
}

function formatPodChange({ pods, effect }: ObjectChange): string | undefined {
  if (!pods || pods.before === pods.after) return undefined;
  if (effect === 'create') return pluralize(pods.after, 'pod');
  return `${pods.before} -> ${pluralize(pods.after, 'pod')}${effect === 'scale' ? ', nothing is replaced' : ''}`;
}

/** The clusters that a change reaches, where those are not all. */
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

/** What the server says behind the value of a field that can't be changed; the value stands in the details. */
const IMMUTABLE_SUFFIX = ': field is immutable';

/** `spec.selector is immutable`; else the path with the words of who refuses. */
function formatRejectionReason({ path, message }: ApplyRejection): string {
  if (path === '') return message;
  return message.startsWith('Invalid value: ') && message.endsWith(IMMUTABLE_SUFFIX) ? `${path} is immutable` : `${path}: ${message}`;
}

/** Why an object is refused; where the words name no more than `spec`, with the field that it asks for. */
function formatRejectedChange(change: ObjectChange, refusal: ApplyRejection): string[] {
  const field = refusal.path.includes('.') ? undefined : formatFirstField(change);
  return [escapeForTerminal(formatRejectionReason(refusal)), ...(field === undefined ? [] : [field])];
}

/** What happens to an object, in the words of one line. */
export function formatEffect(change: ObjectChange, rollouts: readonly PlannedRollout[]): string[] {
  const { effect, refusal, causedBy = [], restarts = [] } = change;
  if (refusal) return formatRejectedChange(change, refusal);
  const caused = causedBy.length > 0 ? [`because of ${joinWords(causedBy.map(formatResourceLabel))}`] : [];
  const moment = effect === 'roll' || effect === 'roll-and-scale' ? formatWorstAvailability(rollouts) : undefined;
  const downtime = effect === 'replace' ? ['all pods are down at once'] : [];
  return [
    ...(moment === undefined ? [] : [moment]),
    ...downtime,
    ...(change.heldUntil === undefined ? [] : [`until ${escapeForTerminal(change.heldUntil)}`]),
    ...[formatPodChange(change)].filter((text) => text !== undefined),
    ...formatCapacityShortages(rollouts),
    ...formatRestarts(restarts),
    ...(effect === 'scale' || effect === 'restart-needed' ? [] : [formatFirstField(change)].filter((text) => text !== undefined)),
    ...formatClusters(change),
    ...caused,
  ];
}

const HEALTH_LABELS: Readonly<Record<RolloutHealth, string>> = {
  progressing: 'it is going on',
  'deadline-exceeded': 'deadline exceeded',
  paused: 'paused',
  unavailable: 'too few pods are available',
};

/** `the last rollout has not finished: 5 of 9 updated, deadline exceeded`; nothing where all is well. */
export function formatInitialState({ replicas, revisions, underWay, health }: InitialRolloutState): string | undefined {
  if (!underWay) return health ? `before the apply: ${HEALTH_LABELS[health]}` : undefined;
  const updated = revisions.length > 1 ? (revisions.at(-1)?.replicas ?? 0) : replicas;
  const available = revisions.reduce((sum, revision) => sum + revision.available, 0);
  const state = revisions.length > 1 ? `${updated} of ${replicas} updated` : `${available} of ${replicas} available`;
  return `the last rollout has not finished: ${[state, ...(health ? [HEALTH_LABELS[health]] : [])].join(', ')}`;
}

/** What was not well before the apply, which is said first. */
export function formatInitialStates(rollouts: readonly PlannedRollout[]): string[] {
  return rollouts.flatMap(({ resource, initialState }) => {
    const text = initialState && formatInitialState(initialState);
    return text === undefined ? [] : [`${formatResourceLabel(resource)}: ${text}`];
  });
}

/** What of OLD stays because nothing is pruned; undefined where nothing does. */
export function formatRetainedObjects({ summary: { kept } }: PlannedChange): string | undefined {
  return kept === 0
    ? undefined
    : `${pluralize(kept, 'object')} of OLD ${kept === 1 ? 'is' : 'are'} not in NEW and ${kept === 1 ? 'stays' : 'stay'}; --prune deletes ${kept === 1 ? 'it' : 'them'}`;
}
