import { at } from '../../../core/field-path';
import type { Finding } from '../../../core/finding';
import { message, rule } from '../../../core/finding';
import { setsRayNodeCount } from '../service';
import type { Service } from '../service';
import { STANDARD, service } from './examples';

/** The variable that the guide names as the trigger of the multinode override. */
export const rayNodeCountWithoutWorker = rule({
  code: 'kserve/ray-node-count-without-worker',
  since: '0.1.0',
  severity: 'warning',
  fires: 'A container of the predictor sets RAY_NODE_COUNT, and there is no workerSpec.',
  why:
    'The guide names the variable as the trigger of the multinode override. In KServe it is an output: ' +
    'the controller writes it for services with a workerSpec, and reads none that a user has set. Without workerSpec it does nothing.',
  fix: 'Give the predictor a workerSpec, or delete the variable.',
  example: service({ annotations: [STANDARD], predictor: ['  env:', '    - name: RAY_NODE_COUNT', '      value: "2"'] }),
  fixed: service({ annotations: [STANDARD] }),
  messages: {
    noWorker: message<object>({
      text: () =>
        'The predictor sets RAY_NODE_COUNT and has no workerSpec: KServe writes this variable and never reads what a user set, ' +
        'so nothing is overridden.',
      help: () => 'Give the predictor a workerSpec if it is to run on several nodes, or delete the variable.',
      sample: {},
    }),
  },
});

/** RAY_NODE_COUNT in a predictor without workerSpec. */
export function rayNodeCountFindings({ predictor, workerSpec }: Service): Finding[] {
  if (workerSpec || !setsRayNodeCount(predictor)) return [];
  return [rayNodeCountWithoutWorker.finding('noWorker', { path: at`spec.predictor`, data: {} })];
}
