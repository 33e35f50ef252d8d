import type { ApplyMode, Effect, ObjectChange } from '../core/change';
import { WHOLE_OBJECT } from '../core/field-path';
import type { Manifest } from '../core/manifest';
import type { PlanInput } from '../plan/plan';
import { refOf } from './judged';
import type { Judged } from './judged';
import { podChangeOf } from './pod-figures';
import type { PlannedPods } from './pod-figures';

/** Fields that a change names at most. */
const MOST_FIELDS = 20;

export function objectChange(one: Judged, next: PlanInput, podsPlanned: PlannedPods): ObjectChange {
  const { compared, effect, heldUntil, because, causedBy, restarts, clusters } = one;
  const source = next.locate?.(compared.next, WHOLE_OBJECT);
  const elided = because.length - MOST_FIELDS;
  const pods = podChangeOf(one, podsPlanned);
  return {
    resource: refOf(compared.next),
    effect,
    ...(heldUntil !== undefined && { heldUntil }),
    apply: compared.mode,
    because: because.slice(0, MOST_FIELDS),
    ...(elided > 0 && { elided }),
    ...(pods && { pods }),
    ...(clusters && { clusters }),
    ...(causedBy.length > 0 && { causedBy: causedBy.map(refOf) }),
    ...(compared.refusal && effect === 'refused' && { refusal: compared.refusal }),
    ...(restarts.length > 0 && { restarts }),
    ...(source && { source }),
  };
}

export function restChange(object: Manifest, effect: Effect, mode: ApplyMode): ObjectChange {
  return { resource: refOf(object), effect, apply: mode, because: [] };
}
