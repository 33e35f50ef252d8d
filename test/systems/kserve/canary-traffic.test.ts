import { planChange } from '../../../src/headless';
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

describe('the pods of an older revision start or go although no revision is created', () => {
  const split = (percent: object, status: object = {}, cpu = '1') => ({
    apiVersion: 'serving.kserve.io/v1beta1',
    kind: 'InferenceService',
    metadata: { name: 'iris', namespace: 'models', annotations: { 'serving.kserve.io/deploymentMode': 'Knative' } },
    spec: {
      predictor: {
        minReplicas: 3,
        ...percent,
        containers: [{ name: 'kserve-container', image: 'iris:1', resources: { requests: { cpu } } }],
      },
    },
    ...status,
  });
  const revisions = (rolledOut: string, previous?: string) => ({
    status: {
      deploymentMode: 'Knative',
      components: {
        predictor: { latestReadyRevision: 'iris-2', latestRolledoutRevision: rolledOut, previousRolledoutRevision: previous },
      },
    },
  });

  test.each<[what: string, old: object, next: object, effect: string, notPlanned: number]>([
    ['a canary is promoted', split({ canaryTrafficPercent: 10 }), split({ canaryTrafficPercent: 100 }), 'unknown', 1],
    ['its percentage is removed', split({ canaryTrafficPercent: 10 }), split({}), 'unknown', 1],
    ['a promoted revision is rolled back', split({}, revisions('iris-2', 'iris-1')), split({ canaryTrafficPercent: 10 }), 'unknown', 1],
    ['there is only one revision', split({}, revisions('iris-2')), split({ canaryTrafficPercent: 10 }), 'settings', 0],
    ['both keep a share', split({ canaryTrafficPercent: 10 }), split({ canaryTrafficPercent: 50 }), 'settings', 0],
  ])('if %s', (_what, old, next, effect, count) => {
    const { change, notPlanned } = planChange([old], [next]);
    expect([change.objects[0]!.effect, notPlanned.length]).toEqual([effect, count]);
  });

  test('and no second revision needs room on a full node', () => {
    const node = {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'n' },
      status: { allocatable: { cpu: '3', memory: '8Gi', pods: '110' }, conditions: [{ type: 'Ready', status: 'True' }] },
    };
    const { rollouts } = planChange([node, split({ canaryTrafficPercent: 10 })], [node, split({ canaryTrafficPercent: 50 })]);
    expect(rollouts.map(({ simulation, capacity }) => [simulation, capacity])).toEqual([[null, undefined]]);
  });
});
