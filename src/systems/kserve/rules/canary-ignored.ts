import { byChoice, remove } from '../../../core/advice';
import { childPath } from '../../../core/field-path';
import type { Finding } from '../../../core/finding';
import { message, rule } from '../../../core/finding';
import { isInt32 } from '../../../core/int-or-percent';
import type { ServiceComponent } from '../service';
import { STANDARD, service } from './examples';

interface PercentData {
  readonly percent: number;
}

/** A share of the traffic that only Knative would split. */
export const canaryIgnored = rule({
  code: 'kserve/canary-ignored',
  since: '0.1.0',
  severity: 'warning',
  fires: 'A component of a service in mode Standard has a canaryTrafficPercent below 100.',
  why:
    'Only Knative splits traffic by canaryTrafficPercent. In mode Standard KServe reads it nowhere: ' +
    'the change replaces all pods, and all requests go to the new ones.',
  fix:
    'Delete canaryTrafficPercent; KServe 0.20 has `spec.canary` for mode Standard. ' +
    'A service that has to split traffic by canaryTrafficPercent is created anew in mode Knative.',
  example: service({ annotations: [STANDARD], predictor: ['canaryTrafficPercent: 10'] }),
  fixed: service({ annotations: [STANDARD] }),
  messages: {
    ignored: message<PercentData>({
      text: ({ percent }) =>
        `In mode Standard KServe does not read canaryTrafficPercent ${percent}: the change replaces all pods, and all traffic moves.`,
      help: () => 'Delete canaryTrafficPercent; KServe 0.20 splits traffic in mode Standard by spec.canary.',
      advice: (_data, path) => byChoice(remove(path)),
      sample: { percent: 10 },
    }),
  },
});

/** Says that a component's share of the traffic is not kept to. */
export function ignoredCanaryFindings({ path, spec: { canaryTrafficPercent: percent } }: ServiceComponent): Finding[] {
  if (!isInt32(percent) || percent >= 100) return [];
  return [canaryIgnored.finding('ignored', { path: childPath(path, 'canaryTrafficPercent'), data: { percent } })];
}
