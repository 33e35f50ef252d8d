import type { Finding } from '../../src/core/findings/finding';
import { renderCheckJson, renderPlanJson } from '../../src/render/json/json';
import { planOf, rolloutOf } from './plans';

test('a check lists findings about no rollout first, then each with its resource', () => {
  const finding: Finding = {
    code: 'kubernetes/paused',
    severity: 'info',
    messageId: 'paused',
    data: { seen: true },
    path: 'spec.paused',
    message: 'm',
  };
  const plan = planOf([rolloutOf(null, { findings: [finding] })], [{ ...finding, code: 'input/unreadable', severity: 'error', path: '' }]);
  expect(JSON.parse(renderCheckJson(plan))).toEqual({
    formatVersion: '1.2',
    findings: [
      { code: 'input/unreadable', severity: 'error', messageId: 'paused', data: { seen: true }, path: '', message: 'm' },
      {
        code: 'kubernetes/paused',
        severity: 'info',
        messageId: 'paused',
        data: { seen: true },
        path: 'spec.paused',
        message: 'm',
        resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' },
      },
    ],
    notPlanned: [],
    summary: { rollouts: 1, notPlanned: 0, errors: 1, warnings: 0, infos: 1, suppressed: 0 },
  });
});

test('control characters are escaped and parse to the same value', () => {
  const name = 'a\u001b[2J\u0085\u009b\u202e\u2028é😀';
  const json = renderPlanJson(planOf([rolloutOf(null, { resource: { apiVersion: 'apps/v1', kind: 'Deployment', name } })]));
  expect(json).toContain('"name": "a\\u001b[2J\\u0085\\u009b\\u202e\\u2028é😀"');
  expect(JSON.parse(json)).toMatchObject({ rollouts: [{ resource: { name } }] });
});
