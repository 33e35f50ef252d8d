import { appendToPath, toFieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { getFieldsAt } from '../../../core/manifest/manifest';
import type { Manifest } from '../../../core/manifest/manifest';
import { formatDisplayValue, toDisplayValue } from '../../../core/text/display-value';
import type { DisplayValue } from '../../../core/text/display-value';
import { AUTOSCALING_PREFIX, findScaleAnnotation, parsePodCount } from '../scale-annotations';
import type { ScaleAnnotation } from '../scale-annotations';
import { TEMPLATE_PATH } from '../service';
import { writeScaledService } from './examples';

const TEMPLATE_ANNOTATIONS = toFieldPath`${TEMPLATE_PATH}.metadata.annotations`;

/** The scale of a service of Knative is refused. */
export const invalidScale = defineRule({
  code: 'knative/invalid-scale',
  since: '0.1.0',
  severity: 'error',
  fires:
    'A Service of Knative has a min-scale above its max-scale, a scale that is no number of pods, or an autoscaling annotation in its own metadata.',
  why: "Knative's webhook refuses the object, so nothing of it changes.",
  fix: 'Write a min-scale up to the max-scale, both in the annotations of the template.',
  example: writeScaledService(3, 1),
  fixedExample: writeScaledService(1, 3),
  messages: {
    aboveMaximum: defineMessage<{ readonly minimum: number; readonly maximum: number }>({
      text: ({ minimum, maximum }) => `Knative refuses a min-scale of ${minimum} above the max-scale of ${maximum}.`,
      help: () => 'Lower min-scale, or raise max-scale.',
      sample: { minimum: 3, maximum: 1 },
    }),
    notCount: defineMessage<{ readonly key: string; readonly value: DisplayValue }>({
      text: ({ key, value }) => `Knative refuses ${formatDisplayValue(value)} as ${key}.`,
      help: () => 'Write a whole number from 0 to 2147483647 in quotes.',
      sample: { key: 'autoscaling.knative.dev/min-scale', value: 'many' },
    }),
    misplaced: defineMessage<{ readonly key: string }>({
      text: ({ key }) => `Knative refuses the annotation ${key} in the metadata of a Service.`,
      help: () => 'Move it to `spec.template.metadata.annotations`.',
      sample: { key: 'autoscaling.knative.dev/min-scale' },
    }),
  },
});

function checkCount(annotation: ScaleAnnotation | undefined): Finding[] {
  if (!annotation || typeof annotation.value !== 'string' || parsePodCount(annotation.value) !== undefined) return [];
  const { key, value } = annotation;
  const path = appendToPath(TEMPLATE_ANNOTATIONS, key);
  return [invalidScale.createFinding('notCount', { path, data: { key, value: toDisplayValue(value) } })];
}

/**
 * Reports a scale that Knative refuses.
 *
 * Source: knative/serving pkg/apis/autoscaling/annotation_validation.go, `validateMinMaxScale`; pkg/apis/serving/metadata_validation.go,
 * `ValidateHasNoAutoscalingAnnotation`.
 */
export function checkInvalidScale(object: Manifest): Finding[] {
  const template = getFieldsAt(object, 'spec', 'template');
  const own = Object.keys(getFieldsAt(object, 'metadata', 'annotations')).filter((key) => key.startsWith(AUTOSCALING_PREFIX));
  const misplaced = own.map((key) =>
    invalidScale.createFinding('misplaced', { path: toFieldPath`metadata.annotations[${key}]`, data: { key } }),
  );
  const lower = findScaleAnnotation(template, 'minimum');
  const upper = findScaleAnnotation(template, 'maximum');
  const counts = [...checkCount(lower), ...checkCount(upper)];
  const [minimum, maximum] = [parsePodCount(lower?.value) ?? 0, parsePodCount(upper?.value) ?? 0];
  // A max-scale of 0 is no limit.
  if (maximum === 0 || minimum <= maximum) return [...misplaced, ...counts];
  const path = appendToPath(TEMPLATE_ANNOTATIONS, lower!.key);
  return [...misplaced, ...counts, invalidScale.createFinding('aboveMaximum', { path, data: { minimum, maximum } })];
}
