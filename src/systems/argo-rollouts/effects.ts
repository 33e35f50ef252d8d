import type { InContext, SystemEffect, TemplateEquality } from '../../cluster/context';
import { deepEqual } from '../../core/deep-equal';
import type { Finding } from '../../core/finding';
import { fieldsAt, isFields } from '../../core/manifest';
import { wantedReplicas } from '../../workloads/replicas';
import { ARGO_ROLLOUT } from './kind';
import type { CanaryPoint } from '../../cluster/starting-point';
import { canaryPoint, isOnItsWay, livePods, liveStart } from './live';
import { backWithReplicasFindings } from './rules/back-with-replicas';
import { simulateArgoRollout } from './simulate';
import { strategyOf } from './strategy';
import { templateOf } from './template';
import { rolloutsBehaviour } from './versions';

/** Does a Rollout get other pods: of its own template, or of that of the workload that it names? Undefined where one of the two is not in view. */
function hasNewTemplate(old: InContext, next: InContext, isSameTemplate: TemplateEquality): boolean | undefined {
  const [before, after] = [templateOf(old.object, old.context), templateOf(next.object, next.context)];
  if (before && after) return !isSameTemplate(before.template, after.template);
  const [was, is] = [old, next].map(({ object }) => fieldsAt(object, 'spec').workloadRef);
  return !before && !after && deepEqual(was, is) ? false : undefined;
}

function isSameTime(left: unknown, right: unknown): boolean {
  return left === right || (typeof left === 'string' && typeof right === 'string' && Date.parse(left) === Date.parse(right));
}

/**
 * What a `restartAt` that the controller has not seen to yet restarts: all pods, but those in view that are no older.
 * Undefined where there is none, or all pods in view are younger.
 */
function restartOf(old: InContext, { object }: InContext): { readonly young?: number } | undefined {
  const { restartAt } = fieldsAt(object, 'spec');
  const done = [fieldsAt(old.object, 'spec').restartAt, fieldsAt(old.object, 'status').restartedAt];
  if (typeof restartAt !== 'string' || done.some((time) => isSameTime(time, restartAt))) return undefined;
  const pods = livePods(old);
  const young = pods.filter((pod) => Date.parse(String(fieldsAt(pod, 'metadata').creationTimestamp)) >= Date.parse(restartAt)).length;
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
 * Beside a new template the rows are those of the rollout, and `besideRestart` says that old pods are evicted meanwhile.
 * Source: Argo Rollouts v1.9.1, rollout/canary.go (`syncRolloutStatusCanary`: `PodTemplateOrStepsChanged`, `resetRolloutStatus`), rollout/restart.go,
 * rollout/templateref.go, utils/replicaset/replicaset.go (`PodTemplateEqualIgnoreHash`).
 */
export function rolloutEffect(old: InContext, next: InContext, isSameTemplate: TemplateEquality): SystemEffect {
  const isNew = hasNewTemplate(old, next, isSameTemplate);
  const effect = effectOf(old, next, isNew, isSameTemplate);
  const holder = isNew === false ? undefined : templateOf(next.object, next.context)?.holder;
  const standing = liveStart(old, wantedReplicas(ARGO_ROLLOUT, old.object, old.context));
  return { ...effect, ...(holder && { causedBy: [holder] }), ...(standing && { standing }) };
}

/** Where the canary stands that a new template overtakes or takes back, or that new steps send back to the first of them. */
function overtaken(old: InContext, next: InContext, isNewTemplate: boolean, isSameTemplate: TemplateEquality): CanaryPoint | undefined {
  const template = templateOf(next.object, next.context)?.template;
  const strategy = strategyOf(next.object, rolloutsBehaviour(next.context.versions['argo-rollouts']));
  if (!template || strategy?.type !== 'canary' || fieldsAt(old.object, 'spec').paused === true) return undefined;
  return canaryPoint(old, { object: next.object, strategy, template, isNewTemplate, isSameTemplate });
}

/** What is said of a canary that is taken back and scaled at once. */
function scaledBackFindings(
  { object, context }: InContext,
  { old, next }: { readonly old: number; readonly next: number },
  standing: CanaryPoint,
): Finding[] {
  const behaviour = rolloutsBehaviour(context.versions['argo-rollouts']);
  const strategy = strategyOf(object, behaviour);
  if (strategy?.type !== 'canary' || !strategy.isRouted) return [];
  const [first] = simulateArgoRollout({ strategy, replicas: next, before: old, behaviour, standing }).waves;
  return backWithReplicasFindings({ left: first!.available, before: standing.stable.ready, replicas: next });
}

/** Does a version on its way begin again because its steps are others? An abort is forgotten with it. */
function restartsSteps(old: InContext, next: InContext): boolean {
  const [before, after] = [old, next].map(({ object }) => fieldsAt(object, 'spec', 'strategy').canary) as [unknown, unknown];
  if (!isFields(before) || !isFields(after) || !isOnItsWay(old)) return false;
  return !deepEqual(before.steps, after.steps);
}

const PAUSED = { effect: 'held', heldUntil: 'it is resumed' } as const;

function effectOf(old: InContext, next: InContext, isNew: boolean | undefined, isSameTemplate: TemplateEquality): SystemEffect {
  const [before, after] = [fieldsAt(old.object, 'spec'), fieldsAt(next.object, 'spec')];
  const replicas = {
    old: wantedReplicas(ARGO_ROLLOUT, old.object, old.context),
    next: wantedReplicas(ARGO_ROLLOUT, next.object, next.context),
  };
  const scales = replicas.old !== replicas.next;
  if (isNew === undefined) return { effect: 'unknown', replicas };
  const rolls = isNew || restartsSteps(old, next);
  if (rolls && after.paused === true) return { ...PAUSED, replicas: { old: replicas.old, next: replicas.old } };
  const restart = restartOf(old, next);
  if (rolls && replicas.next > 0 && replicas.old > 0) {
    const canary = overtaken(old, next, isNew, isSameTemplate);
    const start = { before: replicas.old, ...(restart && { besideRestart: true }), ...(canary && { canary }) };
    const findings = scales && canary?.applied === 'stable' ? scaledBackFindings(next, replicas, canary) : [];
    return { effect: scales ? 'roll-and-scale' : 'roll', replicas, ...((restart || canary) && { start }), findings };
  }
  if (isNew && !scales) return { effect: 'held', heldUntil: 'it has pods', replicas };
  if (scales && after.paused === true) return { ...PAUSED, replicas };
  if (restart && replicas.old > 0 && replicas.next > 0) {
    return { effect: scales ? 'roll-and-scale' : 'roll', replicas, start: { before: replicas.old, isRestart: true, ...restart } };
  }
  if (scales) return { effect: 'scale', replicas };
  return { effect: deepEqual(before, after) ? 'none' : 'settings', replicas };
}
