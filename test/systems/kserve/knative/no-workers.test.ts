import { factsOf } from '../../../facts';
import { configMap, multinodeService, plan, rolloutOf, service, STANDARD_PLATFORM } from '../plan';

const KNATIVE = configMap({ defaultDeploymentMode: 'Knative' });

function ruleFindings(objects: Parameters<typeof plan>[0]) {
  return factsOf(rolloutOf(plan(objects), 'predictor').findings.filter(({ code }) => code === 'kserve/no-workers-in-knative'));
}

test('a workerSpec in mode Knative creates no worker, which only the plan reports', () => {
  expect(ruleFindings([KNATIVE, multinodeService()])).toEqual([
    {
      code: 'kserve/no-workers-in-knative',
      severity: 'warning',
      messageId: 'headOnly',
      path: 'spec.predictor.workerSpec',
      data: {},
    },
  ]);
});

test('it is not reported in mode Standard, or without workers', () => {
  expect(ruleFindings([STANDARD_PLATFORM, multinodeService()])).toEqual([]);
  expect(ruleFindings([KNATIVE, service()])).toEqual([]);
});
