import { suggestManualFix, removeField } from '../../../core/findings/suggested-fix';
import { appendToPath } from '../../../core/manifest/field-path';
import type { Finding } from '../../../core/findings/finding';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import { isInt32 } from '../../../core/values/int-or-percent';
import type { ServiceComponent } from '../service';
import { STANDARD_MODE_ANNOTATION, renderInferenceService } from './examples';

interface PercentData {
  readonly percent: number;
}

/** Reports a traffic percentage that only Knative would apply. */
export const canaryIgnored = defineRule({
  code: 'kserve/canary-ignored',
  since: '0.1.0',
  severity: 'warning',
  fires: 'A component of a service in mode Standard has a canaryTrafficPercent below 100.',
  why:
    'Only Knative splits traffic by canaryTrafficPercent. In mode Standard KServe does not read it: ' +
    'the change replaces all pods, and all requests go to the new ones.',
  fix:
    'Delete canaryTrafficPercent. `spec.canary` of KServe 0.20 starts the pods of a second version in mode Standard, and only later versions send it requests. ' +
    'To split traffic by canaryTrafficPercent, delete the service and create it again in mode Knative.',
  example: renderInferenceService({ annotations: [STANDARD_MODE_ANNOTATION], predictor: ['canaryTrafficPercent: 10'] }),
  fixedExample: renderInferenceService({ annotations: [STANDARD_MODE_ANNOTATION] }),
  messages: {
    ignored: defineMessage<PercentData>({
      text: ({ percent }) =>
        `In mode Standard KServe does not read canaryTrafficPercent ${percent}: the change replaces all pods, and all traffic moves.`,
      help: () =>
        'Delete canaryTrafficPercent. In mode Standard, only versions after KServe 0.20 split traffic, with spec.canary and the Gateway API.',
      suggestedFix: (_data, path) => suggestManualFix(removeField(path)),
      sample: { percent: 10 },
    }),
  },
});

/** Reports a traffic percentage of a component that is ignored. */
export function checkCanaryIgnored({ path, spec: { canaryTrafficPercent: percent } }: ServiceComponent): Finding[] {
  if (!isInt32(percent) || percent >= 100) return [];
  return [canaryIgnored.createFinding('ignored', { path: appendToPath(path, 'canaryTrafficPercent'), data: { percent } })];
}
