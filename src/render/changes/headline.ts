import { toCheckoutPath } from '../../core/sources/checkout-path';
import { countFindings } from '../../core/document/plan-document';
import { isKustomization } from '../../core/sources/kustomization-kind';
import { kindKeyOf } from '../../core/manifest/manifest';
import type { PlanDocument } from '../../core/document/plan-document';
import type { ApplyEffect, ChangeSummary, ObjectChange, PlannedChange } from '../../core/document/change';
import { unreadable } from '../../core/rules/unreadable';
import { notRendered } from '../../core/rules/not-rendered';
import { joinWords, pluralize } from '../../core/text/text-format';
import { isNextRolloutFinding } from '../../core/findings/finding';
import type { Finding } from '../../core/findings/finding';
import { kustomization } from '../../core/rules/kustomization';
import { mayChartDiffer } from '../../core/rules/helm-template';
import { notRead } from '../../core/rules/not-read';
import { template } from '../../core/rules/template';
import { placeholder } from '../../core/rules/placeholder';
import type { PlannedRollout } from '../../core/document/rollout';
import { PRODUCTS, getProduct } from '../../core/values/versions';
import { getLeastInUse } from '../../core/document/service-plan';
import type { ServicePlan } from '../../core/document/service-plan';
import { groupRolloutsByObject, rolloutResourceKeyOf, selectServingUsers } from './object-plans';
import { formatResourceLabel } from '../findings/text-findings';
import type { PlannedUpgrade } from '../../core/document/upgrade';
import { EFFECT_LABEL_ENTRIES, countEffects } from './effects';
import { empty } from '../../core/rules/empty';
import { describeRolloutOutcome } from '../rollout/outcome-text';
import { toSafeText } from '../../core/text/value-text';

/** A change, and the parts of its plan that its headline mentions. */
export interface ChangeHeadlineInput extends Pick<
  PlanDocument,
  'assumedVersions' | 'rollouts' | 'services' | 'findings' | 'notPlanned' | 'upgrade' | 'behaviour'
> {
  readonly change: PlannedChange;
}

/** Reports a part of the cluster that the user may not read. In a change its objects are unknown, and in an upgrade, where it is a warning, they are missing. */
function isUnreadPart({ code, messageId, severity, suppressed }: Finding): boolean {
  return code === 'change/incomplete-information' && messageId === 'unread' && severity === 'warning' && !suppressed;
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
    ...(findings.some(isUnreadPart) ? ['a part of the cluster is not read'] : []),
    ...(unread > 0 ? [`${pluralize(unread, 'document')} ${unread === 1 ? 'is' : 'are'} not read`] : []),
    ...(folders > 0 ? [`${pluralize(folders, 'folder')} ${folders === 1 ? 'is' : 'are'} not rendered`] : []),
  ];
  return parts.length === 0 ? undefined : parts.join(', ');
}

/** Counts the files of findings. A file of both sides counts once. */
function countFiles(findings: readonly Finding[]): number {
  return new Set(findings.map(({ source }) => source && toCheckoutPath(source.file))).size;
}

/** Reports whether a finding is about a file whose objects are not planned: one that is set aside, or a template. */
function isAboutUnplannedFile(finding: Finding): boolean {
  return notRead.matches(finding) || template.matches(finding);
}

/** Returns the findings about files that Helm or kustomize does not build. */
function filterUnrendered(findings: PlanDocument['findings']): PlanDocument['findings'] {
  return findings.filter((finding) => notRead.matches(finding, 'unrendered'));
}

/** Formats what the input sets aside or leaves open, and may therefore differ: `2 folders are not rendered`. Undefined if there is nothing. */
function formatSetAside({ findings, rollouts }: Pick<PlanDocument, 'findings' | 'rollouts'>): string | undefined {
  const folders = countFiles(findings.filter((finding) => kustomization.matches(finding) || mayChartDiffer(finding)));
  const unrendered = filterUnrendered(findings);
  const files = countFiles(findings.filter((finding) => isAboutUnplannedFile(finding) && !unrendered.includes(finding)));
  // A rollout has at most one such finding. A diff lists those of rollouts with the others.
  const all = [...findings, ...rollouts.flatMap((rollout) => rollout.findings)];
  const open = all.filter((finding) => placeholder.matches(finding)).length;
  const parts = [
    ...(folders > 0 ? [`${pluralize(folders, 'folder')} ${folders === 1 ? 'is' : 'are'} not rendered`] : []),
    ...(files > 0 ? [`${pluralize(files, 'file')} ${files === 1 ? 'is' : 'are'} not planned`] : []),
    ...(unrendered.length > 0 ? ['Helm or kustomize does not build some files'] : []),
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
  if (!isComplete) return formatReadObjects(objects - kept, { hooks, kept });
  // A hook may differ, since its tool runs it again.
  const lead = hooks === 0 ? 'nothing changes' : 'only hooks may differ';
  if (objects === 0) return hooks === 0 ? 'no objects: nothing changes' : lead;
  if (kept > 0) return `${lead}: ${kept} of ${pluralize(objects, 'object')} ${kept === 1 ? 'is' : 'are'} only in OLD, and kept`;
  const notPlanned = unplanned === 0 ? '' : `, ${unplanned} of ${unplanned === 1 ? 'a kind that is' : 'kinds that are'} not planned`;
  return `${lead}: ${formatAllObjects(objects)} up to date${notPlanned}`;
}

/** Formats that objects of NEW do not differ although more may not be read. Hooks are counted elsewhere. */
function formatReadObjects(objects: number, { hooks, kept }: Pick<UnchangedObjects, 'hooks' | 'kept'>): string {
  if (objects === 0) return `no ${hooks === 0 ? '' : 'other '}object${kept === 0 ? '' : ' of NEW'} was read`;
  return objects === 1 ? 'the object that was read does not differ' : `the ${objects} objects that were read do not differ`;
}

/** Counts the workloads and claims that become hooks, so that the tool deletes those that it applied before. */
function countNewHooks({ findings }: Pick<PlanDocument, 'findings'>): number {
  return findings.filter(
    ({ code, messageId, severity }) => code === 'change/hook-pods' && messageId === 'becomesHook' && severity === 'error',
  ).length;
}

/** Messages about objects whose file moves to where their tool does not read it. */
const MOVED_IDS: ReadonlySet<string> = new Set(['moved', 'movedOut', 'movedFromSource']);

/** Formats how many objects differ although their tool leaves them as they are, and how many it no longer applies. Empty if there are none. */
function formatIgnoredObjects({ findings }: Pick<PlanDocument, 'findings'>): string {
  // The headline counts the objects of a suspended source as held.
  const found = findings.filter(({ code, messageId }) => code === 'change/not-applied' && messageId !== 'suspended');
  const moved = found.filter(({ messageId }) => MOVED_IDS.has(messageId)).length;
  const count = found.length - moved;
  return [
    ...(count > 0
      ? [`; ${pluralize(count, 'object')} that ${count === 1 ? 'differs is left as it is' : 'differ are left as they are'}`]
      : []),
    ...(moved > 0
      ? [`; ${pluralize(moved, 'object')} ${moved === 1 ? 'is no longer applied by its tool' : 'are no longer applied by their tools'}`]
      : []),
  ].join('');
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
    .map(({ data }) => toSafeText(data.service));
  const { size } = new Set([...counted.map(({ resource }) => formatResourceLabel(resource)), ...reported]);
  return size === 0 ? '' : `; ${pluralize(size, 'Service')} ${size === 1 ? 'loses' : 'lose'} all ready endpoints`;
}

/** Formats the headline of an upgrade: `KServe 0.16 -> 0.17: 4 of 41 objects are affected: 4 roll; 9 pods are replaced; …`. */
function formatUpgradeHeadline(
  { product, from, to }: PlannedUpgrade,
  plan: ChangeHeadlineInput,
  { objects, differing, isComplete }: { readonly objects: number; readonly differing: number; readonly isComplete: boolean },
): string {
  const { change, services, findings, behaviour } = plan;
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
  const pods = formatPodCounts(change.summary) ?? formatUncountedPods(plan);
  return `${lead}${differing} of ${pluralize(objects, 'object')} ${differing === 1 ? 'is' : 'are'} affected: ${counts.join(', ')}; ${pods}${formatLostServices({ services, findings })}${differently}`;
}

/**
 * Formats the headline of a change: `4 of 41 objects differ: 2 roll, 1 scales, 1 is refused; 27 pods are replaced; needs up to 9 extra pods`.
 * It begins with what is missing from the plan, so that it never claims that nothing changes if that is not known.
 */
export function formatChangeHeadline(plan: ChangeHeadlineInput): string {
  return `${formatChangeCounts(plan)}${formatAssumedVersions(plan)}`;
}

/** Formats how many hooks are not compared, and how many objects their tool leaves as they are. Empty if there are none. */
function formatUncompared(plan: ChangeHeadlineInput): string {
  const { hook = 0 } = plan.change.summary;
  const hooks = hook === 0 ? '' : `; ${pluralize(hook, 'hook')} ${hook === 1 ? 'is' : 'are'} not compared`;
  return `${hooks}${formatIgnoredObjects(plan)}`;
}

/** Formats a change in which no object differs. It says that nothing changes only if all objects were read and compared. */
function formatUnchanged(plan: ChangeHeadlineInput, objects: number, missing: string | undefined): string {
  const { hook = 0, kept } = plan.change.summary;
  const becoming = countNewHooks(plan);
  if (becoming > 0) {
    const others = objects === 0 ? '' : `; ${pluralize(objects, 'other object')} ${objects === 1 ? 'does' : 'do'} not differ`;
    return `${pluralize(becoming, 'object')} ${becoming === 1 ? 'becomes a hook' : 'become hooks'}, and what runs now is deleted${others}`;
  }
  // JSON that is no object is an info. It may have been one if nothing else of NEW is read.
  const isUnread = kept === objects && plan.findings.some((finding) => unreadable.matches(finding));
  const isComplete = missing === undefined && !isUnread && !plan.findings.some((finding) => empty.matches(finding));
  if (isComplete && formatIgnoredObjects(plan) !== '') return `nothing changes for ${pluralize(objects, 'object')}`;
  const unplanned = plan.notPlanned.reduce((sum, { count }) => sum + count, 0);
  return formatNoDifference({ objects, unplanned, hooks: hook, kept }, isComplete);
}

/** Formats how many objects a change affects, and what happens to their pods. */
function formatChangeCounts(plan: ChangeHeadlineInput): string {
  const { change, rollouts } = plan;
  const { summary } = change;
  const missing = formatMissingInput(plan);
  const before = missing === undefined ? '' : `incomplete: ${missing}; `;
  const objects = EFFECT_LABEL_ENTRIES.reduce((sum, [effect]) => sum + (effect === 'hook' ? 0 : summary[effect]), 0);
  const differing = objects - summary.none;
  if (plan.upgrade)
    return `${before}${formatUpgradeHeadline(plan.upgrade, plan, { objects, differing, isComplete: missing === undefined })}`;
  const after = `${formatUncompared(plan)}${formatNextRolloutProblems(rollouts)}`;
  if (differing === 0) {
    const setAside = missing ?? formatSetAside(plan);
    return `${setAside === undefined ? '' : `incomplete: ${setAside}; `}${formatUnchanged(plan, objects, setAside)}${after}`;
  }
  const counts = countEffects(summary)
    .filter(({ effect }) => effect !== 'none' && effect !== 'hook')
    .map(({ count, label }) => `${count} ${label}`);
  const pods = formatPodCounts(summary) ?? formatUncountedPods(plan);
  return `${before}${differing} of ${pluralize(objects, 'object')} ${differing === 1 ? 'differs' : 'differ'}: ${counts.join(', ')}; ${pods}${formatLostServices(plan)}${after}`;
}

/** Line of a plan of a change about what files cannot show. */
export const ADMISSION_NOTE = 'Not checked: what admission webhooks and policies change on apply.';

function formatAllObjects(count: number): string {
  return count === 1 ? 'the object is' : `all ${count} objects are`;
}

/** Effects on pods, even if no plan knows how many. */
const POD_AFFECTING_EFFECTS: readonly ApplyEffect[] = ['replace', 'roll-and-scale', 'roll', 'unknown'];

/**
 * Kinds whose pods no plan counts if objects of them are created or deleted: they depend on nodes, clusters or requests, or on the Jobs that
 * run when a CronJob is deleted.
 */
const UNCOUNTED_KINDS: Readonly<Record<'create' | 'delete', ReadonlySet<string>>> = {
  create: new Set(['apps/DaemonSet', 'fleet.cattle.io/Bundle', 'fleet.cattle.io/HelmOp', 'serving.knative.dev/Service']),
  delete: new Set(['/Node', 'apps/DaemonSet', 'batch/CronJob', 'karpenter.sh/NodePool', 'serving.knative.dev/Service']),
};

/**
 * Reports whether an object is created or deleted whose pods are not known: those of a kind that no plan counts, those of a controller that is
 * not planned, or those of the files that a kustomization does not list.
 */
function hasUncountedPods({ resource, effect, pods }: ObjectChange, { notPlanned, findings }: ChangeHeadlineInput): boolean {
  if (effect !== 'create' && effect !== 'delete') return false;
  const key = kindKeyOf(resource);
  // Pods of a Knative Service beyond its minimum depend on requests.
  if (pods !== undefined && key !== 'serving.knative.dev/Service') return false;
  if (isKustomization(resource)) return filterUnrendered(findings).length > 0;
  const isNotPlanned = notPlanned.some(({ apiVersion, kind }) => apiVersion === resource.apiVersion && kind === resource.kind);
  return isNotPlanned || UNCOUNTED_KINDS[effect].has(key);
}

/** Reports whether annotations ask Reloader to restart pods for an object. Files do not show whether it runs. */
function isRestartedByReloader({ restarts = [] }: ObjectChange): boolean {
  return restarts.some(({ watchedByReloader }) => watchedByReloader);
}

/** Formats the effect on pods if no plan counts any: no effect, all rollouts stop before the first pod is replaced, or an unknown number. */
function formatUncountedPods(plan: ChangeHeadlineInput): string {
  const { change, rollouts } = plan;
  const affecting = change.objects.filter(
    (each) => POD_AFFECTING_EFFECTS.includes(each.effect) || isRestartedByReloader(each) || hasUncountedPods(each, plan),
  );
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
