import { APPLY_EFFECTS } from '../../core/change';
import type { ApplyEffect } from '../../core/change';

/** Returns the effect that the plan reports for several effects: the strongest, in the order of `APPLY_EFFECTS`. */
export function pickDominantEffect(effects: readonly ApplyEffect[]): ApplyEffect {
  return APPLY_EFFECTS.find((effect) => effects.includes(effect)) ?? 'none';
}
