import { eachLabelOnce, notIn, notInText } from '../../src/core/label-rest';

const LABELS = [
  { key: 'env', values: ['dev', 'test'] },
  { key: 'tier', values: ['db'] },
  { key: 'env', values: ['test', 'prod'] },
];

test('what is left beside labels is what has none of their values, each label once', () => {
  const once = eachLabelOnce(LABELS);
  expect(once).toEqual([
    { key: 'env', values: ['dev', 'test', 'prod'] },
    { key: 'tier', values: ['db'] },
  ]);
  expect(notIn(once)).toEqual([
    { key: 'env', operator: 'NotIn', values: ['dev', 'test', 'prod'] },
    { key: 'tier', operator: 'NotIn', values: ['db'] },
  ]);
  expect(notInText(once)).toBe('env NotIn [dev, test, prod] and tier NotIn [db]');
});
