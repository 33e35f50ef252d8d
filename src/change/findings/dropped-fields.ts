import type { Finding } from '../../core/findings/finding';
import type { Versions } from '../../core/values/versions';
import type { PlanInput } from '../../plan/plan-input';
import { isUnknownFieldRefusal } from '../apiserver/decoding-errors';
import { checkDroppedFields } from '../compare/dropped-fields';
import type { ObjectEffect } from '../effects/object-effect';

/**
 * Reports the fields of objects without a rollout that the API server does not know: as errors if the apply is refused because of them, else those
 * that OLD does not have.
 */
export function collectDroppedFields(objectEffects: readonly ObjectEffect[], versions: Versions, next: PlanInput): Finding[] {
  return objectEffects.flatMap(({ effect, comparison }) => {
    const dropped = checkDroppedFields(comparison.next, versions, next);
    if (dropped.length === 0) return [];
    if (effect === 'refused' && comparison.refusal && isUnknownFieldRefusal(comparison.refusal))
      return dropped.map((finding): Finding => ({ ...finding, severity: 'error' }));
    const known = new Set(comparison.old ? checkDroppedFields(comparison.old.manifest, versions, {}).map(({ path }) => path) : []);
    return dropped.filter(({ path }) => !known.has(path));
  });
}
