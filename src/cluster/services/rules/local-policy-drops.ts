import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding, Source } from '../../../core/findings/finding';
import { toFieldPath } from '../../../core/manifest/field-path';
import { describeObject, getValueAt } from '../../../core/manifest/manifest';
import type { Manifest } from '../../../core/manifest/manifest';
import { pluralize } from '../../../core/text/text-format';
import { isHeadless } from '../endpoints';
import { isLimitedToNodes } from '../service-members';
import type { ServiceMember } from '../service-members';
import { renderServiceExample, SERVICE_SELECTOR } from './examples';

interface PodsData {
  /** The Service: `Service shop/api`. */
  readonly service: string;
  /** Pods that it selects. */
  readonly pods: number;
}

interface NodesData extends PodsData {
  /** Nodes in view. */
  readonly nodes: number;
}

const CURE =
  'Use internalTrafficPolicy Cluster, with trafficDistribution PreferSameNode (Kubernetes 1.34) to prefer pods of the same node.';

/** Reports Services that drop the requests of nodes without a pod. */
export const localPolicyDrops = defineRule({
  code: 'kubernetes/local-policy-drops',
  since: '0.1.0',
  severity: ['warning', 'info'],
  fires: 'A Service with internalTrafficPolicy Local selects fewer pods than there are nodes.',
  why:
    'With this policy a proxy only uses pods of its own node. On a node without a ready pod, it drops the requests while other nodes have pods, ' +
    'so that clients wait until their own timeout. It is an info if no nodes are in view. ' +
    'The rule is silent for a DaemonSet on all nodes. Source: Kubernetes 1.34, pkg/proxy/topology.go, `CategorizeEndpoints`.',
  fix: 'Remove the policy, or run a pod on each node with a DaemonSet.',
  example: renderServiceExample(`${SERVICE_SELECTOR}\n  internalTrafficPolicy: Local\n  ports: [{ port: 80, targetPort: http }]`),
  fixedExample: renderServiceExample(`${SERVICE_SELECTOR}\n  ports: [{ port: 80, targetPort: http }]`),
  messages: {
    nodes: defineMessage<NodesData>({
      text: ({ service, pods, nodes }) =>
        `internalTrafficPolicy Local: with ${pluralize(pods, 'pod')} on ${pluralize(nodes, 'node')}, at least ` +
        `${pluralize(nodes - pods, 'node')} ${nodes - pods === 1 ? 'drops' : 'drop'} requests to ${service}.`,
      help: () => CURE,
      sample: { service: 'Service shop/api', pods: 3, nodes: 10 },
    }),
    noNodes: defineMessage<PodsData>({
      text: ({ service, pods }) =>
        `internalTrafficPolicy Local: every node without one of the ${pluralize(pods, 'pod')} drops requests to ${service}.`,
      help: () => CURE,
      sample: { service: 'Service shop/api', pods: 3 },
    }),
  },
});

/**
 * Reports a Service whose policy makes nodes drop requests.
 *
 * @param nodes nodes in view; 0 if none are
 */
export function checkLocalPolicyDrops(
  service: Manifest,
  members: readonly ServiceMember[],
  nodes: number,
  locate: (object: object, path: string) => Source | undefined,
): Finding[] {
  if (getValueAt(service, 'spec', 'internalTrafficPolicy') !== 'Local' || isHeadless(service) || members.length === 0) return [];
  if (members.some(({ isOnePerNode, template }) => isOnePerNode && (nodes === 0 || !isLimitedToNodes(template)))) return [];
  const pods = members.reduce((sum, member) => sum + member.pods, 0);
  const path = toFieldPath`spec.internalTrafficPolicy`;
  const source = locate(service, path);
  const occurrence = { path, ...(source && { source }) };
  const data = { service: describeObject(service), pods };
  if (nodes === 0) return [localPolicyDrops.createFinding('noNodes', { ...occurrence, severity: 'info', data })];
  return pods >= nodes ? [] : [localPolicyDrops.createFinding('nodes', { ...occurrence, data: { ...data, nodes } })];
}
