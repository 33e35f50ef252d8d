import type { Finding, Severity } from '../../src/core/findings/finding';
import type { PlannedRollout } from '../../src/core/document/rollout';
import { RejectionReasons } from '../../src/plan/rejection-reasons';
import { rolloutOf } from '../render/plans';

function finding(code: string, severity: Severity): Finding {
  return { code, severity, messageId: 'seen', data: {}, path: '', message: 'It is.' };
}

function refused(...findings: Finding[]): PlannedRollout {
  return rolloutOf(null, { system: 'kserve', strategy: null, findings });
}

function reasonsOf(rollout: PlannedRollout, findings: readonly Finding[]): readonly Finding[] {
  return new RejectionReasons(findings).listsOf(rollout).flat();
}

const CONFIG = finding('kserve/config-bare-number', 'error');
const WRONG_TYPE = finding('input/wrong-type', 'error');
const ASIDE = [finding('input/unreadable', 'error'), finding('fleet/invalid-limit', 'error'), finding('kserve/mode-ignored', 'warning')];

describe('the reason why a rollout has no strategy', () => {
  test('is only its own errors, if it has some', () => {
    const error = finding('kubernetes/quoted-integer', 'error');
    const rollout = refused(finding('input/unknown-field', 'warning'), error);
    expect(reasonsOf(rollout, [CONFIG])).toEqual([error]);
  });

  test('is the errors in other objects that its system reads, if it has none of its own', () => {
    const rollout = refused();
    expect(reasonsOf(rollout, [CONFIG, WRONG_TYPE, ...ASIDE])).toEqual([CONFIG, WRONG_TYPE]);
  });

  test('is an info if nothing is wrong', () => {
    const info = finding('kserve/no-deployment', 'info');
    const rollout = refused(info);
    expect(reasonsOf(rollout, ASIDE)).toEqual([info]);
  });

  test('is empty if it has a strategy', () => {
    const rollout = rolloutOf(null, { findings: [finding('kubernetes/outage', 'warning')] });
    expect(reasonsOf(rollout, [CONFIG])).toEqual([]);
  });
});
