import type { ChangeSummary, Effect, FieldChange, ObjectChange, PlannedChange, Refusal, Restart } from '../core/change';
import type { PlannedRollout, ResourceRef } from '../core/rollout';
import type { Health, RolloutStart } from '../core/rollout-start';
import { counted, firstNames, listed, listedFirst, MOST_NAMED } from '../core/words';
import { outcomeOf } from './outcome-words';
import { resourceText } from './text-findings';
import { visible, visibleValue } from '../core/visible';

/** How an effect is counted, in the order of the headline: what moves pods, what does not, and what is left out. */
const COUNTED: Readonly<Record<Effect, readonly [one: string, several: string]>> = {
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

const COUNTED_EFFECTS = Object.entries(COUNTED) as [Effect, readonly [one: string, several: string]][];

/** What each effect begins with: what is to be decided, what moves, what comes and goes. */
export const MARKS: Readonly<Record<Effect, string>> = {
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
const WORST_FIRST: readonly Effect[] = [
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
export function changeHeadline({ summary, objects: changes }: PlannedChange, rollouts: readonly PlannedRollout[]): string {
  const objects = COUNTED_EFFECTS.reduce((sum, [effect]) => sum + summary[effect], 0);
  const differing = objects - summary.none;
  if (differing === 0)
    return objects === 0
      ? 'no objects: nothing changes'
      : `nothing changes: ${allText(objects)} as the server has ${objects === 1 ? 'it' : 'them'}`;
  const counts = effectCounts(summary)
    .filter(({ effect }) => effect !== 'none')
    .map(({ count, words }) => `${count} ${words}`);
  return `${differing} of ${counted(objects, 'object')} ${differing === 1 ? 'differs' : 'differ'}: ${counts.join(', ')}; ${podText(summary) ?? untoldPodsText(changes, rollouts)}`;
}

/** How many objects have each effect that there is, in the order of the headline: `2`, `roll`. */
export function effectCounts(summary: ChangeSummary): { readonly effect: Effect; readonly count: number; readonly words: string }[] {
  return COUNTED_EFFECTS.filter(([effect]) => summary[effect] > 0).map(([effect, [one, several]]) => {
    const count = summary[effect];
    return { effect, count, words: count === 1 ? one : several };
  });
}

function allText(count: number): string {
  return count === 1 ? 'the object is' : `all ${count} objects are`;
}

/** What touches pods, be it in a number that no plan tells. */
const TOUCHING: readonly Effect[] = ['replace', 'roll-and-scale', 'roll', 'unknown'];

/** What is said of pods where no plan counts any: none is touched, none is replaced since all that rolls stands still before that, or nobody knows. */
function untoldPodsText(changes: readonly ObjectChange[], rollouts: readonly PlannedRollout[]): string {
  const touching = changes.filter(({ effect }) => TOUCHING.includes(effect));
  if (touching.length === 0) return 'no pod is touched';
  const byObject = rolloutsByObject(rollouts);
  const isBlocked = ({ resource, pods }: ObjectChange) => {
    const own = (byObject.get(resourceKey(resource)) ?? []).filter(({ simulation }) => simulation !== null);
    return pods !== undefined && own.length > 0 && own.every((rollout) => outcomeOf(rollout).isStuck);
  };
  return touching.every(isBlocked) ? 'no pod is replaced' : 'how many pods that touches is not known';
}

/** Beside pods that are replaced, those that are added are not counted apart: they are among those that are there more at once. */
function podText(summary: ChangeSummary): string | undefined {
  const { podsReplaced, podsAdded, podsRemoved, peakExtraPods } = summary;
  const moved: readonly (readonly [count: number, word: string])[] = [
    [podsReplaced, 'replaced'],
    [podsReplaced > 0 ? 0 : podsAdded, 'added'],
    [podsRemoved, 'removed'],
  ];
  const known = moved.filter(([count]) => count > 0);
  if (known.length === 0) return undefined;
  const parts = known.map(([count, word], index) =>
    index > 0 ? `${count} ${word}` : `${counted(count, 'pod')} ${count === 1 ? 'is' : 'are'} ${word}`,
  );
  return `${parts.join(', ')}, ${peakExtraPods === 0 ? 'never more at once than now' : `at most ${peakExtraPods} more at once`}`;
}

/** Objects that differ, worst first, in their order otherwise. */
export function worstFirst(objects: readonly ObjectChange[]): ObjectChange[] {
  const ranked = objects.filter(({ effect }) => effect !== 'none');
  return ranked.toSorted((a, b) => WORST_FIRST.indexOf(a.effect) - WORST_FIRST.indexOf(b.effect));
}

/** The key by which the rollouts of an object are found. */
export function resourceKey({ apiVersion, kind, namespace, name }: ResourceRef): string {
  return JSON.stringify([apiVersion, kind, namespace, name]);
}

/** The rollouts of a plan by their objects. */
export function rolloutsByObject(rollouts: readonly PlannedRollout[]): ReadonlyMap<string, readonly PlannedRollout[]> {
  const byObject = new Map<string, PlannedRollout[]>();
  for (const rollout of rollouts) {
    const key = resourceKey(rollout.resource);
    byObject.set(key, [...(byObject.get(key) ?? []), rollout]);
  }
  return byObject;
}

/** Characters of a value on one line; the JSON holds it whole. */
const SHOWN_CHARACTERS = 60;

/** A value on one line, `none` where there is none. */
export function shortValue(value: unknown): string {
  if (value === undefined) return 'none';
  const text = Array.from(value === '' ? '""' : visibleValue(value));
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS - 1).join('')}…` : text.join('');
}

/** The name of a field without what holds it: `image` of `spec.template.spec.containers[web].image`; of a variable `env[MODE]`. */
function lastPart(path: string): string {
  const variable = path.endsWith('].value') ? path.lastIndexOf('.env[') : -1;
  if (variable >= 0) return path.slice(variable + 1, -'.value'.length);
  const open = path.endsWith(']') ? path.indexOf('[', path.lastIndexOf(']', path.length - 2) + 1) : -1;
  const bare = open < 0 ? path : path.slice(0, open);
  return bare.slice(bare.lastIndexOf('.') + 1) + path.slice(bare.length);
}

/** A whole map or list that comes or goes is not written out on one line, nor are two values that begin alike and are cut before they differ. */
function differenceText(old: unknown, next: unknown): string {
  if (old === undefined && typeof next === 'object') return 'added';
  if (next === undefined && typeof old === 'object') return 'removed';
  const [before, after] = [shortValue(old), shortValue(next)];
  return before === after ? 'differs' : `${before} -> ${after}`;
}

/** `image api:1 -> api:2`, `env[MODE] added`. */
export function fieldText({ path, old, new: next }: FieldChange): string {
  return visible(`${lastPart(path)} ${differenceText(old, next)}`);
}

const READS: Readonly<Record<Restart['reads'][number], string>> = {
  env: 'env',
  envFrom: 'envFrom',
  subPath: 'a subPath mount',
  volume: 'a volume',
};

/** Until when the pods of a workload keep what a ConfigMap or Secret said before. */
function keptUntil({ reads, asksReloader }: Restart): string {
  if (asksReloader) return 'keeps the old values until Reloader restarts it, as its annotations ask';
  if (reads.every((read) => read === 'volume')) return 'follows within about two minutes';
  return `keeps the old values until it is restarted${reads.includes('volume') ? ', and follows in part within about two minutes' : ''}`;
}

/** Whose pods keep what a ConfigMap or Secret said before, and how they read it: the first of them, those that need a restart ahead. */
function restartTexts(restarts: readonly Restart[]): string[] {
  const follows = ({ reads }: Restart) => reads.every((read) => read === 'volume');
  const all = [...restarts.filter((one) => !follows(one)), ...restarts.filter(follows)];
  const named = all.slice(0, MOST_NAMED).map((one) => {
    return `${resourceText(one)} ${keptUntil(one)} (read by ${listed(one.reads.map((read) => READS[read]))})`;
  });
  const more = all.length - named.length;
  return more > 0 ? [...named, `and ${more} more`] : named;
}

/** The least of its pods that is available at the worst moment of any of its rollouts. */
function worstMoment(rollouts: readonly PlannedRollout[]): string | undefined {
  const known = rollouts.flatMap(({ simulation }) => {
    if (!simulation || !('minAvailable' in simulation)) return [];
    const replicas = 'nodes' in simulation ? simulation.nodes : simulation.replicas;
    return [{ available: simulation.minAvailable, replicas }];
  });
  if (known.length === 0) return undefined;
  const worst = known.reduce((least, one) => (one.available / (one.replicas || 1) < least.available / (least.replicas || 1) ? one : least));
  return `${worst.available} of ${worst.replicas} available at the worst moment`;
}

/** Of pods that are added and do not all find room, or not at once, how many do. */
function roomText(rollouts: readonly PlannedRollout[]): string[] {
  return rollouts.flatMap(({ resource: { component }, room, simulation }) => {
    if (simulation !== null || !room?.shortage) return [];
    const { podsWithRoom, podsAtMost = podsWithRoom, peakPods, verdict } = room;
    const range = podsAtMost > podsWithRoom ? `${podsWithRoom} to ${podsAtMost}` : `only ${podsWithRoom}`;
    const part = component === undefined ? '' : ` (${visible(component)})`;
    return `${range} of ${peakPods} find room${verdict === 'slower' ? ' at first' : ''}${part}`;
  });
}

function podsText({ pods, effect }: ObjectChange): string | undefined {
  if (!pods || pods.before === pods.after) return undefined;
  if (effect === 'create') return counted(pods.after, 'pod');
  return `${pods.before} -> ${counted(pods.after, 'pod')}${effect === 'scale' ? ', nothing is replaced' : ''}`;
}

/** The clusters that a change reaches, where those are not all. */
function clustersText({ clusters = [] }: ObjectChange): string[] {
  if (clusters.length === 0) return [];
  return [`on ${clusters.length === 1 ? 'cluster' : 'clusters'} ${visible(listedFirst(firstNames(clusters)))}`];
}

function firstField({ because, elided = 0 }: ObjectChange): string | undefined {
  const [first] = because;
  if (!first) return undefined;
  const more = because.length - 1 + elided;
  return fieldText(first) + (more > 0 ? ` and ${more} more` : '');
}

/** What the server says behind the value of a field that can't be changed; the value stands in the details. */
const IMMUTABLE = ': field is immutable';

/** `spec.selector is immutable`; else the path with the words of who refuses. */
function refusalText({ path, message }: Refusal): string {
  if (path === '') return message;
  return message.startsWith('Invalid value: ') && message.endsWith(IMMUTABLE) ? `${path} is immutable` : `${path}: ${message}`;
}

/** Why an object is refused; where the words name no more than `spec`, with the field that it asks for. */
function refusedTexts(change: ObjectChange, refusal: Refusal): string[] {
  const field = refusal.path.includes('.') ? undefined : firstField(change);
  return [visible(refusalText(refusal)), ...(field === undefined ? [] : [field])];
}

/** What happens to an object, in the words of one line. */
export function happensText(change: ObjectChange, rollouts: readonly PlannedRollout[]): string[] {
  const { effect, refusal, causedBy = [], restarts = [] } = change;
  if (refusal) return refusedTexts(change, refusal);
  const caused = causedBy.length > 0 ? [`because of ${listed(causedBy.map(resourceText))}`] : [];
  const moment = effect === 'roll' || effect === 'roll-and-scale' ? worstMoment(rollouts) : undefined;
  const down = effect === 'replace' ? ['all pods are down at once'] : [];
  return [
    ...(moment === undefined ? [] : [moment]),
    ...down,
    ...(change.heldUntil === undefined ? [] : [`until ${visible(change.heldUntil)}`]),
    ...[podsText(change)].filter((text) => text !== undefined),
    ...roomText(rollouts),
    ...restartTexts(restarts),
    ...(effect === 'scale' || effect === 'restart-needed' ? [] : [firstField(change)].filter((text) => text !== undefined)),
    ...clustersText(change),
    ...caused,
  ];
}

const HEALTH: Readonly<Record<Health, string>> = {
  progressing: 'it is going on',
  'deadline-exceeded': 'deadline exceeded',
  paused: 'paused',
  unavailable: 'too few pods are available',
};

/** `the last rollout has not finished: 5 of 9 updated, deadline exceeded`; nothing where all is well. */
export function startText({ replicas, revisions, underWay, health }: RolloutStart): string | undefined {
  if (!underWay) return health ? `before the apply: ${HEALTH[health]}` : undefined;
  const updated = revisions.length > 1 ? (revisions.at(-1)?.replicas ?? 0) : replicas;
  const available = revisions.reduce((sum, revision) => sum + revision.available, 0);
  const state = revisions.length > 1 ? `${updated} of ${replicas} updated` : `${available} of ${replicas} available`;
  return `the last rollout has not finished: ${[state, ...(health ? [HEALTH[health]] : [])].join(', ')}`;
}

/** What was not well before the apply, which is said first. */
export function startTexts(rollouts: readonly PlannedRollout[]): string[] {
  return rollouts.flatMap(({ resource, start }) => {
    const text = start && startText(start);
    return text === undefined ? [] : [`${resourceText(resource)}: ${text}`];
  });
}

/** What of OLD stays because nothing is pruned; undefined where nothing does. */
export function keptText({ summary: { kept } }: PlannedChange): string | undefined {
  return kept === 0
    ? undefined
    : `${counted(kept, 'object')} of OLD ${kept === 1 ? 'is' : 'are'} not in NEW and ${kept === 1 ? 'stays' : 'stay'}; --prune deletes ${kept === 1 ? 'it' : 'them'}`;
}
