import { EFFECTS } from '../core/change';
import type { Effect } from '../core/change';

/** Of several effects the one that the plan names: the strongest, in the order of `EFFECTS`. */
export function strongest(effects: readonly Effect[]): Effect {
  return EFFECTS.find((effect) => effects.includes(effect)) ?? 'none';
}
