import { suggestManualFix, setField } from '../../../core/suggested-fix';
import { appendToPath } from '../../../core/field-path';
import type { Finding } from '../../../core/finding';
import { defineMessage, defineRule } from '../../../core/finding';
import { AUTOSCALER_CLASS_ANNOTATION, autoscalerClassOf } from '../service';
import type { KserveService, ServiceComponent } from '../service';
import { STANDARD_MODE_ANNOTATION, renderInferenceService } from './examples';

/** No pods at least, where the autoscaler keeps one. */
export const noScaleToZero = defineRule({
  code: 'kserve/no-scale-to-zero',
  since: '0.1.0',
  severity: 'info',
  fires: 'A component of a service in mode Standard has `minReplicas: 0`, and KServe makes a HorizontalPodAutoscaler of it.',
  why:
    'A HorizontalPodAutoscaler never goes below 1 replica, and KServe writes 1 as its minimum. ' +
    'Only the autoscaler class keda scales a component of mode Standard to zero.',
  fix: 'Write `minReplicas: 1`, or annotate the service with `serving.kserve.io/autoscalerClass: keda` where KEDA is installed.',
  example: renderInferenceService({ annotations: [STANDARD_MODE_ANNOTATION], minReplicas: 0 }),
  fixedExample: renderInferenceService({ annotations: [STANDARD_MODE_ANNOTATION], minReplicas: 1 }),
  messages: {
    keepsOnePod: defineMessage<object>({
      text: () => 'In mode Standard a HorizontalPodAutoscaler keeps at least 1 replica, so minReplicas 0 does not scale to zero.',
      help: () => `Write minReplicas: 1, or annotate the service with ${AUTOSCALER_CLASS_ANNOTATION}: keda where KEDA is installed.`,
      suggestedFix: (_data, path) => suggestManualFix(setField(path, 1)),
      sample: {},
    }),
  },
});

/** Says that a component keeps one pod although it asks for none. */
export function checkNoScaleToZero(owner: KserveService, { path, spec }: ServiceComponent): Finding[] {
  if (spec.minReplicas !== 0 || (autoscalerClassOf(owner, spec) ?? 'hpa') !== 'hpa') return [];
  return [noScaleToZero.createFinding('keepsOnePod', { path: appendToPath(path, 'minReplicas'), data: {} })];
}
