import type { Manifest } from '../../../src/core/manifest/manifest';
import { kserveBehaviourOf, findFirstKserveVersion } from '../../../src/systems/kserve/versions';
import { factsOf } from '../../facts';
import { listed, plan, rolloutDefaults, service, STANDARD } from './plan';

test('the behaviour of each KServe version', () => {
  const behaviours = ['0.15', '0.16', '0.16.1', '0.17', '0.19', '0.20', '0.21'].map((version) => {
    const { readsRolloutDefaults, rewritesOldModes, recordsOldModes, readsOldStatus, hasCanaries } = kserveBehaviourOf(version);
    return [version, readsRolloutDefaults, rewritesOldModes, recordsOldModes, readsOldStatus, hasCanaries];
  });
  expect(behaviours).toEqual([
    ['0.15', false, false, true, false, false],
    ['0.16', true, false, false, false, false],
    ['0.16.1', true, false, false, false, false],
    ['0.17', true, true, false, false, false],
    ['0.19', true, true, false, true, false],
    ['0.20', true, true, false, true, true],
    ['0.21', true, true, false, true, true],
  ]);
  expect(findFirstKserveVersion(({ hasCanaries }) => hasCanaries)).toBe('0.20');
});

describe('fields that a later KServe added', () => {
  function findingsOf(isvc: Manifest, version = '0.19') {
    return plan([isvc, rolloutDefaults({})], version).rollouts[0]!.findings;
  }

  test('are dropped by the API server, and the finding reports the first version that has them', () => {
    const isvc = service({ name: 'v2', minReplicas: 4 }, { annotations: STANDARD, spec: { canary: [] } });
    expect(factsOf(findingsOf(isvc))).toEqual([
      {
        code: 'input/unknown-field',
        severity: 'warning',
        messageId: 'notYetSupported',
        data: { field: 'spec.predictor.name', product: 'KServe', since: '0.20', consequence: 'plain-name' },
        path: 'spec.predictor.name',
      },
      {
        code: 'input/unknown-field',
        severity: 'warning',
        messageId: 'notYetSupported',
        data: { field: 'spec.canary', product: 'KServe', since: '0.20', consequence: 'no-canary' },
        path: 'spec.canary',
      },
    ]);
  });

  test('are not validated in earlier versions', () => {
    const isvc = service({ name: 7, minReplicas: 4 }, { annotations: STANDARD, spec: { canary: [{ trafficPercent: 'half' }] } });
    expect(listed(findingsOf(isvc))).toEqual([
      'warning input/unknown-field at spec.predictor.name',
      'warning input/unknown-field at spec.canary',
    ]);
    expect(listed(findingsOf(isvc, '0.20'))).toEqual([
      'error input/wrong-type at spec.predictor.name',
      'error input/wrong-type at spec.canary[0].trafficPercent',
    ]);
  });

  test('do not prevent the validation of other fields', () => {
    const isvc = service({ name: 'v2', minReplicas: 'four' }, { annotations: STANDARD, spec: { canary: [{ trafficPercent: 'half' }] } });
    expect(listed(findingsOf(isvc))).toEqual([
      'error input/wrong-type at spec.predictor.minReplicas',
      'warning input/unknown-field at spec.predictor.name',
      'warning input/unknown-field at spec.canary',
    ]);
  });

  test('count as omitted if they are null', () => {
    expect(findingsOf(service({ name: null, minReplicas: 4 }, { annotations: STANDARD, spec: { canary: null } }))).toEqual([]);
  });

  test('include the rollout defaults of the ConfigMap', () => {
    expect(factsOf(plan([rolloutDefaults({ maxSurge: '50%' })], '0.15').findings)).toEqual([
      {
        code: 'input/unknown-field',
        severity: 'warning',
        messageId: 'notYetSupported',
        data: { field: 'deploymentRolloutStrategy', product: 'KServe', since: '0.16', consequence: 'no-defaults' },
        path: 'data[deploy].deploymentRolloutStrategy',
        object: { kind: 'ConfigMap', name: 'inferenceservice-config', namespace: 'kserve' },
      },
    ]);
  });
});
