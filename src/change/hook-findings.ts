import { isLive } from '../appliers/live-object';
import { isContextObject } from '../cluster/context-kinds';
import { SYSTEMS } from '../plan/registry';
import { admitPods } from '../cluster/capacity/admission';
import { countPodsWithoutRollout, listOtherPods } from '../cluster/capacity/other-pods';
import { listQuotaLimits } from '../cluster/capacity/quota';
import type { PlanContext } from '../cluster/context';
import { CONTEXT_KINDS } from '../cluster/context-kinds';
import { describeResource } from '../core/rollout';
import { podSetsOf } from '../cluster/workload';
import type { PodSet } from '../cluster/workload';
import { appendToPath, ROOT_PATH, toFieldPath } from '../core/field-path';
import type { Finding, Severity } from '../core/finding';
import { describeObject, getFieldsAt, getValueAt, nameOf, namespaceOf } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { toResourceRef } from '../core/rollout';
import { systemOf } from '../plan/registry';
import type { PlanInput } from '../plan/plan-input';
import { workloadKindOf } from '../workloads/kinds';
import type { ObjectPair } from './match-objects';
import type { ChangeContext, ObjectEffect } from './object-effect';
import { checkGarbageCollected } from './rules/garbage-collected';
import { hookPods } from './rules/hook-pods';
import { notApplied } from './rules/not-applied';

const ANNOTATIONS_PATH = toFieldPath`metadata.annotations`;

/** Phases that run before the objects of NEW are applied, and those that run once they are. */
const PHASES_BEFORE: ReadonlySet<string> = new Set(['pre-upgrade', 'PreSync']);
const PHASES_AFTER: ReadonlySet<string> = new Set(['post-upgrade', 'PostSync']);

/** Returns the pods that run in a namespace while nothing rolls out, without those of hooks. */
function listSteadyPods(context: PlanContext, namespace: string | undefined, isHook: (object: Manifest) => boolean): PodSet[] {
  const isCounted = (object: Manifest) => namespaceOf(object) === namespace && !isHook(object);
  const planned = context.objects.filter(isCounted).flatMap((object) => systemOf(object, context)?.plan(object, context) ?? []);
  const others = listOtherPods(context).filter(({ object }) => isCounted(object));
  return [...planned.flatMap(podSetsOf), ...others.map(({ podSet }) => podSet)];
}

/** Returns the first quota that refuses even one pod of a hook. */
function findFullQuota(
  hook: Manifest,
  context: PlanContext,
  isHook: (object: Manifest) => boolean,
): { readonly limit: string; readonly resource: string } | undefined {
  const namespace = namespaceOf(hook);
  const quotas = context.all(CONTEXT_KINDS.resourceQuota).filter((quota) => namespaceOf(quota) === namespace);
  if (quotas.length === 0) return undefined;
  const template = hook.kind === 'Pod' ? hook : getFieldsAt(hook, 'spec', 'template');
  const onePod = admitPods({ ...(namespace !== undefined && { namespace }), replicas: 1, running: 0, template }, context);
  const limits = listQuotaLimits(quotas, [...listSteadyPods(context, namespace, isHook), onePod]);
  const full = limits.find(({ perPod, refusesPods, total, steady }) => refusesPods && perPod.has(onePod) && steady > total);
  return full && { limit: full.name, resource: full.resource };
}

/** Returns the severity of an object whose change is not planned because of a new annotation: that of what a rollout of it may do. */
function severityOfHiddenChange(object: Manifest): Severity {
  if (mayRollOut(object) || object.kind === 'PersistentVolumeClaim') return 'error';
  return isContextObject(object) ? 'warning' : 'info';
}

/** Reports whether an object has pods that a rollout replaces. */
function mayRollOut(object: Manifest): boolean {
  return workloadKindOf(object) !== undefined || SYSTEMS.some((system) => system.recognises(object));
}

/** A field that a manifest may leave to an autoscaler. */
const REPLICAS_PATH = toFieldPath`spec.replicas`;

/** Reports the workloads with fields that differ and that an Application of this change keeps. */
function collectKeptObjects(objectEffects: readonly ObjectEffect[], pairs: readonly ObjectPair[], next: PlanInput): Finding[] {
  const altered = new Set(objectEffects.filter(({ effect }) => effect !== 'none').map(({ comparison: { next: object } }) => object));
  return objectEffects.flatMap(({ comparison: { kept = [], applied } }, index) => {
    const object = pairs[index]!.next;
    const by = applied.source?.object;
    const paths = kept.map((path) => appendToPath(ROOT_PATH, ...path)).filter((path) => path !== REPLICAS_PATH);
    if (by === undefined || !altered.has(by) || paths.length === 0 || !mayRollOut(object)) return [];
    const { tool, title } = applied.applier;
    const source = next.locate?.(object, ROOT_PATH);
    const data = { object: describeObject(object), tool, title, by: describeObject(by), fields: paths.length, first: paths[0]! };
    return [notApplied.createFinding('becomesKept', { path: ROOT_PATH, data, severity: 'error', ...(source && { source }) })];
  });
}

/**
 * Reports objects that differ, and that their tool leaves as they are because of an annotation, or because of an Application of this change.
 *
 * @param pairs - the objects of NEW in the order of the effects, as the files have them
 */
export function collectIgnoredObjects(objectEffects: readonly ObjectEffect[], pairs: readonly ObjectPair[], next: PlanInput): Finding[] {
  const ignored = objectEffects.flatMap(({ comparison: { ignoredBy, next: object, applied } }) => {
    if (ignoredBy === undefined) return [];
    const { tool, title } = applied.applier;
    const source = next.locate?.(object, ANNOTATIONS_PATH);
    const data = { object: describeObject(object), tool, title };
    const common = { path: ANNOTATIONS_PATH, data, ...(source && { source }) };
    return ignoredBy === 'annotation'
      ? [notApplied.createFinding('ignored', { ...common, severity: mayRollOut(object) ? 'warning' : 'info' })]
      : [notApplied.createFinding('becomesIgnored', { ...common, severity: severityOfHiddenChange(object) })];
  });
  return [...ignored, ...collectKeptObjects(objectEffects, pairs, next)];
}

/**
 * Reports objects that the garbage collector deletes, because they get owners that are no live objects of OLD. It is an error for workloads,
 * their data, and objects that plans read.
 */
export function collectGarbageCollected(objectEffects: readonly ObjectEffect[], old: readonly Manifest[], next: PlanInput): Finding[] {
  const liveUids = new Set(old.filter(isLive).map((object) => getValueAt(object, 'metadata', 'uid')));
  return objectEffects.flatMap(({ comparison }) => {
    const severity = severityOfHiddenChange(comparison.next) === 'info' ? 'warning' : 'error';
    return checkGarbageCollected(comparison, liveUids, severity, next.locate);
  });
}

/** Reports hooks whose pods a quota refuses in their phase, and workloads and claims that a tool deletes because they are hooks. */
export function collectHookFindings(
  objectEffects: readonly ObjectEffect[],
  { oldContext, newContext }: Pick<ChangeContext, 'oldContext' | 'newContext'>,
  next: PlanInput,
): Finding[] {
  return objectEffects.flatMap(({ effect, comparison }) => {
    const { hook, next: object, applied } = comparison;
    if (effect !== 'hook' || !hook) return [];
    const { applier } = applied;
    const resource = toResourceRef(object, nameOf(object), namespaceOf(object));
    const source = next.locate?.(object, ANNOTATIONS_PATH);
    const common = { path: ANNOTATIONS_PATH, ...(source && { source }) };
    const data = { object: describeResource(resource), tool: applier.tool, title: applier.title };
    const hasPodsOrData = workloadKindOf(object) !== undefined || object.kind === 'PersistentVolumeClaim';
    if (comparison.becomesHook) {
      const severity = severityOfHiddenChange(object);
      return [hookPods.createFinding('becomesHook', { ...common, severity, data: { ...data, kind: object.kind } })];
    }
    if (!hook.runsOnUpgrade)
      return hasPodsOrData || mayRollOut(object) ? [hookPods.createFinding('notRun', { ...common, severity: 'warning', data })] : [];
    if (hasPodsOrData) {
      const isDeleted = hook.deletePolicy.includes('before-hook-creation') || hook.deletePolicy.includes('hook-succeeded');
      return isDeleted ? [hookPods.createFinding('deleted', { ...common, severity: 'warning', data: { ...data, kind: object.kind } })] : [];
    }
    if (!countPodsWithoutRollout(object)) return [];
    const isHook = (other: Manifest) => applier.hookOf?.(other) !== undefined;
    const phase = hook.phases.find((one) => PHASES_BEFORE.has(one)) ?? hook.phases.find((one) => PHASES_AFTER.has(one));
    if (phase === undefined) return [];
    const runsAfter = PHASES_AFTER.has(phase);
    const full = findFullQuota(object, runsAfter ? newContext : oldContext, isHook);
    return full ? [hookPods.createFinding('refused', { ...common, severity: 'error', data: { ...data, phase, runsAfter, ...full } })] : [];
  });
}
