import type { Severity } from '../../src/core/findings/finding';
import { ALL_RULES } from '../../src/upgrade/all-rules';
import { findingsOfExample } from '../rule-tester';

const WORST_FIRST: readonly Severity[] = ['error', 'warning', 'info'];

/** Reported for every RollingSync with known Applications. */
const ROLLING_SYNC_INFO = 'argo-cd/contents-not-checked';

/** Rules about one model on several nodes. All its nodes are replaced together, so a separate warning reports the needed headroom. */
const NEED_HEADROOM: readonly string[] = ['kserve/multinode-strategy-escapes-override', 'kserve/no-workers-in-knative'];

/** Rules about a DisaggregatedSet whose roles roll together once it is fixed. */
const ROLL_TWO_ROLES: readonly string[] = ['lws/many-steps'];

describe.each(ALL_RULES.map((rule) => [rule.code, rule] as const))('%s', (code, { example, fixedExample }) => {
  test('fires for the example of its page', async () => {
    expect((await findingsOfExample(example)).map((finding) => finding.code)).toContain(code);
  });

  test('does not fire for the fixed example, which has no other finding of the same severity', async () => {
    const before = await findingsOfExample(example);
    const ranks = before.filter((finding) => finding.code === code).map(({ severity }) => WORST_FIRST.indexOf(severity));
    const after = await findingsOfExample(fixedExample);
    const known = new Set([
      ...before.map((finding) => finding.code),
      ...(code.startsWith('argo-cd/') ? [ROLLING_SYNC_INFO] : []),
      ...(ROLL_TWO_ROLES.includes(code) ? ['disaggregated/versions-mix'] : []),
      ...(NEED_HEADROOM.includes(code) ? ['kubernetes/surge-needs-headroom'] : []),
    ]);
    const otherFindings = after.filter(
      (finding) => !known.has(finding.code) && WORST_FIRST.indexOf(finding.severity) <= Math.min(...ranks),
    );

    expect(after.map((finding) => finding.code)).not.toContain(code);
    expect(otherFindings.map((finding) => `${finding.severity} ${finding.code}`)).toEqual([]);
  });
});
