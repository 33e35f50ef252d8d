import { APPLY_EFFECTS } from '../core/change';
import type { ApplyEffect } from '../core/change';

/** Of several effects the one that the plan names: the strongest, in the order of `EFFECTS`. */
export function pickDominantEffect(effects: readonly ApplyEffect[]): ApplyEffect {
  return APPLY_EFFECTS.find((effect) => effects.includes(effect)) ?? 'none';
}
