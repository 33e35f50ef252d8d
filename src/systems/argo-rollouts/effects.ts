import { parseTime } from '../../core/values/time';
import type { ObjectInContext, SystemEffect, TemplateEquality } from '../../cluster/context/context';
import { isDeepEqual } from '../../core/collections/deep-equal';
import type { Finding } from '../../core/findings/finding';
import { matchesLabelSelector } from '../../core/values/label-selector';
import { isInt32 } from '../../core/values/int-or-percent';
import { getFieldsAt, getListAt, getValueAt, isFields } from '../../core/manifest/manifest';
import { clampReplicas, clampToChangedAutoscaler, findAutoscaler, resolveDesiredReplicas } from '../../workloads/replicas';
import { ARGO_ROLLOUT } from './kind';
import type { CanaryState } from '../../cluster/rollout/initial-state';
import { areLivePodsDown, findCanaryPoint, findReducedStable, isRolloutInProgress, listLivePods, readLiveRollout } from './live-state';
import { checkDynamicStableOvertaken } from './rules/dynamic-stable-overtaken';
import { reportOrphanedPods } from './rules/orphaned-pods';
import { checkRollbackWithScaling } from './rules/rollback-with-scaling';
import { simulateArgoRollout } from './simulate';
import { NO_PODS } from './state';
import { parseArgoStrategy } from './strategy';
import { findRolloutTemplate } from './template';
import { resolveRolloutsBehaviour } from './versions';

/** Lists the image volumes of a Rollout's own template. The controller hashes them also if a version of Kubernetes drops them from pods. */
function listOwnImageVolumes({ object }: ObjectInContext): readonly unknown[] {
  return getListAt(object, 'spec', 'template', 'spec', 'volumes').filter((volume) => isFields(getValueAt(volume, 'image')));
}

/**
 * Reports whether a Rollout gets a new pod template, its own or the template of the referenced workload. Undefined if one of the two is not
 * in the input.
 */
function hasNewTemplate(old: ObjectInContext, next: ObjectInContext, isSameTemplate: TemplateEquality): boolean | undefined {
  const [before, after] = [findRolloutTemplate(old.object, old.context), findRolloutTemplate(next.object, next.context)];
  if (before && after)
    return !isSameTemplate(before.template, after.template) || !isDeepEqual(listOwnImageVolumes(old), listOwnImageVolumes(next));
  const [was, is] = [old, next].map(({ object }) => getFieldsAt(object, 'spec').workloadRef);
  return !before && !after && isDeepEqual(was, is) ? false : undefined;
}

function isSameTime(left: unknown, right: unknown): boolean {
  const time = parseTime(left);
  return left === right || (time !== undefined && time === parseTime(right));
}

/**
 * Returns the restart that a new `restartAt` causes: all pods, except pods in the input that are younger. Undefined if `restartAt` was
 * already handled or all pods are younger.
 */
function findRestart(old: ObjectInContext, { object }: ObjectInContext): { readonly young?: number } | undefined {
  const { restartAt } = getFieldsAt(object, 'spec');
  const done = [getFieldsAt(old.object, 'spec').restartAt, getFieldsAt(old.object, 'status').restartedAt];
  if (typeof restartAt !== 'string' || done.some((time) => isSameTime(time, restartAt))) return undefined;
  const pods = listLivePods(old);
  const young = pods.filter(
    (pod) => (parseTime(getFieldsAt(pod, 'metadata').creationTimestamp) ?? NaN) >= (parseTime(restartAt) ?? NaN),
  ).length;
  if (young === 0) return {};
  return young < pods.length ? { young } : undefined;
}

/**
 * Computes the effect of an edit. A new template rolls, new replicas scale. New steps apply from the next rollout on, because a Rollout at
 * rest is at the stable version and skips all steps. A rollout in progress restarts at the first step.
 *
 * The template may belong to another object; a change of that object then rolls the Rollout. Templates are compared after defaulting by the
 * API server.
 *
 * A new `restartAt` evicts all pods, unless the template changes as well: `simulateRestart` computes the rows. If the template changes too,
 * the rows are the rollout's, and `alsoRestarts` reports that old pods are also evicted.
 * Source: Argo Rollouts v1.9.1, rollout/canary.go (`syncRolloutStatusCanary`: `PodTemplateOrStepsChanged`, `resetRolloutStatus`),
 * rollout/restart.go, rollout/templateref.go, utils/replicaset/replicaset.go (`PodTemplateEqualIgnoreHash`).
 */
export function computeArgoRolloutEffect(old: ObjectInContext, next: ObjectInContext, isSameTemplate: TemplateEquality): SystemEffect {
  const isNew = hasNewTemplate(old, next, isSameTemplate);
  const effect = computeEffect(old, next, isNew, isSameTemplate);
  const sourceObject = isNew === false ? undefined : findRolloutTemplate(next.object, next.context)?.sourceObject;
  const current = readLiveRollout(old, resolveDesiredReplicas(ARGO_ROLLOUT, old.object, old.context));
  return { ...effect, ...(sourceObject && { causedBy: [sourceObject] }), ...(current && !effect.hasUnknownRows && { standing: current }) };
}

/** Returns the state of a canary that a new template supersedes or rolls back, or that new steps restart. */
function findInterruptedCanary(
  old: ObjectInContext,
  next: ObjectInContext,
  isNewTemplate: boolean,
  isSameTemplate: TemplateEquality,
): CanaryState | undefined {
  const template = findRolloutTemplate(next.object, next.context)?.template;
  const strategy = parseArgoStrategy(next.object, resolveRolloutsBehaviour(next.context.versions['argo-rollouts']));
  if (!template || strategy?.type !== 'canary' || getFieldsAt(old.object, 'spec').paused === true) return undefined;
  return findCanaryPoint(old, { object: next.object, strategy, template, isNewTemplate, isSameTemplate });
}

/** Returns the state of a Rollout without an available pod. With a router or as blue-green, pods of both versions are the same in number anyway. */
function findDownCanary({ object, context }: ObjectInContext, replicas: number): CanaryState | undefined {
  const strategy = parseArgoStrategy(object, resolveRolloutsBehaviour(context.versions['argo-rollouts']));
  if (strategy?.type !== 'canary' || strategy.isRouted) return undefined;
  return { stable: { size: replicas, ready: 0 }, canary: NO_PODS, applied: 'another' };
}

/** Reports a canary that is rolled back and scaled in one apply. */
function checkScaledRollback(
  { object, context }: ObjectInContext,
  { old, next }: { readonly old: number; readonly next: number },
  current: CanaryState,
): Finding[] {
  const behaviour = resolveRolloutsBehaviour(context.versions['argo-rollouts']);
  const strategy = parseArgoStrategy(object, behaviour);
  if (strategy?.type !== 'canary' || !strategy.isRouted) return [];
  const [first] = simulateArgoRollout({ strategy, replicas: next, before: old, behaviour, currentCanary: current }).waves;
  return checkRollbackWithScaling({ available: first!.available, before: current.stable.ready, replicas: next });
}

/** Reports whether a rollout in progress restarts because its steps changed. An abort is forgotten as well. */
function hasChangedSteps(old: ObjectInContext, next: ObjectInContext): boolean {
  const [before, after] = [old, next].map(({ object }) => getFieldsAt(object, 'spec', 'strategy').canary) as [unknown, unknown];
  if (!isFields(before) || !isFields(after) || !isRolloutInProgress(old)) return false;
  return !isDeepEqual(before.steps, after.steps);
}

/** Resolves the replicas before and after the apply. An autoscaler that changes counts if the number would stay the same without it. */
function resolveReplicas(old: ObjectInContext, next: ObjectInContext) {
  const [before, after] = [old, next].map(({ object, context }) => resolveDesiredReplicas(ARGO_ROLLOUT, object, context)) as [
    number,
    number,
  ];
  if (before !== after) return { old: before, next: after };
  const autoscalers = {
    old: findAutoscaler(ARGO_ROLLOUT, old.object, old.context),
    next: findAutoscaler(ARGO_ROLLOUT, next.object, next.context),
  };
  // Without the autoscaler, the apply brings back the number of the manifest.
  if (!old.live && autoscalers.old && !autoscalers.next && isInt32(getValueAt(next.object, 'spec', 'replicas')))
    return { old: clampReplicas(before, autoscalers.old), next: before };
  return { old: before, next: clampToChangedAutoscaler(before, autoscalers) };
}

/** Reports whether the selector of NEW does not match the pods of OLD, so that the controller gives up their ReplicaSet. */
function isOrphaning(old: ObjectInContext, next: ObjectInContext): boolean {
  const [before, after] = [old, next].map(({ object }) => getFieldsAt(object, 'spec').selector);
  const labels = getFieldsAt(findRolloutTemplate(old.object, old.context)?.template, 'metadata', 'labels');
  return isFields(after) && !isDeepEqual(before, after) && !matchesLabelSelector(after, labels);
}

const HELD_WHILE_PAUSED = { effect: 'held', heldUntil: 'it is resumed' } as const;

function computeEffect(
  old: ObjectInContext,
  next: ObjectInContext,
  isNew: boolean | undefined,
  isSameTemplate: TemplateEquality,
): SystemEffect {
  const [before, after] = [getFieldsAt(old.object, 'spec'), getFieldsAt(next.object, 'spec')];
  const replicas = resolveReplicas(old, next);
  const scales = replicas.old !== replicas.next;
  if (isNew === undefined) return { effect: 'unknown', replicas };
  const rolls = isNew || hasChangedSteps(old, next);
  const findings = isNew && replicas.old > 0 && isOrphaning(old, next) ? [reportOrphanedPods(replicas.old)] : [];
  if (rolls && after.paused === true) return { ...HELD_WHILE_PAUSED, replicas: { old: replicas.old, next: replicas.old }, findings };
  if (findings.length > 0) return { effect: 'scale', replicas: { old: replicas.old, next: replicas.old + replicas.next }, findings };
  const restart = findRestart(old, next);
  if (rolls && replicas.next > 0 && replicas.old > 0) {
    const stable = findReducedStable(old, replicas.old);
    if (stable !== undefined) {
      const overtaken = checkDynamicStableOvertaken(stable, replicas.old);
      return { effect: scales ? 'roll-and-scale' : 'roll', replicas, hasUnknownRows: true, findings: overtaken };
    }
    const isDown = areLivePodsDown(old);
    const canary = isDown ? findDownCanary(next, replicas.old) : findInterruptedCanary(old, next, isNew, isSameTemplate);
    const start = {
      before: replicas.old,
      ...(restart && { alsoRestarts: true }),
      ...(canary && { canary }),
      ...(isDown && { unready: replicas.old }),
    };
    const rollbackFindings = scales && canary?.applied === 'stable' ? checkScaledRollback(next, replicas, canary) : [];
    return {
      effect: scales ? 'roll-and-scale' : 'roll',
      replicas,
      ...((restart || canary || isDown) && { start }),
      findings: rollbackFindings,
    };
  }
  if (isNew && !scales) return { effect: 'held', heldUntil: 'it has pods', replicas };
  if (scales && after.paused === true) return { ...HELD_WHILE_PAUSED, replicas };
  if (restart && replicas.old > 0 && replicas.next > 0) {
    return { effect: scales ? 'roll-and-scale' : 'roll', replicas, start: { before: replicas.old, isRestart: true, ...restart } };
  }
  // A manifest that paused the Rollout does not show which template its pods have.
  if (before.paused === true && after.paused !== true && !old.live && replicas.old > 0) return { effect: 'unknown', replicas };
  if (scales) return { effect: 'scale', replicas };
  return { effect: isDeepEqual(before, after) ? 'none' : 'settings', replicas };
}
