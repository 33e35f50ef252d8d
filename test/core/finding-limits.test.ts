import { toFieldPath } from '../../src/core/manifest/field-path';
import type { Finding, Severity } from '../../src/core/findings/finding';
import { capFindingsPerObject, capFindingsPerRule, countOmittedFindings } from '../../src/core/findings/finding-limits';

function findings(code: string, count: number, severity: Severity = 'warning'): Finding[] {
  return Array.from({ length: count }, (_, index) => ({
    code,
    severity,
    messageId: 'a',
    data: {},
    path: toFieldPath`spec[${index}]`,
    message: 'm',
  }));
}

test('a hundred findings of one rule are listed individually', () => {
  const hundred = [...findings('a/a', 100), ...findings('b/b', 100)];
  expect(capFindingsPerRule(hundred)).toEqual(hundred);
});

test('findings about several objects are limited for each object, and those that name none are not', () => {
  const about = (name: string, count: number) =>
    findings('a/a', count).map((finding, line) => ({
      ...finding,
      object: { apiVersion: 'v1', kind: 'Service', name },
      source: { file: 'a.yaml', line: line + 1 },
    }));
  const [a, b, others] = [about('a', 101), about('b', 100), findings('a/a', 150)];
  const omitted = {
    ...capFindingsPerRule(a).at(-1)!,
    object: { apiVersion: 'v1', kind: 'Service', name: 'a' },
    source: { file: 'a.yaml', line: 101 },
  };
  expect(capFindingsPerObject([...a, ...b, ...others])).toEqual([...a.slice(0, 100), omitted, ...b, ...others]);
});

test('findings beyond a hundred become one finding of their rule with their worst severity; those of other rules keep their positions', () => {
  const flood = [
    ...findings('a/a', 100),
    ...findings('b/b', 3),
    ...findings('a/a', 7, 'info'),
    ...findings('a/a', 1, 'error'),
    ...findings('a/a', 5),
  ];
  expect(capFindingsPerRule(flood)).toEqual([
    ...flood.slice(0, 103),
    {
      code: 'a/a',
      severity: 'error',
      messageId: 'omittedFindings',
      data: { listed: 100, omitted: 13 },
      path: '',
      message: 'There are 13 more findings of this rule for this object; only the first 100 are listed.',
      help: 'Fix those and run again.',
    },
  ]);
});

test('a single omitted finding is reported in the singular', () => {
  expect(capFindingsPerRule(findings('a/a', 101)).at(-1)).toMatchObject({
    severity: 'warning',
    data: { listed: 100, omitted: 1 },
    message: 'There is 1 more finding of this rule for this object; only the first 100 are listed.',
  });
});

test('the summary of omitted findings contains their number', () => {
  expect(capFindingsPerRule(findings('a/a', 142)).map(countOmittedFindings)).toEqual([...Array.from({ length: 100 }, () => 0), 42]);
});
