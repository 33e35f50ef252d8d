import { addToGroup } from '../core/group-by';
import type {
  ApplyTool,
  AssumedApplier,
  ChangeSummary,
  ApplyEffect,
  FieldChange,
  HookRun,
  ObjectChange,
  PlannedChange,
  ApplyRejection,
  RestartNeeded,
} from '../core/change';
import { isNextRolloutFinding } from '../core/finding';
import type { Finding } from '../core/finding';
import { countFindings } from '../core/plan-document';
import type { PlanDocument } from '../core/plan-document';
import { getOwnValue } from '../core/manifest';
import type { PlannedRollout, ResourceRef } from '../core/rollout';
import { empty } from '../core/rules/empty';
import { helmTemplate } from '../core/rules/helm-template';
import { kustomization } from '../core/rules/kustomization';
import { notRead } from '../core/rules/not-read';
import { notRendered } from '../core/rules/not-rendered';
import { placeholder } from '../core/rules/placeholder';
import { unreadable } from '../core/rules/unreadable';
import { getLeastInUse } from '../core/service-plan';
import type { ServicePlan } from '../core/service-plan';
import type { PlannedUpgrade } from '../core/upgrade';
import { PRODUCTS, getProduct } from '../core/versions';
import type { RolloutHealth, InitialRolloutState } from '../core/initial-state';
import { pluralize, truncateNames, joinWords, joinTruncatedNames, MAX_LISTED_NAMES } from '../core/text-format';
import { MAPPED_MARK, describeRolloutOutcome } from './outcome-text';
import { formatResourceLabel } from './text-findings';
import { escapeForTerminal, formatValueForTerminal } from '../core/escape-output';

/** Labels that follow the count of an effect, in the order of the headline: effects that move pods first. */
const EFFECT_LABELS: Readonly<Record<ApplyEffect, readonly [one: string, several: string]>> = {
  replace: ['is deleted and recreated', 'are deleted and recreated'],
  'roll-and-scale': ['rolls and scales', 'roll and scale'],
  roll: ['rolls', 'roll'],
  held: ['is on hold', 'are on hold'],
  scale: ['scales', 'scale'],
  'restart-needed': ['needs a restart', 'need a restart'],
  create: ['is new', 'are new'],
  delete: ['is deleted', 'are deleted'],
  settings: ['changes settings', 'change settings'],
  metadata: ['changes metadata', 'change metadata'],
  none: ['is unchanged', 'are unchanged'],
  refused: ['is refused', 'are refused'],
  unknown: ['has an unknown effect', 'have unknown effects'],
  hook: ['runs as a hook', 'run as hooks'],
};

const EFFECT_LABEL_ENTRIES = Object.entries(EFFECT_LABELS) as [ApplyEffect, readonly [one: string, several: string]][];

/** Mark in front of each effect. */
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
  hook: '*',
};

/** Effects in the order of a report: those that need a decision first. */
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
  'hook',
  'none',
];

/** A change, and the parts of its plan that its headline mentions. */
export interface ChangeHeadlineInput extends Pick<
  PlanDocument,
  'assumedVersions' | 'rollouts' | 'services' | 'findings' | 'notPlanned' | 'upgrade' | 'behaviour'
> {
  readonly change: PlannedChange;
}

/** Formats what is missing from a plan: `1 document is not read, 3 folders are not rendered`. Undefined if it is complete. */
function formatMissingInput({ findings }: Pick<PlanDocument, 'findings'>): string | undefined {
  const counted = findings.filter(({ severity, suppressed }) => severity === 'error' && !suppressed);
  // Text that is no object is a warning in a folder. The file may have contained objects before.
  const unread = findings.filter((finding) => unreadable.matches(finding) && finding.severity !== 'info' && !finding.suppressed).length;
  const folders = counted
    .filter((finding) => notRendered.matches(finding))
    .reduce((sum, { data }) => sum + (typeof data.folders === 'number' ? data.folders : 1), 0);
  const parts = [
    ...(unread > 0 ? [`${pluralize(unread, 'document')} ${unread === 1 ? 'is' : 'are'} not read`] : []),
    ...(folders > 0 ? [`${pluralize(folders, 'folder')} ${folders === 1 ? 'is' : 'are'} not rendered`] : []),
  ];
  return parts.length === 0 ? undefined : parts.join(', ');
}

/** Name of a file of a revision without the revision, so that a file of both sides counts once. */
const REVISION_PREFIX = /^git:[^:]*:/;

function countFiles(findings: readonly Finding[]): number {
  return new Set(findings.map(({ source }) => source?.file.replace(REVISION_PREFIX, ''))).size;
}

/** Formats what the input sets aside or leaves open, and may therefore differ: `2 folders are not rendered`. Undefined if there is nothing. */
function formatSetAside({ findings, rollouts }: Pick<PlanDocument, 'findings' | 'rollouts'>): string | undefined {
  const folders = countFiles(findings.filter((finding) => kustomization.matches(finding) || helmTemplate.matches(finding)));
  const files = countFiles(findings.filter((finding) => notRead.matches(finding)));
  const open = rollouts.filter((rollout) => rollout.findings.some((finding) => placeholder.matches(finding))).length;
  const parts = [
    ...(folders > 0 ? [`${pluralize(folders, 'folder')} ${folders === 1 ? 'is' : 'are'} not rendered`] : []),
    ...(files > 0 ? [`${pluralize(files, 'file')} ${files === 1 ? 'is' : 'are'} not planned`] : []),
    ...(open > 0 ? [`${pluralize(open, 'object')} ${open === 1 ? 'has' : 'have'} placeholders`] : []),
  ];
  return parts.length === 0 ? undefined : parts.join(', ');
}

/** Numbers of objects of a change in which none differs. */
interface UnchangedObjects {
  readonly objects: number;
  readonly unplanned: number;
  readonly hooks: number;
  /** Objects that NEW lacks and that are not deleted. */
  readonly kept: number;
}

function formatNoDifference({ objects, unplanned, hooks, kept }: UnchangedObjects, isComplete: boolean): string {
  if (!isComplete) return objects === 0 ? 'no object was read' : 'the objects that were read do not differ';
  if (objects === 0) return hooks === 0 ? 'no objects: nothing changes' : 'nothing changes';
  if (kept > 0) return `nothing changes: ${kept} of ${pluralize(objects, 'object')} ${kept === 1 ? 'is' : 'are'} only in OLD, and kept`;
  const notPlanned = unplanned === 0 ? '' : `, ${unplanned} of ${unplanned === 1 ? 'a kind that is' : 'kinds that are'} not planned`;
  return `nothing changes: ${formatAllObjects(objects)} up to date${notPlanned}`;
}

/** Counts the workloads and claims that become hooks, so that the tool deletes those that it applied before. */
function countNewHooks({ findings }: Pick<PlanDocument, 'findings'>): number {
  return findings.filter(
    ({ code, messageId, severity }) => code === 'change/hook-pods' && messageId === 'becomesHook' && severity === 'error',
  ).length;
}

/** Formats how many errors and warnings the next rollouts will have. Empty if there are none. */
function formatNextRolloutProblems(rollouts: readonly PlannedRollout[]): string {
  const found = rollouts.flatMap(({ findings }) => findings.filter((finding) => isNextRolloutFinding(finding) && !finding.suppressed));
  const { errors, warnings } = countFindings(found);
  if (errors + warnings === 0) return '';
  const counts = [...(errors > 0 ? [pluralize(errors, 'error')] : []), ...(warnings > 0 ? [pluralize(warnings, 'warning')] : [])];
  return `; the next rollout has ${joinWords(counts)}`;
}

/** Formats which versions a change is planned for although none is given: `; assumes Kubernetes 1.36`. Empty if there are none. */
export function formatAssumedVersions({ assumedVersions = {} }: Pick<PlanDocument, 'assumedVersions'>): string {
  const assumed = PRODUCTS.flatMap((product) => {
    const version = assumedVersions[product];
    return version === undefined ? [] : [`${getProduct(product).name} ${version}`];
  });
  return assumed.length === 0 ? '' : `; assumes ${joinWords(assumed)}`;
}

/**
 * Selects the Services whose endpoints say what users have: none of a new version under test, and no stable Service whose requests weights
 * move to a canary before its pods go.
 */
function selectServingUsers(services: readonly ServicePlan[]): ServicePlan[] {
  const splitKeys = new Set(services.flatMap(({ role, selects }) => (role === 'canary' ? selects.map(rolloutResourceKeyOf) : [])));
  const isSplit = ({ selects }: ServicePlan) => selects.some((object) => splitKeys.has(rolloutResourceKeyOf(object)));
  return services.filter(
    (service) => service.role === undefined || service.role === 'active' || (service.role === 'stable' && !isSplit(service)),
  );
}

/** Code of the finding about a Service that loses its endpoints. Its data names the Service, also one whose endpoints are not counted. */
const LOST_SERVICE_CODE = 'change/service-without-endpoints';

/** Reports whether a Service has all of its endpoints counted, and none of them is ready at some moment. */
function hasNoEndpoint({ mayAlsoSelect, readyEndpoints }: ServicePlan): boolean {
  return mayAlsoSelect === undefined && readyEndpoints.before > 0 && getLeastInUse(readyEndpoints) === 0;
}

/** Formats how many Services have no ready endpoint at some moment, or from now on. Empty if there are none. */
function formatLostServices({ services = [], findings }: Pick<ChangeHeadlineInput, 'services' | 'findings'>): string {
  const counted = selectServingUsers(services).filter(hasNoEndpoint);
  const reported = findings
    .filter(({ code, messageId }) => code === LOST_SERVICE_CODE && messageId !== 'pending')
    .map(({ data }) => String(data.service));
  const { size } = new Set([...counted.map(({ resource }) => formatResourceLabel(resource)), ...reported]);
  return size === 0 ? '' : `; ${pluralize(size, 'Service')} ${size === 1 ? 'loses' : 'lose'} all ready endpoints`;
}

/** Formats the headline of an upgrade: `KServe 0.16 -> 0.17: 4 of 41 objects are affected: 4 roll; 9 pods are replaced; …`. */
function formatUpgradeHeadline(
  { product, from, to }: PlannedUpgrade,
  { change, rollouts, services, findings, behaviour }: ChangeHeadlineInput,
  { objects, differing, isComplete }: { readonly objects: number; readonly differing: number; readonly isComplete: boolean },
): string {
  const lead = `${getProduct(product).name} ${from} -> ${to}: `;
  const behaving = new Set((behaviour?.changed ?? []).map(({ resource }) => rolloutResourceKeyOf(resource))).size;
  const differently =
    behaving === 0 ? '' : `; ${pluralize(behaving, 'object')} ${behaving === 1 ? 'behaves' : 'behave'} differently at the next rollout`;
  if (differing === 0) {
    if (objects === 0) return `${lead}${isComplete ? 'no objects, so nothing rolls' : 'no object was planned'}`;
    const planned = isComplete
      ? pluralize(objects, 'object')
      : `the ${pluralize(objects, 'object')} that ${objects === 1 ? 'was' : 'were'} planned`;
    return `${lead}nothing rolls in ${planned}${differently}`;
  }
  const counts = countEffects(change.summary)
    .filter(({ effect }) => effect !== 'none' && effect !== 'hook')
    .map(({ count, label }) => `${count} ${label}`);
  const pods = formatPodCounts(change.summary) ?? formatUncountedPods(change.objects, rollouts);
  return `${lead}${differing} of ${pluralize(objects, 'object')} ${differing === 1 ? 'is' : 'are'} affected: ${counts.join(', ')}; ${pods}${formatLostServices({ services, findings })}${differently}`;
}

/**
 * Formats the headline of a change: `4 of 41 objects differ: 2 roll, 1 scales, 1 is refused; 27 pods are replaced; needs up to 9 extra pods`.
 * It begins with what is missing from the plan, so that it never claims that nothing changes if that is not known.
 */
export function formatChangeHeadline(plan: ChangeHeadlineInput): string {
  return `${formatChangeCounts(plan)}${formatAssumedVersions(plan)}`;
}

/** Formats how many objects a change affects, and what happens to their pods. */
function formatChangeCounts(plan: ChangeHeadlineInput): string {
  const { change, rollouts, notPlanned } = plan;
  const { summary } = change;
  const missing = formatMissingInput(plan);
  const before = missing === undefined ? '' : `incomplete: ${missing}; `;
  const { hook = 0 } = summary;
  const objects = EFFECT_LABEL_ENTRIES.reduce((sum, [effect]) => sum + (effect === 'hook' ? 0 : summary[effect]), 0);
  const hooks = hook === 0 ? '' : `; ${pluralize(hook, 'hook')} ${hook === 1 ? 'is' : 'are'} not compared`;
  const differing = objects - summary.none;
  if (plan.upgrade)
    return `${before}${formatUpgradeHeadline(plan.upgrade, plan, { objects, differing, isComplete: missing === undefined })}`;
  if (differing === 0) {
    const unplanned = notPlanned.reduce((sum, { count }) => sum + count, 0);
    const setAside = missing === undefined ? formatSetAside(plan) : undefined;
    const isComplete = missing === undefined && setAside === undefined && !plan.findings.some((finding) => empty.matches(finding));
    const becoming = countNewHooks(plan);
    const unchanged =
      becoming === 0
        ? formatNoDifference({ objects, unplanned, hooks: hook, kept: summary.kept }, isComplete)
        : `${pluralize(becoming, 'object')} ${becoming === 1 ? 'becomes a hook' : 'become hooks'}, and what runs now is deleted`;
    const lead = setAside === undefined ? before : `incomplete: ${setAside}; `;
    return `${lead}${unchanged}${hooks}${formatNextRolloutProblems(rollouts)}`;
  }
  const counts = countEffects(summary)
    .filter(({ effect }) => effect !== 'none' && effect !== 'hook')
    .map(({ count, label }) => `${count} ${label}`);
  const pods = formatPodCounts(summary) ?? formatUncountedPods(change.objects, rollouts);
  return `${before}${differing} of ${pluralize(objects, 'object')} ${differing === 1 ? 'differs' : 'differ'}: ${counts.join(', ')}; ${pods}${formatLostServices(plan)}${hooks}${formatNextRolloutProblems(rollouts)}`;
}

/** Line of a plan of a change about what files cannot show. */
export const ADMISSION_NOTE = 'Not checked: what admission webhooks and policies change on apply.';

/** Returns the number of objects with each effect that occurs, in the order of the headline: `2`, `roll`. */
export function countEffects(summary: ChangeSummary): { readonly effect: ApplyEffect; readonly count: number; readonly label: string }[] {
  return EFFECT_LABEL_ENTRIES.filter(([effect]) => (summary[effect] ?? 0) > 0).map(([effect, [one, several]]) => {
    const count = summary[effect] ?? 0;
    return { effect, count, label: count === 1 ? one : several };
  });
}

function formatAllObjects(count: number): string {
  return count === 1 ? 'the object is' : `all ${count} objects are`;
}

/** Effects on pods, even if no plan knows how many. */
const POD_AFFECTING_EFFECTS: readonly ApplyEffect[] = ['replace', 'roll-and-scale', 'roll', 'unknown'];

/** Reports whether an object with one pod on each node is created or deleted, and the nodes are not known. */
function hasUncountedPods({ resource, effect, pods }: ObjectChange): boolean {
  return resource.kind === 'DaemonSet' && pods === undefined && (effect === 'create' || effect === 'delete');
}

/** Formats the effect on pods if no plan counts any: no effect, all rollouts stop before the first pod is replaced, or an unknown number. */
function formatUncountedPods(changes: readonly ObjectChange[], rollouts: readonly PlannedRollout[]): string {
  const affecting = changes.filter((change) => POD_AFFECTING_EFFECTS.includes(change.effect) || hasUncountedPods(change));
  if (affecting.length === 0) return 'no pods are affected';
  const byObject = groupRolloutsByObject(rollouts);
  const isBlocked = ({ resource, pods }: ObjectChange) => {
    const objectRollouts = (byObject.get(rolloutResourceKeyOf(resource)) ?? []).filter(({ simulation }) => simulation !== null);
    // A RayService keeps the pods of its running cluster, however many these are.
    const areKnown = pods !== undefined || objectRollouts.every(({ simulation }) => simulation?.kind === 'rayservice');
    return areKnown && objectRollouts.length > 0 && objectRollouts.every((rollout) => describeRolloutOutcome(rollout).isStuck);
  };
  return affecting.every(isBlocked) ? 'no pods are replaced' : 'the number of affected pods is unknown';
}

/** Formats the number of pods that move. If pods are replaced, added pods are not listed: the extra pods include them. */
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
  return `${parts.join(', ')}; needs ${peakExtraPods === 0 ? 'no extra pods' : `up to ${pluralize(peakExtraPods, 'extra pod')}`}`;
}

/** Returns the objects that differ, worst first. Objects with the same effect keep their order. */
export function sortByEffectUrgency(objects: readonly ObjectChange[]): ObjectChange[] {
  const ranked = objects.filter(({ effect }) => effect !== 'none');
  return ranked.toSorted((a, b) => EFFECTS_BY_URGENCY.indexOf(a.effect) - EFFECTS_BY_URGENCY.indexOf(b.effect));
}

/** Returns the key that groups rollouts by their object. */
export function rolloutResourceKeyOf({ apiVersion, kind, namespace, name }: ResourceRef): string {
  return JSON.stringify([apiVersion, kind, namespace, name]);
}

/** Groups the rollouts of a plan by object. */
export function groupRolloutsByObject(rollouts: readonly PlannedRollout[]): ReadonlyMap<string, readonly PlannedRollout[]> {
  const byObject = new Map<string, PlannedRollout[]>();
  for (const rollout of rollouts) {
    const key = rolloutResourceKeyOf(rollout.resource);
    addToGroup(byObject, key, rollout);
  }
  return byObject;
}

/** Largest number of characters of a value on one line. The JSON has the full value. */
const MAX_VALUE_LENGTH = 60;

/** Formats a value on one line; undefined is `none`. */
export function formatShortValue(value: unknown): string {
  if (value === undefined) return 'none';
  const text = Array.from(value === '' ? '""' : formatValueForTerminal(value));
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH - 1).join('')}…` : text.join('');
}

/** Returns the last name of a path: `image` for `spec.template.spec.containers[web].image`, `env[MODE]` for a variable. */
function leafNameOf(path: string): string {
  const variable = path.endsWith('].value') ? path.lastIndexOf('.env[') : -1;
  if (variable >= 0) return path.slice(variable + 1, -'.value'.length);
  const open = path.endsWith(']') ? path.indexOf('[', path.lastIndexOf(']', path.length - 2) + 1) : -1;
  const bare = open < 0 ? path : path.slice(0, open);
  return bare.slice(bare.lastIndexOf('.') + 1) + path.slice(bare.length);
}

/** Formats a difference on one line. An added or removed map or list is not written out, nor are two values that are equal once truncated. */
function formatDifference(old: unknown, next: unknown): string {
  if (old === undefined && typeof next === 'object') return 'added';
  if (next === undefined && typeof old === 'object') return 'removed';
  const [before, after] = [formatShortValue(old), formatShortValue(next)];
  return before === after ? 'differs' : `${before} -> ${after}`;
}

/** Formats a field that differs: `image api:1 -> api:2`, `env[MODE] added`. */
export function formatFieldChange({ path, old, new: next }: FieldChange): string {
  return escapeForTerminal(`${leafNameOf(path)} ${formatDifference(old, next)}`);
}

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
  const isLiveUpdated = ({ reads }: RestartNeeded) => reads.every((read) => read === 'volume');
  const all = [...restarts.filter((one) => !isLiveUpdated(one)), ...restarts.filter(isLiveUpdated)];
  const texts = all.slice(0, MAX_LISTED_NAMES).map((one) => {
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

/** Groups the Services of a plan by object: by the Service itself, and by each object whose pods it selects. */
export function groupServicesByObject(services: readonly ServicePlan[] = []): ReadonlyMap<string, readonly ServicePlan[]> {
  const byObject = new Map<string, ServicePlan[]>();
  for (const service of services) {
    for (const key of new Set([service.resource, ...service.selects].map(rolloutResourceKeyOf))) {
      addToGroup(byObject, key, service);
    }
  }
  return byObject;
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

/** Formats how many of the added pods fit, if not all of them do at once. */
function formatCapacityShortages(rollouts: readonly PlannedRollout[]): string[] {
  return rollouts.flatMap(({ resource: { component }, capacity, simulation }) => {
    if (simulation !== null || !capacity?.shortage) return [];
    const { podsThatFit, mostPodsThatFit = podsThatFit, peakPods, verdict } = capacity;
    const range = mostPodsThatFit > podsThatFit ? `${podsThatFit} to ${mostPodsThatFit}` : `only ${podsThatFit}`;
    const part = component === undefined ? '' : ` (${escapeForTerminal(component)})`;
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
  if (phases.length === 0) return ['is never applied: its hook names no known phase'];
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
  const downtime = effect === 'replace' ? ['all pods are down at once'] : [];
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

const HEALTH_LABELS: Readonly<Record<RolloutHealth, string>> = {
  progressing: 'in progress',
  'deadline-exceeded': 'deadline exceeded',
  paused: 'paused',
  unavailable: 'too few pods are available',
};

/**
 * Formats an initial state that is unhealthy or has several revisions: `the last rollout has not finished: 5 of 9 updated, deadline exceeded`,
 * or `before the apply: 1 of 3 updated` if a partition holds the others. Returns undefined for any other one.
 */
export function formatInitialState({ replicas, revisions, underWay, health }: InitialRolloutState): string | undefined {
  const healthLabels = health ? [HEALTH_LABELS[health]] : [];
  const updated = revisions.length > 1 ? [`${revisions.at(-1)?.replicas ?? 0} of ${replicas} updated`] : [];
  if (!underWay) {
    const states = [...updated, ...healthLabels];
    return states.length === 0 ? undefined : `before the apply: ${states.join(', ')}`;
  }
  const available = revisions.reduce((sum, revision) => sum + revision.available, 0);
  const [state = `${available} of ${replicas} available`] = updated;
  return `the last rollout has not finished: ${[state, ...healthLabels].join(', ')}`;
}

/** Formats the initial state of every rollout that was unhealthy before the apply. */
export function formatInitialStates(rollouts: readonly PlannedRollout[]): string[] {
  return rollouts.flatMap(({ resource, initialState }) => {
    const text = initialState && formatInitialState(initialState);
    return text === undefined ? [] : [`${formatResourceLabel(resource)}: ${text}`];
  });
}

/** Names of tools in texts. */
const TOOL_NAMES: Readonly<Record<ApplyTool, string>> = {
  kubectl: 'kubectl apply',
  'kubectl-server-side': 'kubectl apply --server-side',
  'kubectl-replace': 'kubectl replace',
  'helm-3': 'Helm (client-side)',
  'helm-4': 'Helm 4',
  flux: 'a Flux Kustomization',
  'flux-helm': 'a Flux HelmRelease',
  'argo-cd': 'Argo CD',
  'argo-cd-server-side': 'Argo CD with ServerSideApply=true',
  fleet: 'Fleet',
  pulumi: 'Pulumi',
};

/** Formats which tools are assumed to apply the objects that differ, and why: `assumes that Helm 4 applies 3 objects (field manager "helm")`. */
export function formatAssumedAppliers({ objects }: PlannedChange): string[] {
  const counts = new Map<string, { readonly applier: AssumedApplier; count: number }>();
  for (const { applier, effect } of objects) {
    if (!applier || effect === 'none') continue;
    const known = counts.get(applier.tool);
    if (known) known.count++;
    else counts.set(applier.tool, { applier, count: 1 });
  }
  const assumed = [...counts.values()].map(({ applier: { tool, because }, count }) =>
    escapeForTerminal(`assumes that ${TOOL_NAMES[tool]} applies ${pluralize(count, 'object')} (${because}); --apply names another tool`),
  );
  return [...assumed, ...formatKeptFields(objects)];
}

/** Formats the live values that Argo CD keeps: `Argo CD keeps the live spec.replicas 1 of Deployment shop/web: its Application ignores this field`. */
function formatKeptFields(objects: readonly ObjectChange[]): string[] {
  const lines = objects.flatMap(({ resource, keeps = [] }) =>
    keeps.map(
      ({ path, value }) =>
        `Argo CD keeps the live ${escapeForTerminal(path)}${value === undefined ? '' : ` ${value}`} of ${formatResourceLabel(resource)}: its Application ignores this field`,
    ),
  );
  const omittedCount = lines.length - MAX_LISTED_NAMES;
  return omittedCount > 0 ? [...lines.slice(0, MAX_LISTED_NAMES), `Argo CD keeps ${omittedCount} more live values`] : lines;
}

/** Formats the number of objects that are kept because they are not pruned, or undefined if there are none. */
export function formatRetainedObjects(plan: ChangeHeadlineInput): string | undefined {
  const { kept, refused } = plan.change.summary;
  if (kept === 0) return undefined;
  const objects = pluralize(kept, 'object');
  const are = kept === 1 ? 'is' : 'are';
  if (formatMissingInput(plan) !== undefined) return `${objects} of OLD ${are} not among the objects of NEW that were read`;
  if (plan.change.pruned) {
    const reason = refused > 0 ? 'an object is refused, or the tool never prunes' : 'the tool never prunes';
    return `${objects} in OLD ${are} not in NEW and ${are} kept: ${reason} ${kept === 1 ? 'it' : 'them'}`;
  }
  return `${objects} in OLD ${are} not in NEW and ${are} kept; --prune deletes ${kept === 1 ? 'it' : 'them'}`;
}
