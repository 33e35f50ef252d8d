import { appendToPath } from '../../../core/manifest/field-path';
import { defineMessage, extendRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { isInt32 } from '../../../core/values/int-or-percent';
import type { ServiceComponent } from '../service';
import { invalidService } from './invalid-service';

/** Reports why Knative refuses the objects that KServe writes for a service. */
export const invalidRevision = extendRule(invalidService, {
  revisionTraffic: defineMessage<{ readonly percent: number }>({
    text: ({ percent }) =>
      `Knative refuses the traffic that KServe writes for canaryTrafficPercent ${percent}: shares must be between 0 and 100 and add up to 100.`,
    help: () => 'Write a whole number from 0 to 100.',
    sample: { percent: 120 },
  }),
});

/** Reports traffic that Knative refuses. */
export function checkInvalidRevision({ path, spec }: ServiceComponent): Finding[] {
  const { canaryTrafficPercent: percent } = spec;
  if (!isInt32(percent) || (percent >= 0 && percent <= 100)) return [];
  return [invalidRevision.createFinding('revisionTraffic', { path: appendToPath(path, 'canaryTrafficPercent'), data: { percent } })];
}
