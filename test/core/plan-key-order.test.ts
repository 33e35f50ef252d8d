import { sortPlanKeys } from '../../src/core/document/plan-key-order';
import type { PlannedRollout } from '../../src/core/document/rollout';
import { planOf, rolloutOf } from '../render/plans';

test('keys are sorted in the order of the contract, and those without a value are omitted', () => {
  const rollout = rolloutOf(null, {
    findings: [
      {
        message: 'm',
        path: 'p',
        source: { column: 2, line: 1, file: 'f' },
        help: undefined,
        data: { seen: 1 },
        messageId: 'paused',
        severity: 'info',
        code: 'kubernetes/paused',
      },
    ],
    provenance: [{ overridden: [{ reason: 'o', value: 1, layer: 'user' }], reason: 'r', layer: 'l', value: 2, field: 'f' }],
    creates: [{ name: 'n', kind: 'K', apiVersion: 'v1' }],
  });
  const reversed = Object.fromEntries(Object.entries(rollout).toReversed()) as unknown as typeof rollout;
  expect(JSON.stringify(sortPlanKeys(planOf([reversed])), null, 2)).toMatchInlineSnapshot(`
"{
  "formatVersion": "1.2",
  "versions": {
    "kubernetes": "1.36",
    "kserve": "0.17",
    "knative": "1.21",
    "kuberay": "1.7",
    "fleet": "0.16",
    "lws": "0.9",
    "argo-rollouts": "1.9",
    "argo-cd": "3.5"
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
              "value": 1,
              "reason": "o"
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
          "messageId": "paused",
          "data": {
            "seen": 1
          },
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
  "notPlanned": [],
  "findings": [],
  "summary": {
    "rollouts": 1,
    "notPlanned": 0,
    "errors": 0,
    "warnings": 0,
    "infos": 1,
    "suppressed": 0
  }
}"
`);
});

test('so are the keys of capacity and workers, at every depth', () => {
  const rollout = {
    ...rolloutOf(null, {}),
    capacity: {
      message: 'm',
      moreNodes: { nodes: 1, pool: 'a100' },
      shortage: { available: '1', needed: '2', resource: 'cpu', limit: 'capacity', kind: 'capacity' },
      podsThatFit: 1,
      peakPods: 2,
      verdict: 'deadlocks',
    },
    workers: {
      maximum: { surgeGpus: 0, gpus: 2, surgePods: 1, pods: 4 },
      autoscaled: true,
      surgeGpus: 0,
      gpus: 1,
      surgePods: 1,
      pods: 2,
    },
  } as unknown as PlannedRollout;
  const { capacity, workers } = sortPlanKeys(planOf([rollout])).rollouts[0]!;
  expect(JSON.stringify(capacity)).toBe(
    '{"verdict":"deadlocks","peakPods":2,"podsThatFit":1,"shortage":{"kind":"capacity","limit":"capacity","resource":"cpu","needed":"2","available":"1"},' +
      '"moreNodes":{"pool":"a100","nodes":1},"message":"m"}',
  );
  expect(JSON.stringify(workers)).toBe(
    '{"pods":2,"gpus":1,"surgePods":1,"surgeGpus":0,"autoscaled":true,"maximum":{"pods":4,"gpus":2,"surgePods":1,"surgeGpus":0}}',
  );
});
