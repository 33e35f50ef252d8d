import { factsOf } from '../../../facts';
import { configMap, multinodeService, plan, rolloutOf, service, STANDARD_PLATFORM } from '../plan';

const KNATIVE = configMap({ defaultDeploymentMode: 'Knative' });

function ofRule(objects: Parameters<typeof plan>[0]) {
  return factsOf(rolloutOf(plan(objects), 'predictor').findings.filter(({ code }) => code === 'kserve/no-workers-in-knative'));
}

test('a workerSpec in mode Knative makes no worker, and nobody but the plan says so', () => {
  expect(ofRule([KNATIVE, multinodeService()])).toEqual([
    {
      code: 'kserve/no-workers-in-knative',
      severity: 'warning',
      messageId: 'headOnly',
      path: 'spec.predictor.workerSpec',
      data: {},
    },
  ]);
});

test('it is silent in mode Standard, and without workers', () => {
  expect(ofRule([STANDARD_PLATFORM, multinodeService()])).toEqual([]);
  expect(ofRule([KNATIVE, service()])).toEqual([]);
});
