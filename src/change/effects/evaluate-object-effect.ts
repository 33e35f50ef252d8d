import { describeObject } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { countPodsWithoutRollout } from '../../cluster/capacity/other-pods';
import { findSystem, isClaimed } from '../../plan/claim-objects';
import { SYSTEMS, knownSystemOf } from '../../plan/registry';
import { workloadKindOf, workloadNameOf } from '../../workloads/kinds';
import { resolveDesiredReplicas } from '../../workloads/replicas';
import type { ObjectComparison } from '../compare/object-comparison';
import { getStoredReplicas } from './workload-effect';
import { buildObjectEffect, toChangedObject } from './object-effect';
import { isUnbuiltKustomization } from '../../input/kustomize/kustomization';
import type { ObjectEffect, ChangeContext } from './object-effect';
import { evaluateConfig, evaluatePlainObject } from './plain-object-effect';
import { mayScaleUncountedPods } from './scale-targets';
import { evaluateRejectedObject, evaluateSystemObject } from './system-object-effect';
import { isReadByUnknown } from './unknown-readers';
import { mayConcernUnseenPods } from './unseen-pods';
import { findConfig } from './written-secrets';
import { evaluateWorkload } from './workload-object-effect';

/** Evaluates what an apply does to an object. Evaluate ConfigMaps and Secrets last: a workload that rolls needs no restart. */
export function evaluateObjectEffect(
  comparison: ObjectComparison,
  changeContext: ChangeContext,
  rolled: ReadonlySet<Manifest>,
): ObjectEffect {
  const { withoutSkip, ignoredBy } = comparison;
  const objectEffect =
    ignoredBy === 'suspension' ? holdChange(comparison, changeContext) : evaluateComparison(comparison, changeContext, rolled);
  return withoutSkip ? { ...objectEffect, withoutSkip: evaluateComparison(withoutSkip, changeContext, rolled) } : objectEffect;
}

function evaluateComparison(comparison: ObjectComparison, changeContext: ChangeContext, rolled: ReadonlySet<Manifest>): ObjectEffect {
  const { next, old, refusal, hook } = comparison;
  if (hook && !refusal) return evaluateHook(comparison, changeContext, rolled);
  if (!old) {
    const rejected = refusal ? undefined : evaluateRejectedObject(comparison, changeContext);
    if (rejected) return rejected;
    const isUnknown =
      changeContext.isUnread(next) ||
      isUnbuiltKustomization(next) ||
      mayScaleUncountedPods(comparison, changeContext) ||
      mayConcernUnseenPods(toChangedObject(comparison, changeContext)) ||
      isReadByUnknown(comparison.result, changeContext);
    const effect = isUnknown ? 'unknown' : 'create';
    return buildObjectEffect(comparison, refusal ? { effect: 'refused', because: [], pods: new Map() } : { effect });
  }
  if (refusal)
    return buildObjectEffect(comparison, {
      effect: 'refused',
      because: comparison.rejectedChanges ?? [],
      ...getUnchangedPods(comparison, changeContext),
    });
  if (isReleased(comparison, changeContext)) return buildObjectEffect(comparison, { effect: 'unknown', isReleased: true });
  const name = workloadNameOf(next);
  if (name && !isClaimed(next, changeContext.newContext, SYSTEMS)) return evaluateWorkload(name, comparison, changeContext);
  const config = findConfig(comparison.result);
  if (config) return evaluateConfig(comparison, config, changeContext, rolled);
  const system = knownSystemOf(next, changeContext.newContext);
  return system ? evaluateSystemObject(comparison, system, changeContext) : evaluatePlainObject(comparison, changeContext);
}

/** Returns the effect on an object that its tool does not apply until its source is resumed. */
function holdChange(comparison: ObjectComparison, changeContext: ChangeContext): ObjectEffect {
  const { applied, withoutSkip, old } = comparison;
  return buildObjectEffect(comparison, {
    effect: 'held',
    heldUntil: `${describeObject(applied.source!.object)} is resumed`,
    because: withoutSkip?.differences ?? [],
    ...(old ? getUnchangedPods(comparison, changeContext) : { pods: new Map() }),
  });
}

/** Evaluates a hook. The pods of a Pod or a Job run in its phase. What happens because of any other is that of an apply. */
function evaluateHook(comparison: ObjectComparison, changeContext: ChangeContext, rolled: ReadonlySet<Manifest>): ObjectEffect {
  const { next, withoutHook } = comparison;
  const runsInPhase = !withoutHook || countPodsWithoutRollout(next) !== undefined;
  return buildObjectEffect(comparison, {
    effect: 'hook',
    ...(!runsInPhase && { withoutHook: evaluateObjectEffect(withoutHook, changeContext, rolled) }),
  });
}

/**
 * Reports whether a system runs the pods of an object elsewhere, and no longer does after the apply: the Canary of a Deployment is deleted,
 * with the primary, and only its `revertOnDeletion` scales the Deployment up again.
 */
function isReleased({ old, next }: ObjectComparison, { oldContext, newContext }: ChangeContext): boolean {
  const before = findSystem(old!.manifest, oldContext, SYSTEMS);
  return before?.runsOtherPods === true && findSystem(next, newContext, SYSTEMS) !== before;
}

/** Returns the unchanged pods of a refused workload. */
function getUnchangedPods({ old, next }: ObjectComparison, changeContext: ChangeContext): Partial<ObjectEffect> {
  const kind = workloadKindOf(next);
  if (!kind || kind.traits.onePerNode) return {};
  const { manifest, isLive, stored } = old!;
  const replicas = isLive ? getStoredReplicas(stored) : resolveDesiredReplicas(kind, manifest, changeContext.oldContext);
  return { pods: new Map([['', { rolls: false, replicas }]]), podsBefore: replicas };
}
