import type { RestartNeeded } from '../../core/document/change';
import { getValueAt, isFields } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import type { SystemEffect } from '../../cluster/context/context';
import { countPodsWithoutRollout } from '../../cluster/capacity/other-pods';
import { explainNotPlanned } from '../../cluster/kinds/unplanned-kinds';
import { isKustomization } from '../../core/sources/kustomization-kind';
import { isUnbuiltKustomization } from '../../input/kustomize/kustomization';
import { SYSTEMS } from '../../plan/registry';
import {
  determineBarePodEffect,
  isPod,
  mayExceedDeadline,
  mayStartOrStopJobPods,
  isNeverReplacingPods,
  hasContainerRestart,
} from './bare-pod-effect';
import { hasChangesBeyondMetadata } from '../compare/object-comparison';
import type { ObjectComparison } from '../compare/object-comparison';
import { findEvictionCause } from './node-evictions';
import { isConfigOnlyKind, isUnknownKind } from './config-only-kinds';
import { isGatewayWithoutPods } from './gateway-classes';
import { buildObjectEffect, resourceRefOf, toChangedObject } from './object-effect';
import type { ObjectEffect, ChangeContext } from './object-effect';
import { isWatchedByReloader } from './reloader';
import { mayScaleUncountedPods } from './scale-targets';
import { mayBeConverted, mayBeStoredOtherwise, mayKeepOtherNulls } from './unknown-kind-storage';
import { isReadByUnknown } from './unknown-readers';
import { mayConcernUnseenPods } from './unseen-pods';

/**
 * Evaluates a change of the data of a ConfigMap or Secret in place: which pods keep the old values, and how they read them.
 *
 * @param config - the object, or the Secret or ConfigMap that a controller writes of it
 * @param rolled - the objects whose pods are replaced, so that they read the new values
 */
export function evaluateConfig(
  comparison: ObjectComparison,
  config: Manifest,
  changeContext: ChangeContext,
  rolled: ReadonlySet<Manifest>,
): ObjectEffect {
  if (!hasChangesBeyondMetadata(comparison)) return evaluatePlainObject(comparison, changeContext);
  if (mayConcernUnseenPods(toChangedObject(comparison, changeContext))) return buildObjectEffect(comparison, { effect: 'unknown' });
  const consumers = changeContext.consumers.consumersOf(config).filter(({ object }) => !rolled.has(object) && !changeContext.isNew(object));
  const restarts = consumers.map(({ object, reads }): RestartNeeded => {
    return {
      ...resourceRefOf(object),
      reads: [...reads],
      ...(isWatchedByReloader(object, config) && { watchedByReloader: true }),
    };
  });
  const effect = isReadByUnknown(comparison.result, changeContext) ? 'unknown' : restarts.length > 0 ? 'restart-needed' : 'settings';
  return buildObjectEffect(comparison, { effect, restarts });
}

/** Evaluates an object that is no workload and that no system plans. */
export function evaluatePlainObject(comparison: ObjectComparison, changeContext: ChangeContext): ObjectEffect {
  const { differences, next } = comparison;
  const written = changeContext.upgrade?.compareWritten(next).filter(({ replacesPods }) => replacesPods) ?? [];
  if (written.length > 0) {
    const because = [...written.flatMap((one) => one.because), ...differences];
    return buildObjectEffect(comparison, { effect: 'roll', because, pods: new Map([['', { rolls: true }]]) });
  }
  if (comparison.isReplaced) return evaluateRecreated(comparison, changeContext);
  if (differences.length === 0) {
    const { oldContext, newContext } = changeContext;
    const isUnplanned = isUnknownKind(next) || explainNotPlanned(next) !== undefined;
    if (isUnplanned && mayBeStoredOtherwise(comparison, [oldContext, newContext]))
      return buildObjectEffect(comparison, { effect: 'unknown' });
    const isSame = !mayBeConverted(comparison) && !mayKeepOtherNulls(comparison);
    return buildObjectEffect(comparison, { effect: isSame ? 'none' : determineEffectOfSpec(comparison, changeContext) });
  }
  if (mayScaleUncountedPods(comparison, changeContext)) return buildObjectEffect(comparison, { effect: 'unknown' });
  if (findEvictionCause(comparison.old!.manifest, comparison.result)) return buildObjectEffect(comparison, { effect: 'unknown' });
  if (mayConcernUnseenPods(toChangedObject(comparison, changeContext))) return buildObjectEffect(comparison, { effect: 'unknown' });
  if (!hasChangesBeyondMetadata(comparison))
    return buildObjectEffect(comparison, { effect: mayActOnMetadata(comparison, changeContext) ? 'unknown' : 'metadata' });
  if (isPod(next)) return evaluatePod(comparison);
  if (mayStartOrStopJobPods(comparison.old!.manifest, comparison.differences)) return evaluateJob(comparison);
  if (isNeverReplacingPods(next)) return evaluateBarePods(comparison, changeContext);
  const contextEffect = findContextEffect(comparison, changeContext);
  if (contextEffect) {
    const { effect, clusters, heldUntil: until } = contextEffect;
    return buildObjectEffect(comparison, { effect, ...(clusters && { clusters }), ...(until !== undefined && { heldUntil: until }) });
  }
  return buildObjectEffect(comparison, { effect: determineEffectOfSpec(comparison, changeContext) });
}

/** Returns the effect of a change beyond the metadata of an object whose kind decides it. */
function determineEffectOfSpec(comparison: ObjectComparison, changeContext: ChangeContext): 'settings' | 'unknown' {
  const { next } = comparison;
  if (changeContext.upgrade?.isOperatorConfig(next)) return 'settings';
  const isKnown = isConfigOnlyKind(next) || addsOnlyMetadata(comparison) || staysWithoutPods(comparison, changeContext);
  return isKnown && explainNotPlanned(next) === undefined ? 'settings' : 'unknown';
}

/** Evaluates an object that is deleted and created again. Its controller deletes the pods of a ReplicaSet or a Job too. */
function evaluateRecreated(comparison: ObjectComparison, changeContext: ChangeContext): ObjectEffect {
  const [podsBefore, replicas] = [comparison.old!.manifest, comparison.result].map(countPodsWithoutRollout);
  if (podsBefore !== undefined && replicas !== undefined)
    return buildObjectEffect(comparison, { effect: 'replace', pods: new Map([['', { rolls: false, replicas }]]), podsBefore });
  const { effect } = evaluatePlainObject({ ...comparison, isReplaced: false }, changeContext);
  return buildObjectEffect(comparison, { effect: 'replace', ...(effect === 'unknown' && { isUnknownAsUpdate: true }) });
}

/** Fields of the metadata that operators read. Many write labels and annotations into pods, restart them or stop them by an annotation. */
const READ_METADATA = /^metadata\.(?:labels|annotations)\b/;

/** Reports whether an object is a Gateway for which no controller runs pods before and after the apply. */
function staysWithoutPods({ old, result }: ObjectComparison, { oldContext, newContext }: ChangeContext): boolean {
  return isGatewayWithoutPods(old!.manifest, oldContext) && isGatewayWithoutPods(result, newContext);
}

/** Reports whether a controller that is not known may act on changed metadata. */
function mayActOnMetadata(comparison: ObjectComparison, changeContext: ChangeContext): boolean {
  const { next, differences } = comparison;
  const isKnown =
    isConfigOnlyKind(next) ||
    isKustomization(next) ||
    countPodsWithoutRollout(next) !== undefined ||
    isNeverReplacingPods(next) ||
    staysWithoutPods(comparison, changeContext);
  return !isKnown && differences.some(({ path }) => READ_METADATA.test(path));
}

/** Fields of a kustomization whose effect its objects show, since reading them adds what these fields add. */
const ADDED_METADATA = /^(?:commonLabels|commonAnnotations|labels)\b/;

/** Reports whether a kustomization only changes the labels and annotations that it adds. */
function addsOnlyMetadata({ next, differences }: ObjectComparison): boolean {
  return isKustomization(next) && !isUnbuiltKustomization(next) && differences.every(({ path }) => ADDED_METADATA.test(path));
}

/** Evaluates a bare Pod. The API server refuses all relevant changes except the image; the kubelet restarts containers with a new image. */
function evaluatePod(comparison: ObjectComparison): ObjectEffect {
  const pods = new Map([['', { rolls: false, replicas: 1 }]]);
  const { old, differences } = comparison;
  if (mayExceedDeadline(old!.manifest, differences)) return buildObjectEffect(comparison, { effect: 'unknown' });
  return buildObjectEffect(comparison, { effect: hasContainerRestart(differences) ? 'roll' : 'settings', pods, podsBefore: 1 });
}

/**
 * Evaluates a Job that may start or stop pods. Their number is not known, but the stored objects limit how many may run at once,
 * which determines the capacity that they need.
 */
function evaluateJob(comparison: ObjectComparison): ObjectEffect {
  const { manifest, stored } = comparison.old!;
  const [before = 0, after = 0] = [stored, comparison.stored ?? stored].map(({ spec }) => countPodsWithoutRollout({ ...manifest, spec }));
  const changed = before === after ? {} : { running: [before] };
  return buildObjectEffect(comparison, { effect: 'unknown', pods: new Map([['', { rolls: false, ...changed }]]) });
}

/** Evaluates a bare ReplicaSet: its pods stay, whatever its template sets. */
function evaluateBarePods(comparison: ObjectComparison, { versions }: ChangeContext): ObjectEffect {
  const { old, stored } = comparison;
  const { effect = 'settings', heldUntil: until, replicas } = determineBarePodEffect(old!.stored, stored ?? old!.stored, versions);
  const running = replicas.old === replicas.next ? {} : { running: [replicas.old] };
  const template = getValueAt(old!.stored, 'spec', 'template');
  const kept = effect === 'held' && isFields(template) && { oldTemplates: [template], addsNewPods: true };
  return buildObjectEffect(comparison, {
    effect,
    ...(until !== undefined && { heldUntil: until }),
    pods: new Map([['', { rolls: false, replicas: replicas.next, ...running, ...kept }]]),
    podsBefore: replicas.old,
  });
}

/** Returns the effect of an object that a system reads to plan others. */
function findContextEffect(comparison: ObjectComparison, changeContext: ChangeContext): SystemEffect | undefined {
  const { old, next } = toChangedObject(comparison, changeContext);
  for (const system of SYSTEMS) {
    const effect = system.contextEffect?.(old!, next!);
    if (effect) return effect;
  }
  return undefined;
}
