import { toFieldPath } from '../../core/manifest/field-path';
import type { PlanContext } from '../../cluster/context/context';
import { getFieldsAt, getValueAt, nameOf, namespaceOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { podSetsOf } from '../../cluster/rollout/system-rollout';
import type { PodSet } from '../../cluster/rollout/pod-set';
import { listRolloutsIfPlanned } from '../../plan/isolate-objects';
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
import type { ApplyTool } from '../../core/document/change';

const ANNOTATIONS_PATH = toFieldPath`metadata.annotations`;

/** Phases that run before the objects of NEW are applied, and those that run once they are. */
const PHASES_BEFORE: ReadonlySet<string> = new Set(['pre-upgrade', 'PreSync']);

const PHASES_AFTER: ReadonlySet<string> = new Set(['post-upgrade', 'PostSync']);

/** Returns the pods that run in a namespace while nothing rolls out, without those of hooks. */
function listSteadyPods(context: PlanContext, namespace: string | undefined, isHook: (object: Manifest) => boolean): PodSet[] {
  const isCounted = (object: Manifest) => namespaceOf(object) === namespace && !isHook(object);
  const planned = context.objects.filter(isCounted).flatMap((object) => listRolloutsIfPlanned(object, context));
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

/** Tools that run hooks as Helm does: a hook is created, or applied over an existing one. */
const HELM_TOOLS: ReadonlySet<ApplyTool> = new Set(['helm-3', 'helm-4', 'flux-helm', 'fleet']);

/** Kinds that run once, so that an apply over a finished object does nothing. */
const RUNNING_ONCE: ReadonlySet<string> = new Set(['Job', 'Pod']);

/**
 * Returns whether the object of the last run certainly exists, if Helm does not delete it before it runs the hook again; undefined if it is deleted
 * or does no harm. A live OLD shows it. Otherwise a policy without hook-succeeded leaves it.
 *
 * Source: Helm 3.20 and 4.2, pkg/action/hooks.go, `execHook`.
 */
function isLeftBehind({ comparison: { hook, withoutHook, next, applied } }: ObjectEffect): boolean | undefined {
  const old = withoutHook?.old;
  const { tool, method } = applied.applier;
  if (!hook?.runsOnUpgrade || !old || !HELM_TOOLS.has(tool) || hook.deletePolicy.includes('before-hook-creation')) return undefined;
  if (method === 'server' && !RUNNING_ONCE.has(next.kind)) return undefined;
  if (getValueAt(old.manifest, 'spec', 'ttlSecondsAfterFinished') !== undefined) return undefined;
  return old.isLive || (hook.deletePolicy.includes('hook-succeeded') ? undefined : false);
}

/** Reports hooks whose pods a quota refuses in their phase, and workloads and claims that a tool deletes because they are hooks. */
export function collectHookFindings(
  objectEffects: readonly ObjectEffect[],
  { oldContext, newContext }: Pick<ChangeContext, 'oldContext' | 'newContext'>,
  next: PlanInput,
): Finding[] {
  return objectEffects.flatMap((objectEffect) => {
    const { effect, comparison } = objectEffect;
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
    const isLeft = isLeftBehind(objectEffect);
    if (isLeft !== undefined) {
      const creates = applier.method !== 'server';
      const severity = isLeft && creates ? 'error' : 'warning';
      return [
        hookPods.createFinding('left', {
          ...common,
          severity,
          data: { ...data, phase: hook.phases.find((one) => one.endsWith('upgrade')) ?? '', creates },
        }),
      ];
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
