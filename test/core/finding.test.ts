import { findingsOf, usualSeverity } from '../../src/core/finding';
import { INPUT_CATALOGUE } from '../../src/core/catalogue';
import { allFindings, summarise } from '../../src/core/plan-document';
import type { Finding } from '../../src/core/finding';
import type { PlannedRollout } from '../../src/core/rollout';

const finding = findingsOf(INPUT_CATALOGUE);

test('a finding has the severity of its catalogue, unless the occurrence says otherwise', () => {
  expect(finding('input/unknown-field', { path: 'spec.x', message: 'x is dropped.' })).toEqual({
    code: 'input/unknown-field',
    severity: 'warning',
    path: 'spec.x',
    message: 'x is dropped.',
  });
  expect(finding('input/unknown-field', { path: '', message: 'm', severity: 'info', help: 'h', source: { file: 'a', line: 1 } })).toEqual({
    code: 'input/unknown-field',
    severity: 'info',
    path: '',
    message: 'm',
    help: 'h',
    source: { file: 'a', line: 1 },
  });
});

test('of several severities the first is the usual one', () => {
  expect(usualSeverity({ ...INPUT_CATALOGUE['input/unreadable'], severity: ['info', 'warning', 'error'] })).toBe('info');
});

test('every rule says when it fires, why and what to write, and its example differs from the fixed one', () => {
  for (const [code, rule] of Object.entries(INPUT_CATALOGUE)) {
    expect([code, rule.fires, rule.why, rule.fix].every((text) => text.length > 10)).toBe(true);
    expect(rule.example).not.toBe(rule.fixed);
  }
});

function one(severity: Finding['severity']): Finding {
  return { code: 'input/unreadable', severity, path: '', message: 'm' };
}

function rollout(findings: readonly Finding[]): PlannedRollout {
  const resource = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
  return { system: 'kubernetes', resource, strategy: null, provenance: [], simulation: null, findings };
}

test('the summary counts the findings of the input and of every rollout, each once', () => {
  const rollouts = [rollout([one('error'), one('info')]), rollout([one('warning')])];
  expect(summarise(rollouts, [one('error')])).toEqual({ rollouts: 2, errors: 2, warnings: 1, infos: 1 });
  expect(allFindings({ rollouts, findings: [one('error')] }).map(({ severity }) => severity)).toEqual([
    'error',
    'error',
    'info',
    'warning',
  ]);
});
