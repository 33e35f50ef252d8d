import type { ExhaustiveFindings } from '../../src/cluster/rollout/exhaustive-findings';
import type { ClusterPods, GroupPods } from '../../src/cluster/rollout/pod-groups';
import type { WorkloadController } from '../../src/cluster/rollout/workload';
import { fencepost } from '../../src/workloads/rules/fencepost';
import { runChecks, createNotApplicable } from '../../src/workloads/rule-table';
import type { RuleTable } from '../../src/workloads/rule-table';
import { toFieldPath } from '../../src/core/manifest/field-path';

const FOUND = fencepost.createFinding('bothZero', {
  path: toFieldPath`spec.strategy`,
  data: fencepost.messages.bothZero.sample,
});

const COMPLETE_TABLE: RuleTable<{ readonly isFound: boolean }, 'own'> = {
  own: createNotApplicable('nothing is reported'),
  fencepost: ({ isFound }) => (isFound ? [FOUND] : []),
  outage: createNotApplicable('nothing is deleted'),
  'hpa-owns-replicas': createNotApplicable('nothing scales'),
  'surge-needs-headroom': createNotApplicable('nothing surges'),
  'foreign-owner': createNotApplicable('nothing owns it'),
};

test('a table returns the findings of its checks, and none for rules that are not applicable', () => {
  expect(runChecks(COMPLETE_TABLE, { isFound: true })).toEqual([FOUND]);
  expect(runChecks(COMPLETE_TABLE, { isFound: false })).toEqual([]);
});

describe('code that replaces pods does not compile', () => {
  test('with a table that lacks a rule that all pods share', () => {
    const { outage: _, ...others } = COMPLETE_TABLE;
    // @ts-expect-error `outage` is missing
    const partial: RuleTable<{ readonly isFound: boolean }> = others;
    expect(partial).not.toHaveProperty('outage');
  });

  test('with findings that are not from a table, for a workload, groups or clusters', () => {
    // @ts-expect-error only `runChecks` creates them
    const unchecked: ExhaustiveFindings = [FOUND];
    type Checked = readonly [ReturnType<WorkloadController['review']>, ReturnType<GroupPods['review']>, ClusterPods['sharedRuleFindings']];
    const each: Checked = [unchecked, unchecked, unchecked];
    expect(each.flat()).toEqual([FOUND, FOUND, FOUND]);
  });
});
