import { toFieldPath } from '../../../core/manifest/field-path';
import type { Finding } from '../../../core/findings/finding';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { KserveService } from '../service';
import { WORKER_OVERRIDE_STRATEGY, renderMultinodeService } from './examples';

/** Reports workers that are never created in mode Knative. */
export const noWorkersInKnative = defineRule({
  code: 'kserve/no-workers-in-knative',
  since: '0.1.0',
  severity: 'warning',
  fires: 'A predictor with a workerSpec runs in mode Knative.',
  why:
    'In mode Knative KServe creates one Knative Service with only the head: it computes the pods of the workers but never uses them, ' +
    'and no webhook refuses the service. A model that is split over several nodes never starts there. Source: KServe 0.15 to 0.20, components/predictor.go.',
  fix: 'Annotate the service with `serving.kserve.io/deploymentMode: Standard` before it is created, because its mode never changes.',
  example: renderMultinodeService().replace('Standard', 'Knative'),
  fixedExample: renderMultinodeService(...WORKER_OVERRIDE_STRATEGY),
  messages: {
    headOnly: defineMessage<object>({
      text: () =>
        'The predictor has a workerSpec but runs in mode Knative, where KServe creates only the head: there are no workers, and no error is reported.',
      help: () =>
        'Annotate the service with serving.kserve.io/deploymentMode: Standard. If it already exists, delete it and create it again with the annotation.',
      sample: {},
    }),
  },
});

/** Reports a workerSpec that mode Knative ignores. */
export function checkNoWorkersInKnative({ workerSpec }: KserveService): Finding[] {
  return workerSpec ? [noWorkersInKnative.createFinding('headOnly', { path: toFieldPath`spec.predictor.workerSpec`, data: {} })] : [];
}
