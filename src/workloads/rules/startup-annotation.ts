import { at } from '../../core/field-path';
import { message, partOf } from '../../core/finding';
import type { Finding } from '../../core/finding';
import { wrongType } from '../../core/rules/wrong-type';
import { seen, show } from '../../core/seen';
import type { Seen } from '../../core/seen';
import { STARTUP_ANNOTATION, annotatedSeconds, startupAnnotationOf } from '../../core/startup';
import type { Placed, Review } from '../review';

interface AnnotationData {
  readonly annotation: string;
  readonly value: Seen;
}

/** Start-up seconds that are no number. */
export const startupAnnotation = partOf(wrongType, {
  startupSeconds: message<AnnotationData>({
    text: ({ annotation, value }) => `${annotation} is ${show(value)}, which is not a number of seconds: the plan passes it over.`,
    help: () => 'Write seconds as a number in quotes, such as "120", or delete the annotation.',
    sample: { annotation: 'rolloutkit/startup-seconds', value: '2 minutes' },
  }),
});

/** Warns of an annotation that is no number of seconds, which the plan passes over. `value` is what holds annotations of pods. */
export function startupAnnotationFindings({ value: metadata, path }: Placed): Finding[] {
  const annotation = startupAnnotationOf(metadata);
  if (annotation === undefined || annotatedSeconds(annotation) !== undefined) return [];
  const place = at`${path}.annotations[${STARTUP_ANNOTATION}]`;
  const data = { annotation: STARTUP_ANNOTATION, value: seen(annotation) };
  return [startupAnnotation.finding('startupSeconds', { path: place, severity: 'warning', data })];
}

/** The same for all that holds annotations of the pods of a rollout. */
export function startupMetadataFindings({ metadata }: Review): Finding[] {
  return metadata.flatMap(startupAnnotationFindings);
}
