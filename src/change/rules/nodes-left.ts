import { toFieldPath } from '../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../core/findings/finding';
import type { Finding } from '../../core/findings/finding';
import { getFieldsAt, getListAt, getOwnValue, getValueAt } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { isDeepEqual } from '../../core/collections/deep-equal';

interface NodesLeftData {
  /** Nodes that ran a pod before, and those that run one afterwards. @default - the nodes are not known */
  readonly nodes?: { readonly before: number; readonly after: number };
}

const POD_SPEC = ['spec', 'template', 'spec'] as const;

function render(spec: string): string {
  return `apiVersion: apps/v1
kind: DaemonSet
metadata: { name: agent, namespace: shop }
spec:
  updateStrategy: { type: OnDelete }
  selector: { matchLabels: { app: agent } }
  template:
    metadata: { labels: { app: agent } }
    spec: { ${spec}containers: [{ name: agent, image: "agent:1", readinessProbe: { tcpSocket: { port: 80 } } }] }
`;
}

function renderChange(spec: string): string {
  return `# rolloutkit plan --from old.yaml new.yaml
# old.yaml
${render('')}# new.yaml
${render(spec)}`;
}

/** A DaemonSet that leaves nodes, at once and whatever its strategy is. */
export const nodesLeft = defineRule({
  code: 'change/nodes-left',
  since: '0.1.0',
  severity: 'warning',
  fires:
    'A DaemonSet gets a nodeSelector, a node affinity, a node name or fewer tolerations, so that its pods may not run on nodes that have one.',
  why:
    'The controller deletes the pods on nodes that the new template excludes at once. That is no rollout: neither maxUnavailable nor OnDelete limits it. ' +
    'Pods on nodes with a taint NoSchedule that only the old template tolerates run until they are deleted, and no new one follows. ' +
    'Source: Kubernetes 1.36 pkg/controller/daemon/daemon_controller.go, `podsShouldBeOnNode`.',
  fix: 'Restore the old rules for nodes, or record the finding in a baseline if these nodes need no pod.',
  example: renderChange('nodeSelector: { disk: ssd }, '),
  fixedExample: renderChange(''),
  messages: {
    left: defineMessage<NodesLeftData>({
      text: ({ nodes }) =>
        `The new template excludes nodes that the old one allows${nodes ? ` (${nodes.before} before, ${nodes.after} afterwards)` : ''}: the controller deletes the pods on them at once, whatever updateStrategy says.`,
      help: () => 'Restore nodeSelector, nodeAffinity, nodeName and tolerations of the old template, unless these nodes need no pod.',
      sample: {},
      variants: [{ nodes: { before: 6, after: 2 } }],
    }),
    untolerated: defineMessage<NodesLeftData>({
      text: ({ nodes }) =>
        `The new template does not tolerate taints with the effect NoSchedule that the old one tolerates${nodes ? ` (${nodes.before} nodes before, ${nodes.after} afterwards)` : ''}: pods on nodes with such a taint run until they are deleted, as the rollout does, and no new pod follows there.`,
      help: () => 'Restore the tolerations of the old template, unless these nodes need no pod.',
      sample: {},
      variants: [{ nodes: { before: 6, after: 2 } }],
    }),
  },
});

/** Returns the node affinity that the scheduler requires. */
function getRequiredAffinity(object: Manifest): unknown {
  return getValueAt(object, ...POD_SPEC, 'affinity', 'nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution');
}

function hasSelectorOf(object: Manifest, other: Manifest): boolean {
  const own = getFieldsAt(object, ...POD_SPEC, 'nodeSelector');
  return Object.entries(getFieldsAt(other, ...POD_SPEC, 'nodeSelector')).every(([key, value]) => getOwnValue(own, key) === value);
}

/** Returns the tolerations of an object that another one lacks, without those of taints that only the order of nodes depends on. */
function listLostTolerations(object: Manifest, other: Manifest): readonly unknown[] {
  const kept = getListAt(other, ...POD_SPEC, 'tolerations');
  return getListAt(object, ...POD_SPEC, 'tolerations').filter(
    (one) => getValueAt(one, 'effect') !== 'PreferNoSchedule' && !kept.some((toleration) => isDeepEqual(toleration, one)),
  );
}

/** Reports whether the fields show, whatever the taints are, that each node that a template allows is one that another allows too. */
function isSelectedWithin(object: Manifest, other: Manifest): boolean {
  const [affinity, allowed] = [object, other].map(getRequiredAffinity);
  const [name, allowedName] = [object, other].map((one) => getValueAt(one, ...POD_SPEC, 'nodeName'));
  const isAffinityWithin = allowed === undefined || isDeepEqual(affinity, allowed);
  const isNameWithin = allowedName === undefined || name === allowedName;
  return isAffinityWithin && isNameWithin && hasSelectorOf(object, other);
}

function isWithin(object: Manifest, other: Manifest): boolean {
  return isSelectedWithin(object, other) && listLostTolerations(object, other).length === 0;
}

/**
 * Reports a DaemonSet whose new template excludes nodes of the old one.
 *
 * @param nodes - the nodes that the templates allow. @default - the nodes are not known
 */
export function checkNodesLeft(old: Manifest, next: Manifest, nodes: NodesLeftData['nodes']): Finding[] {
  if (isWithin(old, next) || nodes?.before === 0) return [];
  if (nodes && nodes.before === nodes.after && isWithin(next, old)) return [];
  const lost = listLostTolerations(old, next);
  const isUntolerated = isSelectedWithin(old, next) && lost.every((one) => getValueAt(one, 'effect') === 'NoSchedule');
  return [
    nodesLeft.createFinding(isUntolerated ? 'untolerated' : 'left', {
      path: toFieldPath`spec.template.spec`,
      data: nodes ? { nodes } : {},
    }),
  ];
}
