import { renderCheckJson, renderPlanJson } from '../../src/render/json';
import { planOf, rolloutOf } from './plans';

test('keys stand in the order of the contract, whatever their order was, and those without value are left out', () => {
  const rollout = rolloutOf(null, {
    findings: [{ message: 'm', path: 'p', source: { column: 2, line: 1, file: 'f' }, help: undefined, severity: 'info', code: 'kubernetes/paused' }],
    provenance: [{ overridden: [{ value: 1, layer: 'user' }], reason: 'r', layer: 'l', value: 2, field: 'f' }],
    creates: [{ name: 'n', kind: 'K', apiVersion: 'v1' }],
  });
  const reversed = Object.fromEntries(Object.entries(rollout).toReversed()) as unknown as typeof rollout;
  expect(renderPlanJson(planOf([reversed]))).toMatchInlineSnapshot(`
"{
  "formatVersion": "1.0",
  "versions": {
    "kubernetes": "1.34",
    "kserve": "0.17",
    "kuberay": "1.7",
    "fleet": "0.16"
  },
  "rollouts": [
    {
      "system": "kubernetes",
      "resource": {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "namespace": "shop",
        "name": "web"
      },
      "strategy": {
        "type": "RollingUpdate"
      },
      "provenance": [
        {
          "field": "f",
          "value": 2,
          "layer": "l",
          "reason": "r",
          "overridden": [
            {
              "layer": "user",
              "value": 1
            }
          ]
        }
      ],
      "simulation": null,
      "creates": [
        {
          "apiVersion": "v1",
          "kind": "K",
          "name": "n"
        }
      ],
      "findings": [
        {
          "code": "kubernetes/paused",
          "severity": "info",
          "path": "p",
          "message": "m",
          "source": {
            "file": "f",
            "line": 1,
            "column": 2
          }
        }
      ]
    }
  ],
  "findings": [],
  "summary": {
    "rollouts": 1,
    "errors": 0,
    "warnings": 0,
    "infos": 1
  }
}
"
`);
});

test('a check lists findings about no rollout first, then each with its resource', () => {
  const finding = { code: 'kubernetes/paused', severity: 'info', path: 'spec.paused', message: 'm' } as const;
  const plan = planOf([rolloutOf(null, { findings: [finding] })], [{ ...finding, code: 'input/unreadable', severity: 'error', path: '' }]);
  expect(JSON.parse(renderCheckJson(plan))).toEqual({
    formatVersion: '1.0',
    findings: [
      { code: 'input/unreadable', severity: 'error', path: '', message: 'm' },
      { code: 'kubernetes/paused', severity: 'info', path: 'spec.paused', message: 'm', resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' } },
    ],
    summary: { rollouts: 1, errors: 1, warnings: 0, infos: 1 },
  });
});

test('what a terminal or an editor would obey is escaped, and comes back as it was', () => {
  const name = 'a\u001b[2J\u0085\u009b\u202e\u2028é😀';
  const json = renderPlanJson(planOf([rolloutOf(null, { resource: { apiVersion: 'apps/v1', kind: 'Deployment', name } })]));
  expect(json).toContain('"name": "a\\u001b[2J\\u0085\\u009b\\u202e\\u2028é😀"');
  expect(JSON.parse(json)).toMatchObject({ rollouts: [{ resource: { name } }] });
});
