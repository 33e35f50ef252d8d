import { suggestManualFix, setField } from '../../../core/findings/suggested-fix';
import { appendToPath } from '../../../core/manifest/field-path';
import type { Finding } from '../../../core/findings/finding';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import { AUTOSCALER_CLASS_ANNOTATION, autoscalerClassOf } from '../service';
import type { KserveService, ServiceComponent } from '../service';
import { STANDARD_MODE_ANNOTATION, renderInferenceService } from './examples';

/** Reports minReplicas 0 on a component whose autoscaler keeps one pod. */
export const noScaleToZero = defineRule({
  code: 'kserve/no-scale-to-zero',
  since: '0.1.0',
  severity: 'info',
  fires: 'A component of a service in mode Standard has `minReplicas: 0`, and KServe creates a HorizontalPodAutoscaler for it.',
  why:
    'A HorizontalPodAutoscaler never scales below 1 replica, and KServe writes 1 as its minimum. ' +
    'In mode Standard, only the autoscaler class keda scales a component to zero.',
  fix: 'Write `minReplicas: 1`, or annotate the service with `serving.kserve.io/autoscalerClass: keda` if KEDA is installed.',
  example: renderInferenceService({ annotations: [STANDARD_MODE_ANNOTATION], minReplicas: 0 }),
  fixedExample: renderInferenceService({ annotations: [STANDARD_MODE_ANNOTATION], minReplicas: 1 }),
  messages: {
    keepsOnePod: defineMessage<object>({
      text: () => 'In mode Standard a HorizontalPodAutoscaler keeps at least 1 replica, so minReplicas 0 does not scale to zero.',
      help: () => `Write minReplicas: 1, or annotate the service with ${AUTOSCALER_CLASS_ANNOTATION}: keda if KEDA is installed.`,
      suggestedFix: (_data, path) => suggestManualFix(setField(path, 1)),
      sample: {},
    }),
  },
});

/** Reports a component that keeps one pod although its minReplicas is 0. */
export function checkNoScaleToZero(owner: KserveService, { path, spec }: ServiceComponent): Finding[] {
  if (spec.minReplicas !== 0 || (autoscalerClassOf(owner, spec) ?? 'hpa') !== 'hpa') return [];
  return [noScaleToZero.createFinding('keepsOnePod', { path: appendToPath(path, 'minReplicas'), data: {} })];
}
