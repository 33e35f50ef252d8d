import type { CheckedFindings } from '../../src/cluster/checked-findings';
import type { ClusterPods, GroupPods, Workload } from '../../src/cluster/workload';
import { fencepost } from '../../src/workloads/rules/fencepost';
import { checked, notFor } from '../../src/workloads/checks';
import type { ChecksOf } from '../../src/workloads/checks';
import { at } from '../../src/core/field-path';

const FOUND = fencepost.finding('bothZero', {
  path: at`spec.strategy`,
  data: fencepost.messages.bothZero.sample,
});

const WHOLE: ChecksOf<{ readonly isFound: boolean }, 'own'> = {
  own: notFor('there is nothing to say'),
  fencepost: ({ isFound }) => (isFound ? [FOUND] : []),
  outage: notFor('nothing goes'),
  'startup-annotation': notFor('nothing starts'),
  'hpa-owns-replicas': notFor('nothing scales'),
  'surge-needs-headroom': notFor('nothing surges'),
  'no-readiness-probe': notFor('nothing answers'),
  'foreign-owner': notFor('nobody makes it'),
};

test('a table says what its checks find, and nothing where it says why it has none', () => {
  expect(checked(WHOLE, { isFound: true })).toEqual([FOUND]);
  expect(checked(WHOLE, { isFound: false })).toEqual([]);
});

describe('what replaces pods does not compile', () => {
  test('with a table that leaves out a rule which all pods share', () => {
    const { outage: _, ...others } = WHOLE;
    // @ts-expect-error it has no answer to `outage`
    const partial: ChecksOf<{ readonly isFound: boolean }> = others;
    expect(partial).not.toHaveProperty('outage');
  });

  test('with findings of no table, whether it is a workload, groups or clusters', () => {
    // @ts-expect-error nothing but `checked` makes them
    const made: CheckedFindings = [FOUND];
    type Checked = readonly [ReturnType<Workload['review']>, ReturnType<GroupPods['review']>, ClusterPods['checked']];
    const each: Checked = [made, made, made];
    expect(each.flat()).toEqual([FOUND, FOUND, FOUND]);
  });
});
