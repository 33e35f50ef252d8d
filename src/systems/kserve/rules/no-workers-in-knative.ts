import { toFieldPath } from '../../../core/field-path';
import type { Finding } from '../../../core/finding';
import { defineMessage, defineRule } from '../../../core/finding';
import type { KserveService } from '../service';
import { WORKER_OVERRIDE_STRATEGY, renderMultinodeService } from './examples';

/** Workers that mode Knative never makes. */
export const noWorkersInKnative = defineRule({
  code: 'kserve/no-workers-in-knative',
  since: '0.1.0',
  severity: 'warning',
  fires: 'A predictor with a workerSpec runs in mode Knative.',
  why:
    'In mode Knative KServe makes one Knative Service of the head alone: it works out the pods of the workers and uses them nowhere, ' +
    'and nothing refuses the service. A model that is split over several nodes never starts there. Source: KServe 0.15 to 0.20, components/predictor.go.',
  fix: 'Annotate the service with `serving.kserve.io/deploymentMode: Standard` before it is created, since its mode never changes.',
  example: renderMultinodeService().replace('Standard', 'Knative'),
  fixedExample: renderMultinodeService(...WORKER_OVERRIDE_STRATEGY),
  messages: {
    headOnly: defineMessage<object>({
      text: () =>
        'The predictor has a workerSpec and runs in mode Knative, where KServe makes the head alone: there are no workers, and nothing says so.',
      help: () =>
        'Annotate the service with serving.kserve.io/deploymentMode: Standard; one that is there already has to be made anew for that.',
      sample: {},
    }),
  },
});

/** A workerSpec that mode Knative passes over. */
export function checkNoWorkersInKnative({ workerSpec }: KserveService): Finding[] {
  return workerSpec ? [noWorkersInKnative.createFinding('headOnly', { path: toFieldPath`spec.predictor.workerSpec`, data: {} })] : [];
}
