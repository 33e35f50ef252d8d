import { toFieldPath } from '../../../core/manifest/field-path';
import type { Finding } from '../../../core/findings/finding';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import { hasRayNodeCount } from '../service';
import type { KserveService } from '../service';
import { STANDARD_MODE_ANNOTATION, renderInferenceService } from './examples';

/** Reports the variable that the guide documents as the trigger of the multinode override. */
export const rayNodeCountWithoutWorker = defineRule({
  code: 'kserve/ray-node-count-without-worker',
  since: '0.1.0',
  severity: 'warning',
  fires: 'A container of the predictor sets RAY_NODE_COUNT, but there is no workerSpec.',
  why:
    'The guide documents the variable as the trigger of the multinode override. In KServe it is an output: ' +
    'the controller writes it for services with a workerSpec, and never reads a value set by the user. Without workerSpec it has no effect.',
  fix: 'Give the predictor a workerSpec, or delete the variable.',
  example: renderInferenceService({
    annotations: [STANDARD_MODE_ANNOTATION],
    predictor: ['  env:', '    - name: RAY_NODE_COUNT', '      value: "2"'],
  }),
  fixedExample: renderInferenceService({ annotations: [STANDARD_MODE_ANNOTATION] }),
  messages: {
    noWorker: defineMessage<object>({
      text: () =>
        'The predictor sets RAY_NODE_COUNT but has no workerSpec: KServe writes this variable and never reads a value set by the user, ' +
        'so nothing is overridden.',
      help: () => 'Give the predictor a workerSpec to run it on several nodes, or delete the variable.',
      sample: {},
    }),
  },
});

/** Reports RAY_NODE_COUNT in a predictor without workerSpec. */
export function checkRayNodeCountWithoutWorker({ predictor, workerSpec }: KserveService): Finding[] {
  if (workerSpec || !hasRayNodeCount(predictor)) return [];
  return [rayNodeCountWithoutWorker.createFinding('noWorker', { path: toFieldPath`spec.predictor`, data: {} })];
}
