import { suggestManualFix, setField } from '../../../core/findings/suggested-fix';
import { toFieldPath } from '../../../core/manifest/field-path';
import type { Finding } from '../../../core/findings/finding';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { DaemonSetSimulation } from '../../../core/simulations/daemonset';
import { pluralize } from '../../../core/text/text-format';

interface NodesDownData {
  /** Nodes that are down. */
  readonly down: number;
  readonly unavailable: number;
  /** The wave after which the rollout deadlocks. */
  readonly wave: number;
  /** Pods of the old version that are left on nodes that are up. */
  readonly remaining: number;
}

/** Reports nodes that are down and use up maxUnavailable. */
export const daemonSetNodesDown = defineRule({
  code: 'kubernetes/daemonset-nodes-down',
  since: '0.1.0',
  severity: 'error',
  fires: 'Nodes that are down use up the maxUnavailable of a DaemonSet, so its rollout never finishes.',
  why:
    'A pod on a node that is down counts as unavailable until the node recovers or is removed. ' +
    'The controller counts these pods against maxUnavailable and replaces only as many as are left. With the default of 1, ' +
    'one such node deadlocks every rollout, and no deadline ever reports it. ' +
    'Nodes that are down are identified by the Ready condition of the Nodes in the input.',
  fix: 'Repair or remove the nodes that are down, or raise `maxUnavailable` above their number. With `maxSurge` they do not count against the limit.',
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
      text: ({ down, unavailable, wave, remaining }) =>
        `${pluralize(down, 'node')} ${down === 1 ? 'is' : 'are'} down, and maxUnavailable allows ${unavailable}: ` +
        `the rollout deadlocks after wave ${wave}, with ${pluralize(remaining, 'pod')} left on the old version.`,
      help: ({ down }) =>
        `Repair or remove ${down === 1 ? 'the node' : 'the nodes'}, or write a maxUnavailable of at least ${down + 1}. ` +
        `With maxSurge: 1 and maxUnavailable: 0, ${down === 1 ? 'the node does' : 'the nodes do'} not count against the limit.`,
      suggestedFix: ({ down }, path) => suggestManualFix(setField(path, down + 1)),
      sample: { down: 1, unavailable: 1, wave: 1, remaining: 9 },
      variants: [{ down: 2, unavailable: 2, wave: 1, remaining: 1 }],
    }),
  },
});

/** Reports a rollout that deadlocks because nodes that are down use up the limit. */
export function checkDaemonSetNodesDown({ halted, unavailable, waves }: DaemonSetSimulation): Finding[] {
  if (halted?.reason !== 'nodes-down') return [];
  const data = { down: halted.nodes, unavailable, wave: halted.wave, remaining: waves.at(-1)?.oldPods ?? 0 };
  return [daemonSetNodesDown.createFinding('halted', { path: toFieldPath`spec.updateStrategy.rollingUpdate.maxUnavailable`, data })];
}
