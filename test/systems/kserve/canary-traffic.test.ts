import { canaryTraffic } from '../../../src/systems/kserve/rules/canary-traffic';
import { testRule } from '../../rule-tester';

const service = (percent: string, { storage = 's3://m/1', status = '' } = {}) => `apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata: { name: iris, annotations: { serving.kserve.io/deploymentMode: Knative } }
spec:
  predictor:
    ${percent === '' ? '' : `canaryTrafficPercent: ${percent}`}
    model: { modelFormat: { name: sklearn }, storageUri: "${storage}" }
${status}`;
const live = (rolledOut: string, previous: string) => `status:
  components:
    predictor: { latestReadyRevision: iris-2, latestRolledoutRevision: ${rolledOut}, previousRolledoutRevision: "${previous}" }
`;
const PATH = 'spec.predictor.canaryTrafficPercent';

testRule(canaryTraffic, {
  valid: [
    { name: 'a new revision has rows of its own', old: service(''), yaml: service('10', { storage: 's3://m/2' }) },
    { name: 'all requests reach the newest revision', old: service('20'), yaml: service('100') },
    {
      name: 'without an earlier revision both shares reach the first',
      old: service('', { status: live('iris-2', '') }),
      yaml: service('0'),
    },
  ],
  invalid: [
    {
      name: 'a manifest does not show which revision was promoted',
      old: service('20'),
      yaml: service('0'),
      findings: [{ messageId: 'unknown', severity: 'info', path: PATH, data: { percent: 0, rest: 100 } }],
    },
    {
      name: 'a canary that is running',
      old: service('20', { status: live('iris-1', '') }),
      yaml: service('0'),
      findings: [{ messageId: 'running', severity: 'info', data: { percent: 0, rest: 100, newest: 'iris-2', other: 'iris-1' } }],
    },
    {
      name: 'a promoted revision',
      old: service('100', { status: live('iris-2', 'iris-1') }),
      yaml: service('10'),
      findings: [{ messageId: 'rollback', severity: 'warning', data: { percent: 10, rest: 90, newest: 'iris-2', other: 'iris-1' } }],
    },
  ],
});
