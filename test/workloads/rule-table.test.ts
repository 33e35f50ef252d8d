import type { ExhaustiveFindings } from '../../src/cluster/exhaustive-findings';
import type { ClusterPods, GroupPods, Workload } from '../../src/cluster/workload';
import { fencepost } from '../../src/workloads/rules/fencepost';
import { runChecks, createNotApplicable } from '../../src/workloads/rule-table';
import type { RuleTable } from '../../src/workloads/rule-table';
import { toFieldPath } from '../../src/core/field-path';

const FOUND = fencepost.createFinding('bothZero', {
  path: toFieldPath`spec.strategy`,
  data: fencepost.messages.bothZero.sample,
});

const WHOLE: RuleTable<{ readonly isFound: boolean }, 'own'> = {
  own: createNotApplicable('there is nothing to say'),
  fencepost: ({ isFound }) => (isFound ? [FOUND] : []),
  outage: createNotApplicable('nothing goes'),
  'startup-annotation': createNotApplicable('nothing starts'),
  'hpa-owns-replicas': createNotApplicable('nothing scales'),
  'surge-needs-headroom': createNotApplicable('nothing surges'),
  'no-readiness-probe': createNotApplicable('nothing answers'),
  'foreign-owner': createNotApplicable('nobody makes it'),
};

test('a table says what its checks find, and nothing where it says why it has none', () => {
  expect(runChecks(WHOLE, { isFound: true })).toEqual([FOUND]);
  expect(runChecks(WHOLE, { isFound: false })).toEqual([]);
});

describe('what replaces pods does not compile', () => {
  test('with a table that leaves out a rule which all pods share', () => {
    const { outage: _, ...others } = WHOLE;
    // @ts-expect-error it has no answer to `outage`
    const partial: RuleTable<{ readonly isFound: boolean }> = others;
    expect(partial).not.toHaveProperty('outage');
  });

  test('with findings of no table, whether it is a workload, groups or clusters', () => {
    // @ts-expect-error nothing but `checked` makes them
    const made: ExhaustiveFindings = [FOUND];
    type Checked = readonly [ReturnType<Workload['review']>, ReturnType<GroupPods['review']>, ClusterPods['sharedRuleFindings']];
    const each: Checked = [made, made, made];
    expect(each.flat()).toEqual([FOUND, FOUND, FOUND]);
  });
});
