import { toFieldPath } from '../../../core/manifest/field-path';
import { defineMessage, extendRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { wrongType } from '../../../core/rules/wrong-type';
import { toDisplayValue, formatDisplayValue } from '../../../core/text/display-value';
import type { DisplayValue } from '../../../core/text/display-value';
import { STARTUP_ANNOTATION, parseStartupSeconds, startupAnnotationOf } from '../../../core/values/startup-seconds';
import type { LocatedTemplate, ValueAtPath } from '../../rollout/located-template';

interface AnnotationData {
  readonly annotation: string;
  readonly value: DisplayValue;
}

/** Reports start-up seconds that are not a number. */
export const startupAnnotation = extendRule(wrongType, {
  startupSeconds: defineMessage<AnnotationData>({
    text: ({ annotation, value }) =>
      `${annotation} is ${formatDisplayValue(value)}, which is not a number of seconds: the plan ignores it.`,
    help: () => 'Write seconds as a number in quotes, such as "120", or delete the annotation.',
    sample: { annotation: 'rolloutkit/startup-seconds', value: '2 minutes' },
  }),
});

function checkMetadata({ value: metadata, path }: ValueAtPath): Finding[] {
  const annotation = startupAnnotationOf(metadata);
  if (annotation === undefined || parseStartupSeconds(annotation) !== undefined) return [];
  const annotationPath = toFieldPath`${path}.annotations[${STARTUP_ANNOTATION}]`;
  const data = { annotation: STARTUP_ANNOTATION, value: toDisplayValue(annotation) };
  return [startupAnnotation.createFinding('startupSeconds', { path: annotationPath, severity: 'warning', data })];
}

/** Warns about an annotation that is not a number of seconds and is therefore ignored. */
export function checkStartupAnnotation({ metadata }: LocatedTemplate): Finding[] {
  return metadata.flatMap(checkMetadata);
}
