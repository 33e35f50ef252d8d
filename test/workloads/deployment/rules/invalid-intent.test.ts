import { toFieldPath } from '../../../../src/core/manifest/field-path';
import { Rollout } from '../../../../src/props/rollout';
import { resolveIntent } from '../../../../src/workloads/deployment/intent';
import { validateIntent } from '../../../../src/workloads/deployment/rules/invalid-intent';
import { factsOf } from '../../../facts';

const PATH = toFieldPath`predictor.rollout`;

test.each([
  [Rollout.availability('25%'), { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: 0 } }],
  [Rollout.availability(2), { type: 'RollingUpdate', rollingUpdate: { maxSurge: 2, maxUnavailable: 0 } }],
  [Rollout.resourceAware('50%'), { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: '50%' } }],
  [Rollout.rollingUpdate({ maxSurge: 1 }), { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } }],
  [Rollout.rollingUpdate(), { type: 'RollingUpdate' }],
  [Rollout.recreate(), { type: 'Recreate' }],
  [Rollout.production(), { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: 0 } }],
  [Rollout.critical(), { type: 'RollingUpdate', rollingUpdate: { maxSurge: '100%', maxUnavailable: 0 } }],
  [Rollout.testing(), { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: '50%' } }],
])('%j is a valid intent and resolves to %j', (intent, strategy) => {
  expect(validateIntent(intent, PATH)).toEqual([]);
  expect(resolveIntent(intent)).toEqual(strategy);
});

describe('an invalid intent from JavaScript or JSON', () => {
  test.each<[unknown, string, string, object]>([
    ['25%', 'notAnIntent', 'predictor.rollout', { field: 'rollout', value: '25%' }],
    [null, 'notAnIntent', 'predictor.rollout', { field: 'rollout', value: null }],
    [[], 'notAnIntent', 'predictor.rollout', { field: 'rollout', value: { described: '[]' } }],
    [{ mode: 'availability', ratio: '25%' }, 'unknownMode', 'predictor.rollout.mode', { value: 'availability' }],
    [{ mode: undefined }, 'unknownMode', 'predictor.rollout.mode', { value: { described: 'undefined' } }],
    [{ type: 'recreate' }, 'unknownIntentType', 'predictor.rollout.type', { value: 'recreate' }],
    [{}, 'unknownIntentType', 'predictor.rollout.type', { value: { described: 'undefined' } }],
    [{ mode: 'Availability' }, 'ratio', 'predictor.rollout.ratio', { value: { described: 'undefined' } }],
    [{ mode: 'Availability', ratio: 0 }, 'ratio', 'predictor.rollout.ratio', { value: 0 }],
    [{ mode: 'ResourceAware', ratio: '0%' }, 'ratio', 'predictor.rollout.ratio', { value: '0%' }],
    [
      { mode: 'Availability', ratio: '25%', maxSurge: 1 },
      'unexpectedField',
      'predictor.rollout.maxSurge',
      { field: 'maxSurge', value: 1, form: 'mode', known: ['mode', 'ratio'] },
    ],
    [
      { type: 'RollingUpdate', ratio: '25%' },
      'unexpectedField',
      'predictor.rollout.ratio',
      { field: 'ratio', value: '25%', form: 'RollingUpdate', known: ['type', 'maxSurge', 'maxUnavailable'] },
    ],
    [
      { type: 'Recreate', maxUnavailable: 1 },
      'unexpectedField',
      'predictor.rollout.maxUnavailable',
      { field: 'maxUnavailable', value: 1, form: 'Recreate', known: ['type'] },
    ],
  ])('%j: %s', (intent, messageId, path, data) => {
    expect(factsOf(validateIntent(intent, PATH))).toEqual([
      { code: 'kubernetes/invalid-strategy', severity: 'error', messageId, path, data },
    ]);
  });

  test('null and undefined fields are not unexpected, and a refused limit is reported with the strategy', () => {
    expect(validateIntent({ mode: 'Availability', ratio: 'a', maxSurge: null, type: undefined }, PATH)).toEqual([]);
    expect(validateIntent({ type: 'RollingUpdate', maxSurge: '1' }, PATH)).toEqual([]);
  });
});
