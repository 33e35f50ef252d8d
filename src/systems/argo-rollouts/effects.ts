import type { ObjectInContext, SystemEffect, TemplateEquality } from '../../cluster/context';
import { isDeepEqual } from '../../core/deep-equal';
import type { Finding } from '../../core/finding';
import { getFieldsAt, isFields } from '../../core/manifest';
import { resolveDesiredReplicas } from '../../workloads/replicas';
import { ARGO_ROLLOUT } from './kind';
import type { CanaryState } from '../../cluster/initial-state';
import { findCanaryPoint, isRolloutInProgress, listLivePods, readLiveRollout } from './live-state';
import { checkRollbackWithScaling } from './rules/rollback-with-scaling';
import { simulateArgoRollout } from './simulate';
import { parseArgoStrategy } from './strategy';
import { findRolloutTemplate } from './template';
import { resolveRolloutsBehaviour } from './versions';

/** Does a Rollout get other pods: of its own template, or of that of the workload that it names? Undefined where one of the two is not in view. */
function hasNewTemplate(old: ObjectInContext, next: ObjectInContext, isSameTemplate: TemplateEquality): boolean | undefined {
  const [before, after] = [findRolloutTemplate(old.object, old.context), findRolloutTemplate(next.object, next.context)];
  if (before && after) return !isSameTemplate(before.template, after.template);
  const [was, is] = [old, next].map(({ object }) => getFieldsAt(object, 'spec').workloadRef);
  return !before && !after && isDeepEqual(was, is) ? false : undefined;
}

function isSameTime(left: unknown, right: unknown): boolean {
  return left === right || (typeof left === 'string' && typeof right === 'string' && Date.parse(left) === Date.parse(right));
}

/**
 * What a `restartAt` that the controller has not seen to yet restarts: all pods, but those in view that are no older.
 * Undefined where there is none, or all pods in view are younger.
 */
function findRestart(old: ObjectInContext, { object }: ObjectInContext): { readonly young?: number } | undefined {
  const { restartAt } = getFieldsAt(object, 'spec');
  const done = [getFieldsAt(old.object, 'spec').restartAt, getFieldsAt(old.object, 'status').restartedAt];
  if (typeof restartAt !== 'string' || done.some((time) => isSameTime(time, restartAt))) return undefined;
  const pods = listLivePods(old);
  const young = pods.filter((pod) => Date.parse(String(getFieldsAt(pod, 'metadata').creationTimestamp)) >= Date.parse(restartAt)).length;
  if (young === 0) return {};
  return young < pods.length ? { young } : undefined;
}

/**
 * What an edit of a Rollout does: another template rolls, replicas scale, and new steps hold from the next rollout on,
 * for at rest the controller finds itself at the stable version and passes them all; a version on its way goes back to the first of them.
 *
 * Its template may be that of another object, whose change rolls it then. Templates are compared with what the API server fills in.
 *
 * A new `restartAt` has all pods evicted, which `simulateRestart` plays, whatever else changes but the template.
 * Beside a new template the rows are those of the rollout, and `alsoRestarts` says that old pods are evicted meanwhile.
 * Source: Argo Rollouts v1.9.1, rollout/canary.go (`syncRolloutStatusCanary`: `PodTemplateOrStepsChanged`, `resetRolloutStatus`), rollout/restart.go,
 * rollout/templateref.go, utils/replicaset/replicaset.go (`PodTemplateEqualIgnoreHash`).
 */
export function computeArgoRolloutEffect(old: ObjectInContext, next: ObjectInContext, isSameTemplate: TemplateEquality): SystemEffect {
  const isNew = hasNewTemplate(old, next, isSameTemplate);
  const effect = computeEffect(old, next, isNew, isSameTemplate);
  const holder = isNew === false ? undefined : findRolloutTemplate(next.object, next.context)?.sourceObject;
  const current = readLiveRollout(old, resolveDesiredReplicas(ARGO_ROLLOUT, old.object, old.context));
  return { ...effect, ...(holder && { causedBy: [holder] }), ...(current && { standing: current }) };
}

/** Where the canary stands that a new template overtakes or takes back, or that new steps send back to the first of them. */
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

/** What is said of a canary that is taken back and scaled at once. */
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

/** Does a version on its way begin again because its steps are others? An abort is forgotten with it. */
function hasChangedSteps(old: ObjectInContext, next: ObjectInContext): boolean {
  const [before, after] = [old, next].map(({ object }) => getFieldsAt(object, 'spec', 'strategy').canary) as [unknown, unknown];
  if (!isFields(before) || !isFields(after) || !isRolloutInProgress(old)) return false;
  return !isDeepEqual(before.steps, after.steps);
}

const HELD_WHILE_PAUSED = { effect: 'held', heldUntil: 'it is resumed' } as const;

function computeEffect(
  old: ObjectInContext,
  next: ObjectInContext,
  isNew: boolean | undefined,
  isSameTemplate: TemplateEquality,
): SystemEffect {
  const [before, after] = [getFieldsAt(old.object, 'spec'), getFieldsAt(next.object, 'spec')];
  const replicas = {
    old: resolveDesiredReplicas(ARGO_ROLLOUT, old.object, old.context),
    next: resolveDesiredReplicas(ARGO_ROLLOUT, next.object, next.context),
  };
  const scales = replicas.old !== replicas.next;
  if (isNew === undefined) return { effect: 'unknown', replicas };
  const rolls = isNew || hasChangedSteps(old, next);
  if (rolls && after.paused === true) return { ...HELD_WHILE_PAUSED, replicas: { old: replicas.old, next: replicas.old } };
  const restart = findRestart(old, next);
  if (rolls && replicas.next > 0 && replicas.old > 0) {
    const canary = findInterruptedCanary(old, next, isNew, isSameTemplate);
    const start = { before: replicas.old, ...(restart && { alsoRestarts: true }), ...(canary && { canary }) };
    const findings = scales && canary?.applied === 'stable' ? checkScaledRollback(next, replicas, canary) : [];
    return { effect: scales ? 'roll-and-scale' : 'roll', replicas, ...((restart || canary) && { start }), findings };
  }
  if (isNew && !scales) return { effect: 'held', heldUntil: 'it has pods', replicas };
  if (scales && after.paused === true) return { ...HELD_WHILE_PAUSED, replicas };
  if (restart && replicas.old > 0 && replicas.next > 0) {
    return { effect: scales ? 'roll-and-scale' : 'roll', replicas, start: { before: replicas.old, isRestart: true, ...restart } };
  }
  if (scales) return { effect: 'scale', replicas };
  return { effect: isDeepEqual(before, after) ? 'none' : 'settings', replicas };
}
