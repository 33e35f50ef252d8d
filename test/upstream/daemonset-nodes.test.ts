import { parseCapacity } from '../../src/cluster/capacity/parse-capacity';
import type { Fields } from '../../src/core/manifest/manifest';
import { PlanCache } from '../../src/core/collections/plan-cache';
import { evaluateDaemonNode, addDaemonTolerations } from '../../src/workloads/daemonset/nodes';
import { recorded } from './recording';

interface RecordedNode {
  readonly name: string;
  readonly labels?: Fields;
  readonly taints?: readonly Fields[];
  readonly ready?: string;
  readonly unschedulable?: boolean;
}

const rows = recorded('kubernetes-daemonset-nodes') as readonly (readonly [Fields, RecordedNode, 0 | 1, 0 | 1])[];

function nodeOf({ name, labels, taints, ready, unschedulable }: RecordedNode) {
  return parseCapacity({
    kind: 'Node',
    metadata: { name, labels },
    spec: { taints, unschedulable },
    status: { conditions: ready === undefined ? [] : [{ type: 'Ready', status: ready }] },
  }).nodePools[0]!;
}

test('the controller creates and keeps pods on the nodes that we predict', () => {
  const differences = rows.flatMap(([podSpec, node, shouldRun, shouldContinue]) => {
    const ours = evaluateDaemonNode({ replicas: 0, template: addDaemonTolerations({ spec: podSpec }) }, nodeOf(node), new PlanCache());
    return ours.runs === (shouldRun === 1) && ours.keeps === (shouldContinue === 1)
      ? []
      : [{ podSpec, node, shouldRun, shouldContinue, ours }];
  });
  expect(rows.length).toBeGreaterThan(1_000);
  expect(differences).toEqual([]);
});
