import { mergeLabelValues, buildNotInRequirements, formatNotIn } from '../../src/core/values/complement-labels';

const LABELS = [
  { key: 'env', values: ['dev', 'test'] },
  { key: 'tier', values: ['db'] },
  { key: 'env', values: ['test', 'prod'] },
];

test('the complement of labels has none of their values, and each label once', () => {
  const merged = mergeLabelValues(LABELS);
  expect(merged).toEqual([
    { key: 'env', values: ['dev', 'test', 'prod'] },
    { key: 'tier', values: ['db'] },
  ]);
  expect(buildNotInRequirements(merged)).toEqual([
    { key: 'env', operator: 'NotIn', values: ['dev', 'test', 'prod'] },
    { key: 'tier', operator: 'NotIn', values: ['db'] },
  ]);
  expect(formatNotIn(merged)).toBe('env NotIn [dev, test, prod] and tier NotIn [db]');
});
