import { suggestAutomaticFix, setField, getSiblingPath } from '../../../core/findings/suggested-fix';
import { findOwnNodeReason } from '../../../cluster/capacity/nodes/scheduling';
import type { PodSet } from '../../../cluster/rollout/pod-set';
import { toFieldPath } from '../../../core/manifest/field-path';
import type { Finding } from '../../../core/findings/finding';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import { pluralize } from '../../../core/text/text-format';

interface HostPortData {
  /** The reason why a second pod does not fit on a node. */
  readonly reason: NonNullable<ReturnType<typeof findOwnNodeReason>>;
  readonly surge: number;
  /** The maxUnavailable that lets the rollout progress without surge. @default 1 */
  readonly inPlace?: number;
}

/** Reports surge on nodes that have no space for a second pod. */
export const daemonSetSurgeHostPort = defineRule({
  code: 'kubernetes/daemonset-surge-host-port',
  since: '0.1.0',
  severity: 'error',
  fires: 'A DaemonSet surges, but no two of its pods fit on one node: they use a port of the node, or have required anti-affinity.',
  why:
    'With maxSurge the new pod is created on the node of the old one and must be ready before the old one is deleted. ' +
    'Only one pod can use a port of the node (`hostPort`, or every container port with `hostNetwork`), ' +
    'so the new pod stays Pending and the old one is never deleted: the rollout deadlocks at its first wave. ' +
    'The API server accepts such a DaemonSet.',
  fix: 'Delete the old pod first: set `maxUnavailable: 1` and `maxSurge: 0`, which are the defaults.',
  example: `apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: agent
spec:
  updateStrategy:
    rollingUpdate: { maxSurge: 1, maxUnavailable: 0 }
  selector:
    matchLabels:
      app: agent
  template:
    metadata:
      labels:
        app: agent
    spec:
      containers: [{ name: agent, image: agent:2, ports: [{ containerPort: 9100, hostPort: 9100 }] }]
`,
  fixedExample: `apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: agent
spec:
  updateStrategy:
    rollingUpdate: { maxSurge: 0, maxUnavailable: 1 }
  selector:
    matchLabels:
      app: agent
  template:
    metadata:
      labels:
        app: agent
    spec:
      containers: [{ name: agent, image: agent:2, ports: [{ containerPort: 9100, hostPort: 9100 }] }]
`,
  messages: {
    onePodPerNode: defineMessage<HostPortData>({
      text: ({ reason, surge }) =>
        `maxSurge allows ${surge === 0 ? 'nodes' : pluralize(surge, 'node')} to run two pods, but no two of these pods fit on one node (${reason}): ` +
        'the new pod stays Pending, the old one is never deleted, and the rollout deadlocks at wave 1.',
      help: ({ inPlace = 1 }) => `Write maxSurge: 0 and maxUnavailable: ${inPlace}.`,
      suggestedFix: ({ inPlace = 1 }, path) =>
        suggestAutomaticFix(setField(path, 0), setField(getSiblingPath(path, 'maxUnavailable'), inPlace)),
      sample: { reason: 'a hostPort', surge: 1 },
    }),
  },
});

/** Reports a DaemonSet that surges although no two of its pods fit on one node. */
export function checkDaemonSetSurgeHostPort(pods: PodSet, surge: number, inPlace: number): Finding[] {
  const reason = findOwnNodeReason(pods);
  if (reason === undefined) return [];
  return [
    daemonSetSurgeHostPort.createFinding('onePodPerNode', {
      path: toFieldPath`spec.updateStrategy.rollingUpdate.maxSurge`,
      data: { reason, surge, ...(inPlace > 1 && { inPlace }) },
    }),
  ];
}
