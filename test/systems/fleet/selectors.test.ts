import { toFieldPath } from '../../../src/core/manifest/field-path';
import { planManifests } from '../../../src/plan/plan';
import { compileSelector, findSelectorErrors } from '../../../src/systems/fleet/selector';
import type { LabelSelector } from '../../../src/systems/fleet/types';

describe('a label selector', () => {
  const LABELS = { env: 'prod', region: 'eu' };

  test.each<[selector: LabelSelector, matches: boolean]>([
    [{}, true],
    [{ matchLabels: { env: 'prod' } }, true],
    [{ matchLabels: { env: 'dev' } }, false],
    [{ matchLabels: { env: 'prod', region: 'us' } }, false],
    [{ matchExpressions: [{ key: 'env', operator: 'In', values: ['dev', 'prod'] }] }, true],
    [{ matchExpressions: [{ key: 'tier', operator: 'In', values: ['gold'] }] }, false],
    [{ matchExpressions: [{ key: 'env', operator: 'NotIn', values: ['dev'] }] }, true],
    [{ matchExpressions: [{ key: 'env', operator: 'NotIn', values: ['prod'] }] }, false],
    [{ matchExpressions: [{ key: 'tier', operator: 'NotIn', values: ['gold'] }] }, true],
    [{ matchExpressions: [{ key: 'env', operator: 'Exists' }] }, true],
    [{ matchExpressions: [{ key: 'tier', operator: 'Exists' }] }, false],
    [{ matchExpressions: [{ key: 'tier', operator: 'DoesNotExist' }] }, true],
    [{ matchExpressions: [{ key: 'env', operator: 'DoesNotExist' }] }, false],
    [{ matchLabels: { env: 'prod' }, matchExpressions: [{ key: 'region', operator: 'NotIn', values: ['eu'] }] }, false],
    [{ matchExpressions: [{ key: 'toString', operator: 'Exists' }] }, false],
  ])('%j of env=prod, region=eu: %p', (selector, matches) => {
    expect(compileSelector(selector).matches(LABELS)).toBe(matches);
  });

  test('is refused if LabelSelectorAsSelector refuses it', () => {
    const selector = {
      matchLabels: { 'no good': 'x', env: 'not/a/value' },
      matchExpressions: [
        { key: 'env', operator: 'in', values: ['a'] },
        { key: 'env', operator: 'In' },
        { key: 'env', operator: 'NotIn', values: [] },
        { key: 'env', operator: 'Exists', values: ['a'] },
        { key: 'a/b/c', operator: 'DoesNotExist' },
        { key: 'x'.repeat(64), operator: 'Exists' },
      ],
    } as unknown as LabelSelector;
    expect(findSelectorErrors(selector, toFieldPath`selector`)).toEqual([
      { path: 'selector.matchLabels', kind: 'labelKey', key: 'no good' },
      { path: 'selector.matchLabels[env]', kind: 'labelValue', value: 'not/a/value' },
      { path: 'selector.matchExpressions[0].operator', kind: 'operator', operator: 'in' },
      { path: 'selector.matchExpressions[1].values', kind: 'noValues', operator: 'In' },
      { path: 'selector.matchExpressions[2].values', kind: 'noValues', operator: 'NotIn' },
      { path: 'selector.matchExpressions[3].values', kind: 'needlessValues', operator: 'Exists' },
      { path: 'selector.matchExpressions[4].key', kind: 'labelKey', key: 'a/b/c' },
      { path: 'selector.matchExpressions[5].key', kind: 'labelKey', key: 'x'.repeat(64) },
    ]);
  });

  test('is refused without a key, an operator or values, which Go decodes as empty', () => {
    const selector = { matchExpressions: [{ operator: 'Exists' }, { key: 'env' }, { key: 'env', operator: 'In', values: null }] };
    expect(findSelectorErrors(selector as unknown as LabelSelector, toFieldPath`selector`)).toEqual([
      { path: 'selector.matchExpressions[0].key', kind: 'labelKey', key: '' },
      { path: 'selector.matchExpressions[1].operator', kind: 'operator', operator: '' },
      { path: 'selector.matchExpressions[2].values', kind: 'noValues', operator: 'In' },
    ]);
  });

  test('is accepted otherwise', () => {
    const selector: LabelSelector = {
      matchLabels: { 'management.cattle.io/cluster-name': 'c-m-1', empty: '' },
      matchExpressions: [{ key: 'a_b.c-d', operator: 'In', values: ['', 'A_b.c-9'] }],
    };
    expect(findSelectorErrors(selector, toFieldPath`selector`)).toEqual([]);
  });
});

test('the selector of a ClusterGroup is checked also in an input without clusters', () => {
  const group = (operator: string) => ({
    apiVersion: 'fleet.cattle.io/v1alpha1',
    kind: 'ClusterGroup',
    metadata: { name: 'live', namespace: 'fleet-default' },
    spec: { selector: { matchExpressions: [{ key: 'env', operator, values: ['prod'] }] } },
  });
  const problemsOf = (object: object) => planManifests([object]).findings.map(({ code, path, severity }) => `${severity} ${code} ${path}`);
  expect(problemsOf(group('Equals'))).toEqual(['error fleet/invalid-selector spec.selector.matchExpressions[0].operator']);
  expect(problemsOf(group('In'))).toEqual([]);
});
