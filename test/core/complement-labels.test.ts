import { mergeLabelValues, buildNotInRequirements, formatNotIn } from '../../src/core/complement-labels';

const LABELS = [
  { key: 'env', values: ['dev', 'test'] },
  { key: 'tier', values: ['db'] },
  { key: 'env', values: ['test', 'prod'] },
];

test('what is left beside labels is what has none of their values, each label once', () => {
  const once = mergeLabelValues(LABELS);
  expect(once).toEqual([
    { key: 'env', values: ['dev', 'test', 'prod'] },
    { key: 'tier', values: ['db'] },
  ]);
  expect(buildNotInRequirements(once)).toEqual([
    { key: 'env', operator: 'NotIn', values: ['dev', 'test', 'prod'] },
    { key: 'tier', operator: 'NotIn', values: ['db'] },
  ]);
  expect(formatNotIn(once)).toBe('env NotIn [dev, test, prod] and tier NotIn [db]');
});
