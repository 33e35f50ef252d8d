import { appendToPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { isInt32 } from '../../../core/values/int-or-percent';
import type { Manifest } from '../../../core/manifest/manifest';
import { writeServiceWithTraffic } from './examples';
import { listTraffic, TRAFFIC_PATH } from '../service';

/** The traffic of a service of Knative is refused. */
export const invalidTraffic = defineRule({
  code: 'knative/invalid-traffic',
  since: '0.1.0',
  severity: 'error',
  fires: 'The traffic of a Service of Knative does not add up to 100 percent, or a share is out of range.',
  why: "Knative's webhook refuses the object, so nothing of it changes.",
  fix: 'Write shares from 0 to 100 that add up to 100.',
  example: writeServiceWithTraffic(1, '{ latestRevision: true, percent: 20 }', '{ revisionName: hello-00001, percent: 70 }'),
  fixedExample: writeServiceWithTraffic(1, '{ latestRevision: true, percent: 20 }', '{ revisionName: hello-00001, percent: 80 }'),
  messages: {
    sum: defineMessage<{ readonly sum: number }>({
      text: ({ sum }) => `Knative refuses the traffic: its shares add up to ${sum} percent, not to 100.`,
      help: () => 'Write shares that add up to 100.',
      sample: { sum: 90 },
    }),
    range: defineMessage<{ readonly percent: number }>({
      text: ({ percent }) => `Knative refuses a share of ${percent} percent.`,
      help: () => 'Write a whole number from 0 to 100.',
      sample: { percent: 120 },
    }),
  },
});

/**
 * Reports traffic that Knative refuses.
 *
 * Source: knative/serving pkg/apis/serving/v1/route_validation.go, `validateTrafficList`.
 */
export function checkInvalidTraffic(object: Manifest): Finding[] {
  const traffic = listTraffic(object);
  if (traffic.length === 0) return [];
  const percents = traffic.map(({ percent }) => (isInt32(percent) ? percent : 0));
  const index = percents.findIndex((percent) => percent < 0 || percent > 100);
  if (index >= 0) {
    const path = appendToPath(TRAFFIC_PATH, index, 'percent');
    return [invalidTraffic.createFinding('range', { path, data: { percent: percents[index]! } })];
  }
  const sum = percents.reduce((total, percent) => total + percent, 0);
  return sum === 100 ? [] : [invalidTraffic.createFinding('sum', { path: TRAFFIC_PATH, data: { sum } })];
}
