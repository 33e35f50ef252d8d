import type { DetectedApplier } from '../../appliers/detect-applier';
import type { ApplyMode, ApplyEffect, AssumedApplier, FieldChange, KeptField, ObjectChange } from '../../core/change';
import { appendToPath, ROOT_PATH } from '../../core/field-path';
import { getValueAt } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import { shortenMessage, truncateText } from '../../core/text-format';
import type { PlanInput } from '../../plan/plan-input';
import { resourceRefOf } from '../effects/object-effect';
import type { ObjectEffect } from '../effects/object-effect';
import { podChangeOf } from './pod-counts';
import type { PodChangesByObject } from './pod-counts';
import { shortenValue } from '../compare/shorten-value';

/** The maximum number of fields that a change lists. */
const MAX_LISTED_FIELDS = 20;

/** Returns the tool that is assumed to write an object, if something shows it. */
function describeAssumption({ applier, because }: DetectedApplier): AssumedApplier | undefined {
  return because === undefined ? undefined : { tool: applier.tool, because };
}

/** Lists the fields whose live value a tool keeps. Only numbers and booleans are shown, which are no secrets. */
function listKeptFields(object: Manifest, paths: readonly (readonly string[])[]): KeptField[] {
  return paths.slice(0, MAX_LISTED_FIELDS).map((path) => {
    const value = getValueAt(object, ...path);
    const isShown = typeof value === 'number' || typeof value === 'boolean';
    return { path: appendToPath(ROOT_PATH, ...path), ...(isShown && { value }) };
  });
}

/** Maximum length of the path of a field. A key of a map may be as long as the object. */
const MAX_PATH_CHARACTERS = 1000;

function shortenChange(change: FieldChange): FieldChange {
  return {
    ...change,
    path: truncateText(change.path, MAX_PATH_CHARACTERS),
    ...('old' in change && { old: shortenValue(change.old) }),
    ...('new' in change && { new: shortenValue(change.new) }),
  };
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
    ...(comparison.kept && { keeps: listKeptFields(comparison.result, comparison.kept) }),
    ...(comparison.hook && { hook: comparison.hook }),
    because: because.slice(0, MAX_LISTED_FIELDS).map(shortenChange),
    ...(elided > 0 && { elided }),
    ...(pods && { pods }),
    ...(clusters && { clusters }),
    ...(causedBy.length > 0 && { causedBy: causedBy.map(resourceRefOf) }),
    ...(comparison.refusal &&
      effect === 'refused' && { refusal: { ...comparison.refusal, message: shortenMessage(comparison.refusal.message) } }),
    ...(restarts.length > 0 && { restarts }),
    ...(source && { source }),
  };
}

export function buildUnmatchedObjectChange(object: Manifest, effect: ApplyEffect, mode: ApplyMode): ObjectChange {
  return { resource: resourceRefOf(object), effect, apply: mode, because: [] };
}
