import type { Provenance } from '../../core/provenance';
import { describeValue } from '../../core/display-value';

/** `rolloutkit/predictor.maxSurge`. */
function formatAnnotationName(component: string, field: string): string {
  return `rolloutkit/${component}.${field}`;
}

/** The provenance of a component as annotations: `rolloutkit/predictor.maxSurge: "50%" from user, over kserve-default "25%"`, one a field. */
export function formatProvenanceAnnotations(component: string, provenance: readonly Provenance[]): [name: string, text: string][] {
  return provenance.map(({ field, value, layer, overridden }) => {
    const losers = overridden.map((level) => `${level.layer} ${describeValue(level.value)}`).join(', ');
    const text = `${describeValue(value)} from ${layer}${losers === '' ? '' : `, over ${losers}`}`;
    return [formatAnnotationName(component, field), text];
  });
}

/** A value as `describeValue` writes it, and what stands in front of it or behind it. */
const DECISION_PATTERN = /^(?<value>"[^"]*"|\d+) from (?<layer>[a-z-]+)(?:, over (?<losers>.+))?$/;
const OVERRIDDEN_PATTERN = /^(?<layer>[a-z-]+) (?<value>"[^"]*"|\d+)$/;

function parseProvenanceAnnotation(field: string, text: unknown): Provenance | undefined {
  const won = typeof text === 'string' ? DECISION_PATTERN.exec(text)?.groups : undefined;
  if (!won) return undefined;
  const losers = won.losers === undefined ? [] : won.losers.split(', ').map((loser) => OVERRIDDEN_PATTERN.exec(loser)?.groups);
  if (losers.some((loser) => loser === undefined)) return undefined;
  return {
    field,
    value: JSON.parse(won.value!),
    layer: won.layer!,
    reason: 'The service was made with this decision, as its annotation says.',
    overridden: losers.map((loser) => ({
      layer: loser!.layer!,
      value: JSON.parse(loser!.value!) as unknown,
      reason: `${won.layer} decided when the service was made`,
    })),
  };
}

/**
 * The provenance that a construct settled and wrote down, in place of the one that the object shows by itself:
 * there the written strategy is the user's whole. A value that is another by now keeps the plan's own.
 */
export function restoreAnnotatedProvenance(
  annotations: Readonly<Record<string, unknown>>,
  component: string,
  provenance: readonly Provenance[],
): readonly Provenance[] {
  return provenance.map((found) => {
    const written = parseProvenanceAnnotation(found.field, annotations[formatAnnotationName(component, found.field)]);
    return written && written.value === found.value ? written : found;
  });
}
