import type { DetectedApplier } from '../appliers/detect-applier';
import type { ApplyMode, ApplyEffect, AssumedApplier, ObjectChange } from '../core/change';
import { ROOT_PATH } from '../core/field-path';
import type { Manifest } from '../core/manifest';
import type { PlanInput } from '../plan/plan-input';
import { resourceRefOf } from './object-effect';
import type { ObjectEffect } from './object-effect';
import { podChangeOf } from './pod-counts';
import type { PodChangesByObject } from './pod-counts';

/** The maximum number of fields that a change lists. */
const MAX_LISTED_FIELDS = 20;

/** Returns the tool that is assumed to write an object, if something shows it. */
function describeAssumption({ applier, because }: DetectedApplier): AssumedApplier | undefined {
  return because === undefined ? undefined : { tool: applier.tool, because };
}

export function buildObjectChange(objectEffect: ObjectEffect, next: PlanInput, podsPlanned: PodChangesByObject): ObjectChange {
  const { comparison, effect, heldUntil, because, causedBy, restarts, clusters } = objectEffect;
  const source = next.locate?.(comparison.next, ROOT_PATH);
  const elided = because.length - MAX_LISTED_FIELDS;
  const assumed = describeAssumption(comparison.applied);
  const pods = podChangeOf(objectEffect, podsPlanned);
  return {
    resource: resourceRefOf(comparison.next),
    effect,
    ...(heldUntil !== undefined && { heldUntil }),
    apply: comparison.applied.applier.mode,
    ...(assumed && { applier: assumed }),
    ...(comparison.hook && { hook: comparison.hook }),
    because: because.slice(0, MAX_LISTED_FIELDS),
    ...(elided > 0 && { elided }),
    ...(pods && { pods }),
    ...(clusters && { clusters }),
    ...(causedBy.length > 0 && { causedBy: causedBy.map(resourceRefOf) }),
    ...(comparison.refusal && effect === 'refused' && { refusal: comparison.refusal }),
    ...(restarts.length > 0 && { restarts }),
    ...(source && { source }),
  };
}

export function buildUnmatchedObjectChange(object: Manifest, effect: ApplyEffect, mode: ApplyMode): ObjectChange {
  return { resource: resourceRefOf(object), effect, apply: mode, because: [] };
}
