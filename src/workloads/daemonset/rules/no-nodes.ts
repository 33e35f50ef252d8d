import type { PlanContext } from '../../../cluster/context/context';
import { formatStartupKey } from '../../../core/values/startup-seconds';
import { nodePoolsOf } from '../../../cluster/capacity/input-nodes';
import { ROOT_PATH } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { nameOf, namespaceOf } from '../../../core/manifest/manifest';
import type { Manifest } from '../../../core/manifest/manifest';
import { pluralize } from '../../../core/text/text-format';
import { validateDaemonSet } from '../validation';

interface NoNodesData {
  readonly daemonSets: number;
}

/** Reports DaemonSets that are planned without nodes. */
export const noNodes = defineRule({
  code: 'kubernetes/no-nodes',
  since: '0.1.0',
  severity: 'info',
  fires: 'The input has a DaemonSet but no nodes, so its waves cannot be simulated.',
  why:
    'A DaemonSet has no replicas. Its number of pods, and the value of a percentage limit, ' +
    'depend on the nodes that match its node selector, affinity and tolerations.',
  fix: 'Pass the nodes with `--capacity`: the output of `kubectl get nodes -o json`, or a file with `nodePools`.',
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
        `The input has no nodes: the waves of ${pluralize(daemonSets, 'DaemonSet')} can't be simulated, and percentages of nodes can't be resolved.`,
      help: () => 'Pass the nodes with --capacity, or in the prop surroundings: kubectl get nodes -o json prints them.',
      sample: { daemonSets: 1 },
    }),
  },
});

function isPlannedDaemonSet(object: Manifest): boolean {
  const isDaemonSet = object.apiVersion === 'apps/v1' && object.kind === 'DaemonSet';
  return isDaemonSet && validateDaemonSet(object).every(({ severity }) => severity !== 'error');
}

/**
 * Reports once per plan that DaemonSets are planned without nodes. DaemonSets that are refused have no waves anyway and are not counted.
 */
export function checkNoNodes(context: PlanContext): Finding[] {
  if (nodePoolsOf(context).length > 0) return [];
  if (!context.objects.some(isPlannedDaemonSet)) return [];
  const { daemonSetNodes = {} } = context;
  const hasGivenNodes = (object: Manifest) =>
    Object.hasOwn(daemonSetNodes, formatStartupKey({ kind: object.kind, namespace: namespaceOf(object), name: nameOf(object) }));
  const daemonSets = context.input.filter((object) => isPlannedDaemonSet(object) && !hasGivenNodes(object)).length;
  if (daemonSets === 0) return [];
  return [noNodes.createFinding('none', { path: ROOT_PATH, data: { daemonSets } })];
}
