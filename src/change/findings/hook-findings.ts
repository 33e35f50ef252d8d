import { toFieldPath } from '../../core/manifest/field-path';
import type { PlanContext } from '../../cluster/context/context';
import { getFieldsAt, nameOf, namespaceOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { podSetsOf } from '../../cluster/rollout/system-rollout';
import type { PodSet } from '../../cluster/rollout/pod-set';
import { systemOf } from '../../plan/registry';
import { countPodsWithoutRollout, listOtherPods } from '../../cluster/capacity/other-pods';
import { CONTEXT_KINDS } from '../../cluster/kinds/context-kinds';
import { admitPods } from '../../cluster/capacity/admission/admission';
import { listQuotaLimits } from '../../cluster/capacity/admission/quota';
import type { ChangeContext, ObjectEffect } from '../effects/object-effect';
import type { PlanInput } from '../../plan/plan-input';
import type { Finding } from '../../core/findings/finding';
import { describeResource, toResourceRef } from '../../core/document/rollout';
import { workloadKindOf } from '../../workloads/kinds';
import { mayRollOut, determineHiddenSeverity } from '../effects/hidden-change-severity';
import { mayConcernUnseenPods } from '../effects/unseen-pods';
import { hookPods } from '../rules/hook-pods';

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
      const before = comparison.withoutHook?.old?.manifest;
      // Its tool deletes a Namespace, or a definition, with all that is in it.
      const deletesOthers = before !== undefined && mayConcernUnseenPods({ old: { object: before, context: oldContext } });
      const severity = deletesOthers ? 'error' : determineHiddenSeverity(object);
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
