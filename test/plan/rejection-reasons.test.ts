import type { Finding, Severity } from '../../src/core/finding';
import type { PlannedRollout } from '../../src/core/rollout';
import { collectRejectionReasons } from '../../src/plan/rejection-reasons';
import { planOf, rolloutOf } from '../render/plans';

function finding(code: string, severity: Severity): Finding {
  return { code, severity, messageId: 'seen', data: {}, path: '', message: 'It is.' };
}

function refused(...findings: Finding[]): PlannedRollout {
  return rolloutOf(null, { system: 'kserve', strategy: null, findings });
}

const CONFIG = finding('kserve/config-bare-number', 'error');
const WRONG_TYPE = finding('input/wrong-type', 'error');
const ASIDE = [finding('input/unreadable', 'error'), finding('fleet/invalid-limit', 'error'), finding('kserve/mode-ignored', 'warning')];

describe('why a rollout has no strategy', () => {
  test('is told by its own errors, and by nothing else where it has some', () => {
    const error = finding('kubernetes/quoted-integer', 'error');
    const rollout = refused(finding('input/unknown-field', 'warning'), error);
    expect(collectRejectionReasons(rollout, planOf([rollout], [CONFIG]))).toEqual([error]);
  });

  test('is told by the errors in what its system reads beside it, where it has none of its own', () => {
    const rollout = refused();
    expect(collectRejectionReasons(rollout, planOf([rollout], [CONFIG, WRONG_TYPE, ...ASIDE]))).toEqual([CONFIG, WRONG_TYPE]);
  });

  test('is told by an info where nothing is wrong', () => {
    const info = finding('kserve/no-deployment', 'info');
    const rollout = refused(info);
    expect(collectRejectionReasons(rollout, planOf([rollout], ASIDE))).toEqual([info]);
  });

  test('is not asked where it has one', () => {
    const rollout = rolloutOf(null, { findings: [finding('kubernetes/outage', 'warning')] });
    expect(collectRejectionReasons(rollout, planOf([rollout], [CONFIG]))).toEqual([]);
  });
});
