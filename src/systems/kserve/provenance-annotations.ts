import type { Provenance } from '../../core/document/provenance';
import { describeValue } from '../../core/text/display-value';

/** Fields of a strategy. A drain decides others, whose names are no names of annotations. */
const STRATEGY_FIELDS: ReadonlySet<string> = new Set(['type', 'maxSurge', 'maxUnavailable']);

/** Returns the annotation name: `rolloutkit/predictor.maxSurge`. */
function formatAnnotationName(component: string, field: string): string {
  return `rolloutkit/${component}.${field}`;
}

/**
 * Formats the provenance of a component as annotations, one per field: `rolloutkit/predictor.maxSurge: "50%" from user, over kserve-default
 * "25%"`.
 */
export function formatProvenanceAnnotations(component: string, provenance: readonly Provenance[]): [name: string, text: string][] {
  const ofStrategy = provenance.filter(({ field }) => STRATEGY_FIELDS.has(field));
  return ofStrategy.map(({ field, value, layer, overridden }) => {
    const losers = overridden.map((level) => `${level.layer} ${describeValue(level.value)}`).join(', ');
    const text = `${describeValue(value)} from ${layer}${losers === '' ? '' : `, over ${losers}`}`;
    return [formatAnnotationName(component, field), text];
  });
}

/** A value in the format of `describeValue` without escapes, with the text before or after it. It is valid JSON. */
const DECISION_PATTERN = /^(?<value>"[^"\\\p{Control}]*"|0|[1-9]\d*) from (?<layer>[a-z-]+)(?:, over (?<losers>.+))?$/u;
const OVERRIDDEN_PATTERN = /^(?<layer>[a-z-]+) (?<value>"[^"\\\p{Control}]*"|0|[1-9]\d*)$/u;

function parseProvenanceAnnotation(field: string, text: unknown): Provenance | undefined {
  const decision = typeof text === 'string' ? DECISION_PATTERN.exec(text)?.groups : undefined;
  if (!decision) return undefined;
  const losers = decision.losers === undefined ? [] : decision.losers.split(', ').map((loser) => OVERRIDDEN_PATTERN.exec(loser)?.groups);
  if (losers.some((loser) => loser === undefined)) return undefined;
  return {
    field,
    value: JSON.parse(decision.value!),
    layer: decision.layer!,
    reason: 'According to its annotation, the service was created with the value of this level.',
    overridden: losers.map((loser) => ({
      layer: loser!.layer!,
      value: JSON.parse(loser!.value!) as unknown,
      reason: `${decision.layer} decided when the service was created`,
    })),
  };
}

/**
 * Returns the provenance that a construct wrote into annotations, in place of the object's own provenance, in which every field is set by
 * the user. A value that has changed since keeps the plan's own provenance.
 */
export function restoreAnnotatedProvenance(
  annotations: Readonly<Record<string, unknown>>,
  component: string,
  provenance: readonly Provenance[],
): readonly Provenance[] {
  return provenance.map((current) => {
    const annotated = parseProvenanceAnnotation(current.field, annotations[formatAnnotationName(component, current.field)]);
    return annotated && annotated.value === current.value ? annotated : current;
  });
}
