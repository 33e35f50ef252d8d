import { getFieldsAt } from '../../core/manifest/manifest';
import type { Fields } from '../../core/manifest/manifest';
import { MAX_INT32 } from '../../core/values/int-or-percent';

/** Prefix of the annotations that Knative's autoscaler reads. */
export const AUTOSCALING_PREFIX = 'autoscaling.knative.dev';

/** Annotation that sets the fewest pods. */
export const MIN_SCALE_KEY = `${AUTOSCALING_PREFIX}/min-scale`;

/** An annotation of a Revision, and its value. */
export interface ScaleAnnotation {
  readonly key: string;
  readonly value: unknown;
}

/** Spellings of the number of pods that an annotation limits. The first one that is set counts. */
const SCALE_KEYS = {
  minimum: [MIN_SCALE_KEY, `${AUTOSCALING_PREFIX}/minScale`],
  maximum: [`${AUTOSCALING_PREFIX}/max-scale`, `${AUTOSCALING_PREFIX}/maxScale`],
} as const;

/**
 * Returns the annotation of a template that sets the fewest or the most pods. Undefined if there is none.
 *
 * Source: knative/serving pkg/apis/autoscaling/register.go, `MinScaleAnnotation` and `MaxScaleAnnotation`.
 */
export function findScaleAnnotation(template: Fields, limit: keyof typeof SCALE_KEYS): ScaleAnnotation | undefined {
  const annotations = getFieldsAt(template, 'metadata', 'annotations');
  const key = SCALE_KEYS[limit].find((name) => annotations[name] !== undefined);
  return key === undefined ? undefined : { key, value: annotations[key] };
}

/** Parses a number of pods as Go does, which accepts a plus sign. Undefined for any other text, which Knative's webhook refuses. */
export function parsePodCount(text: unknown): number | undefined {
  if (typeof text !== 'string' || !/^(?:\+?[0-9]+|-0+)$/.test(text)) return undefined;
  const count = Math.abs(Number(text));
  return count <= MAX_INT32 ? count : undefined;
}
