import { byChoice, set } from '../../../core/advice';
import { childPath } from '../../../core/field-path';
import type { Finding } from '../../../core/finding';
import { message, rule } from '../../../core/finding';
import { AUTOSCALER_CLASS_ANNOTATION, autoscalerClassOf } from '../service';
import type { Service, ServiceComponent } from '../service';
import { STANDARD, service } from './examples';

/** No pods at least, where the autoscaler keeps one. */
export const noScaleToZero = rule({
  code: 'kserve/no-scale-to-zero',
  since: '0.1.0',
  severity: 'info',
  fires: 'A component of a service in mode Standard has `minReplicas: 0`, and KServe makes a HorizontalPodAutoscaler of it.',
  why:
    'A HorizontalPodAutoscaler never goes below 1 replica, and KServe writes 1 as its minimum. ' +
    'Only the autoscaler class keda scales a component of mode Standard to zero.',
  fix: 'Write `minReplicas: 1`, or annotate the service with `serving.kserve.io/autoscalerClass: keda` where KEDA is installed.',
  example: service({ annotations: [STANDARD], minReplicas: 0 }),
  fixed: service({ annotations: [STANDARD], minReplicas: 1 }),
  messages: {
    one: message<object>({
      text: () => 'In mode Standard a HorizontalPodAutoscaler keeps at least 1 replica, so minReplicas 0 does not scale to zero.',
      help: () => `Write minReplicas: 1, or annotate the service with ${AUTOSCALER_CLASS_ANNOTATION}: keda where KEDA is installed.`,
      advice: (_data, path) => byChoice(set(path, 1)),
      sample: {},
    }),
  },
});

/** Says that a component keeps one pod although it asks for none. */
export function scaleToZeroFindings(owner: Service, { path, spec }: ServiceComponent): Finding[] {
  if (spec.minReplicas !== 0 || (autoscalerClassOf(owner, spec) ?? 'hpa') !== 'hpa') return [];
  return [noScaleToZero.finding('one', { path: childPath(path, 'minReplicas'), data: {} })];
}
