import type { ExplainedRollout, Explanation } from '../core/explanation';
import { jsonText } from './json';

function orderedRollout({ system, resource, unit, strategy, provenance, noStrategy }: ExplainedRollout) {
  return { system, resource, unit, strategy, provenance, noStrategy };
}

/** What `explain --format json` prints: keys in the order of the schema. */
export function renderExplanationJson({ formatVersion, rollouts, notPlanned, findings }: Explanation): string {
  return jsonText({ formatVersion, rollouts: rollouts.map(orderedRollout), notPlanned, findings });
}
