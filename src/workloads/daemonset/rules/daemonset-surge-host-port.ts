import { suggestAutomaticFix, setField, getSiblingPath } from '../../../core/suggested-fix';
import { findOwnNodeReason } from '../../../cluster/capacity/scheduling';
import type { PodSet } from '../../../cluster/workload';
import { toFieldPath } from '../../../core/field-path';
import type { Finding } from '../../../core/finding';
import { defineMessage, defineRule } from '../../../core/finding';
import { pluralize } from '../../../core/text-format';

interface HostPortData {
  /** Why no second pod fits on a node. */
  readonly reason: NonNullable<ReturnType<typeof findOwnNodeReason>>;
  readonly surge: number;
  /** Nodes to leave without a pod at once, so that the rollout moves without surge. @default 1 */
  readonly inPlace?: number;
}

/** Surge where no second pod fits on a node. */
export const daemonSetSurgeHostPort = defineRule({
  code: 'kubernetes/daemonset-surge-host-port',
  since: '0.1.0',
  severity: 'error',
  fires: 'A DaemonSet surges, and no two of its pods fit on one node: they take a port of the node, or keep each other off.',
  why:
    'With maxSurge the new pod comes to the node of the old one and has to be ready before the old one goes. ' +
    'A port of the node (`hostPort`, or every container port with `hostNetwork`) can be taken once, ' +
    'so the new pod stays Pending and the old one never goes: the rollout stands still at its first wave. ' +
    'The API server accepts such a DaemonSet.',
  fix: 'Let the old pod go first: `maxUnavailable: 1` and `maxSurge: 0`, which are the defaults.',
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
      text: ({ reason: because, surge }) =>
        `maxSurge lets ${surge === 0 ? 'nodes' : pluralize(surge, 'node')} have two pods, but no two of these pods fit on one node (${because}): ` +
        'the new pod stays Pending, the old one never goes, and the rollout stands still at wave 1 for good.',
      help: ({ inPlace = 1 }) => `Write maxSurge: 0 and maxUnavailable: ${inPlace}.`,
      suggestedFix: ({ inPlace = 1 }, path) =>
        suggestAutomaticFix(setField(path, 0), setField(getSiblingPath(path, 'maxUnavailable'), inPlace)),
      sample: { reason: 'a hostPort', surge: 1 },
    }),
  },
});

/** A DaemonSet that surges with pods of which no two fit on one node. */
export function checkDaemonSetSurgeHostPort(pods: PodSet, surge: number, inPlace: number): Finding[] {
  const because = findOwnNodeReason(pods);
  if (because === undefined) return [];
  return [
    daemonSetSurgeHostPort.createFinding('onePodPerNode', {
      path: toFieldPath`spec.updateStrategy.rollingUpdate.maxSurge`,
      data: { reason: because, surge, ...(inPlace > 1 && { inPlace }) },
    }),
  ];
}
