import { plainly, set, siblingPath } from '../../../core/advice';
import { oneNodeEach } from '../../../cluster/room/scheduling';
import type { PodSet } from '../../../cluster/workload';
import { at } from '../../../core/field-path';
import type { Finding } from '../../../core/finding';
import { message, rule } from '../../../core/finding';
import { counted } from '../../../core/words';

interface HostPortData {
  /** Why no second pod fits on a node. */
  readonly because: NonNullable<ReturnType<typeof oneNodeEach>>;
  readonly surge: number;
  /** Nodes to leave without a pod at once, so that the rollout moves without surge. @default 1 */
  readonly inPlace?: number;
}

/** Surge where no second pod fits on a node. */
export const surgeHostPort = rule({
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
  fixed: `apiVersion: apps/v1
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
    apart: message<HostPortData>({
      text: ({ because, surge }) =>
        `maxSurge lets ${surge === 0 ? 'nodes' : counted(surge, 'node')} have two pods, but no two of these pods fit on one node (${because}): ` +
        'the new pod stays Pending, the old one never goes, and the rollout stands still at wave 1 for good.',
      help: ({ inPlace = 1 }) => `Write maxSurge: 0 and maxUnavailable: ${inPlace}.`,
      advice: ({ inPlace = 1 }, path) => plainly(set(path, 0), set(siblingPath(path, 'maxUnavailable'), inPlace)),
      sample: { because: 'a hostPort', surge: 1 },
    }),
  },
});

/** A DaemonSet that surges with pods of which no two fit on one node. */
export function surgeHostPortFindings(pods: PodSet, surge: number, inPlace: number): Finding[] {
  const because = oneNodeEach(pods);
  if (because === undefined) return [];
  return [
    surgeHostPort.finding('apart', {
      path: at`spec.updateStrategy.rollingUpdate.maxSurge`,
      data: { because, surge, ...(inPlace > 1 && { inPlace }) },
    }),
  ];
}
