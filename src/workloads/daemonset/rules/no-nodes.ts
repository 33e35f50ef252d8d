import type { PlanContext } from '../../../cluster/context';
import { nodePoolsOf } from '../../../cluster/capacity/input-nodes';
import { ROOT_PATH } from '../../../core/field-path';
import { defineMessage, defineRule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import type { Manifest } from '../../../core/manifest';
import { pluralize } from '../../../core/text-format';
import { validateDaemonSet } from '../validation';

interface NoNodesData {
  readonly daemonSets: number;
}

/** DaemonSets without nodes in view. */
export const noNodes = defineRule({
  code: 'kubernetes/no-nodes',
  since: '0.1.0',
  severity: 'info',
  fires: 'There is a DaemonSet and no nodes are in view, so its waves cannot be shown.',
  why:
    'A DaemonSet has no replicas: how many pods it has, and what a percentage of them comes to, ' +
    'depends on the nodes that match its node selector, affinity and tolerations.',
  fix: 'Give the nodes with `--capacity`: `kubectl get nodes -o json`, or a file with `nodePools`.',
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
`,
  fixedExample: `apiVersion: apps/v1
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
`,
  messages: {
    none: defineMessage<NoNodesData>({
      text: ({ daemonSets }) =>
        `No nodes are in view: the waves of ${pluralize(daemonSets, 'DaemonSet')} can't be shown, nor what a percentage of the nodes comes to.`,
      help: () => 'Give the nodes with --capacity: kubectl get nodes -o json prints them.',
      sample: { daemonSets: 1 },
    }),
  },
});

function isPlannedDaemonSet(object: Manifest): boolean {
  const isDaemonSet = object.apiVersion === 'apps/v1' && object.kind === 'DaemonSet';
  return isDaemonSet && validateDaemonSet(object).every(({ severity }) => severity !== 'error');
}

/** Says once a plan that DaemonSets are planned without nodes; those that are refused have nothing to show anyway. */
export function checkNoNodes(context: PlanContext): Finding[] {
  if (nodePoolsOf(context).length > 0) return [];
  if (!context.objects.some(isPlannedDaemonSet)) return [];
  const daemonSets = context.input.filter(isPlannedDaemonSet).length;
  return [noNodes.createFinding('none', { path: ROOT_PATH, data: { daemonSets } })];
}
