import type { PlanContext } from '../../../cluster/context';
import { nodePoolsOf } from '../../../cluster/room/known-nodes';
import { WHOLE_OBJECT } from '../../../core/field-path';
import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import type { Manifest } from '../../../core/manifest';
import { counted } from '../../../core/words';
import { daemonSetFindings } from '../validation';

interface NoNodesData {
  readonly daemonSets: number;
}

/** DaemonSets without nodes in view. */
export const noNodes = rule({
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
  fixed: `apiVersion: apps/v1
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
    none: message<NoNodesData>({
      text: ({ daemonSets }) =>
        `No nodes are in view: the waves of ${counted(daemonSets, 'DaemonSet')} can't be shown, nor what a percentage of the nodes comes to.`,
      help: () => 'Give the nodes with --capacity: kubectl get nodes -o json prints them.',
      sample: { daemonSets: 1 },
    }),
  },
});

function isPlannedDaemonSet(object: Manifest): boolean {
  const isDaemonSet = object.apiVersion === 'apps/v1' && object.kind === 'DaemonSet';
  return isDaemonSet && daemonSetFindings(object).every(({ severity }) => severity !== 'error');
}

/** Says once a plan that DaemonSets are planned without nodes; those that are refused have nothing to show anyway. */
export function noNodesFindings(context: PlanContext): Finding[] {
  if (nodePoolsOf(context).length > 0) return [];
  if (!context.objects.some(isPlannedDaemonSet)) return [];
  const daemonSets = context.input.filter(isPlannedDaemonSet).length;
  return [noNodes.finding('none', { path: WHOLE_OBJECT, data: { daemonSets } })];
}
