import type { RolloutExplanation, Explanation } from '../../core/document/explanation';
import { stringifySafeJson } from './json';

function orderRolloutKeys({ system, resource, unit, strategy, provenance, noStrategy }: RolloutExplanation) {
  return { system, resource, unit, strategy, provenance, noStrategy };
}

/** Renders the output of `explain --format json`, with keys in the order of the schema. */
export function renderExplanationJson({ formatVersion, rollouts, notPlanned, findings }: Explanation): string {
  return stringifySafeJson({ formatVersion, rollouts: rollouts.map(orderRolloutKeys), notPlanned, findings });
}
