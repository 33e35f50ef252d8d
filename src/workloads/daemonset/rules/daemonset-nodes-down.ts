import { suggestManualFix, setField } from '../../../core/suggested-fix';
import { toFieldPath } from '../../../core/field-path';
import type { Finding } from '../../../core/finding';
import { defineMessage, defineRule } from '../../../core/finding';
import type { DaemonSetSimulation } from '../../../core/simulations/daemonset';
import { pluralize } from '../../../core/text-format';

interface NodesDownData {
  /** Nodes that are down. */
  readonly down: number;
  readonly unavailable: number;
  /** The wave after which nothing moves any more. */
  readonly wave: number;
  /** Pods that keep the old version, on nodes that are up. */
  readonly remaining: number;
}

/** Nodes that are down and use up maxUnavailable. */
export const daemonSetNodesDown = defineRule({
  code: 'kubernetes/daemonset-nodes-down',
  since: '0.1.0',
  severity: 'error',
  fires: 'Nodes that are down use up the maxUnavailable of a DaemonSet, so its rollout never ends.',
  why:
    'A pod on a node that is down counts as unavailable until the node is back or gone, ' +
    'and the controller takes no more pods away than maxUnavailable less those. With the default of 1, ' +
    'one such node stops every rollout for good, and no deadline ever reports it. ' +
    'Which nodes are down is read from the Ready condition of the Nodes in view.',
  fix: 'Repair or remove the nodes that are down, or raise `maxUnavailable` above their number; with `maxSurge` they take up nothing.',
  example: `apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: agent
spec:
  selector:
    matchLabels:
      app: agent
  template:
    metadata:
      labels:
        app: agent
    spec:
      containers: [{ name: agent, image: agent:2 }]
---
apiVersion: v1
kind: Node
metadata: { name: a }
---
apiVersion: v1
kind: Node
metadata: { name: b }
spec:
  taints: [{ key: node.kubernetes.io/unreachable, effect: NoSchedule }, { key: node.kubernetes.io/unreachable, effect: NoExecute }]
status:
  conditions: [{ type: Ready, status: Unknown }]
`,
  fixedExample: `apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: agent
spec:
  updateStrategy:
    rollingUpdate: { maxUnavailable: 2 }
  selector:
    matchLabels:
      app: agent
  template:
    metadata:
      labels:
        app: agent
    spec:
      containers: [{ name: agent, image: agent:2 }]
---
apiVersion: v1
kind: Node
metadata: { name: a }
---
apiVersion: v1
kind: Node
metadata: { name: b }
spec:
  taints: [{ key: node.kubernetes.io/unreachable, effect: NoSchedule }, { key: node.kubernetes.io/unreachable, effect: NoExecute }]
status:
  conditions: [{ type: Ready, status: Unknown }]
`,
  messages: {
    halted: defineMessage<NodesDownData>({
      text: ({ down, unavailable, wave, remaining: left }) =>
        `${pluralize(down, 'node')} ${down === 1 ? 'is' : 'are'} down, and maxUnavailable comes to ${unavailable}: ` +
        `after wave ${wave} the rollout stands still for good, with ${pluralize(left, 'pod')} left on the old version.`,
      help: ({ down }) =>
        `Repair or remove ${down === 1 ? 'the node' : 'the nodes'}, or write a maxUnavailable of at least ${down + 1}; maxSurge: 1 beside maxUnavailable: 0 does not count ${down === 1 ? 'it' : 'them'}.`,
      suggestedFix: ({ down }, path) => suggestManualFix(setField(path, down + 1)),
      sample: { down: 1, unavailable: 1, wave: 1, remaining: 9 },
      variants: [{ down: 2, unavailable: 2, wave: 1, remaining: 1 }],
    }),
  },
});

/** A rollout that stands still because nodes that are down use up the limit. */
export function checkDaemonSetNodesDown({ halted, unavailable, waves }: DaemonSetSimulation): Finding[] {
  if (halted?.reason !== 'nodes-down') return [];
  const data = { down: halted.nodes, unavailable, wave: halted.wave, remaining: waves.at(-1)?.oldPods ?? 0 };
  return [daemonSetNodesDown.createFinding('halted', { path: toFieldPath`spec.updateStrategy.rollingUpdate.maxUnavailable`, data })];
}
