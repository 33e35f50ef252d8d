import { ROOT_PATH } from '../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../core/findings/finding';
import type { Finding, Source } from '../../core/findings/finding';
import { joinTruncatedNames, truncateNames } from '../../core/text/text-format';

/** Why a change of a Node, or of what creates Nodes, removes pods that run on them. */
export type EvictionCause =
  | { readonly kind: 'poolDrifts' }
  | { readonly kind: 'nodeDeleted' | 'poolDeleted'; readonly isBeingDeleted?: true }
  | { readonly kind: 'tainted'; readonly taints: readonly string[] }
  | { readonly kind: 'relabeled'; readonly labels: readonly string[] };

interface NodeData {
  /** `Node a` or `NodePool spot` */
  readonly object: string;
}

interface DeletedData extends NodeData {
  /** Whether the cluster is deleting it already. @default - the apply deletes it */
  readonly isBeingDeleted?: true;
}

interface TaintData extends NodeData {
  /** New taints, without their effect: `gpu=false`. */
  readonly taints: readonly string[];
}

interface LabelsData extends NodeData {
  /** Names of the labels that differ. */
  readonly labels: readonly string[];
}

function render(spec: string): string {
  return `apiVersion: v1
kind: Node
metadata: { name: a }
spec: { ${spec}}
`;
}

function renderChange(spec: string): string {
  return `# rolloutkit plan --from old.yaml new.yaml
# old.yaml
${render('')}# new.yaml
${render(spec)}`;
}

function listNames(names: readonly string[]): string {
  return joinTruncatedNames(truncateNames(names));
}

/** A change of Nodes that removes the pods that run on them. */
export const podsEvicted = defineRule({
  code: 'change/pods-evicted',
  since: '0.1.0',
  severity: ['warning', 'info'],
  fires:
    'The apply or already the cluster deletes a Node or a NodePool of Karpenter, a Node gets a taint with the effect NoExecute or other labels, or the template of a NodePool differs.',
  why:
    'Pods are removed from a Node that is deleted or gets such a taint, and no rollout limits how many at once. ' +
    'Controllers of DaemonSets delete their pods on a Node whose labels no longer match. ' +
    'The number of these pods is not in the plan, since manifests do not show where pods run. ' +
    'Source: Kubernetes 1.36 pkg/controller/podgc/gc_controller.go, pkg/controller/tainteviction, pkg/controller/daemon; Karpenter 1.6 pkg/controllers/nodeclaim/disruption/drift.go.',
  fix: 'Drain the node first, so that PodDisruptionBudgets are respected: `kubectl drain NODE`.',
  example: renderChange('taints: [{ key: gpu, value: "false", effect: NoExecute }] '),
  fixedExample: renderChange('taints: [{ key: gpu, value: "false", effect: NoSchedule }] '),
  messages: {
    nodeDeleted: defineMessage<DeletedData>({
      text: ({ object, isBeingDeleted }) =>
        `${isBeingDeleted ? 'The cluster is deleting' : 'The apply deletes'} ${object}: the garbage collector of pods deletes all pods on it about a minute ${isBeingDeleted ? 'after its finalizers are removed' : 'later'}, without a grace period and whatever PodDisruptionBudgets say.${isBeingDeleted ? ' The plan puts no new pods on it, except those of DaemonSets.' : ''}`,
      help: ({ object, isBeingDeleted }) =>
        isBeingDeleted ? `Drain ${object} now: kubectl drain` : `Keep ${object}, or drain it before: kubectl drain`,
      sample: { object: 'Node a' },
      variants: [{ object: 'Node a', isBeingDeleted: true }],
    }),
    poolDeleted: defineMessage<DeletedData>({
      text: ({ object, isBeingDeleted }) =>
        `${isBeingDeleted ? 'The cluster is deleting' : 'The apply deletes'} ${object}: Karpenter drains all of its nodes and deletes them.`,
      help: ({ object, isBeingDeleted }) =>
        isBeingDeleted ? `Wait until ${object} is gone, and read OLD again.` : `Keep ${object} until its nodes have been replaced.`,
      sample: { object: 'NodePool spot' },
      variants: [{ object: 'NodePool spot', isBeingDeleted: true }],
    }),
    poolDrifts: defineMessage<NodeData>({
      text: ({ object }) =>
        `The template of ${object} differs: Karpenter replaces its nodes that no longer match, and evicts the pods on them as spec.disruption.budgets allows.`,
      help: () => 'Check spec.disruption.budgets, which limits how many nodes are replaced at once.',
      sample: { object: 'NodePool spot' },
    }),
    tainted: defineMessage<TaintData>({
      text: ({ object, taints }) =>
        `${object} gets the ${taints.length === 1 ? 'taint' : 'taints'} ${listNames(taints)} with the effect NoExecute: pods on it that do not tolerate this are deleted at once, whatever PodDisruptionBudgets say.`,
      help: () => 'Use the effect NoSchedule, and drain the node.',
      sample: { object: 'Node a', taints: ['gpu=false'] },
      variants: [{ object: 'Node a', taints: ['gpu=false', 'old'] }],
    }),
    relabeled: defineMessage<LabelsData>({
      text: ({ object, labels }) =>
        `The labels of ${object} differ (${listNames(labels)}): a DaemonSet that selects nodes by them loses or gets a pod there at once.`,
      help: () => 'Check the nodeSelector and the node affinity of DaemonSets.',
      sample: { object: 'Node a', labels: ['disk'] },
      variants: [{ object: 'Node a', labels: ['disk', 'zone'] }],
    }),
  },
});

/** Creates the finding about a change of Nodes that removes their pods. */
export function createPodsEvictedFinding(
  object: string,
  cause: EvictionCause,
  source: Source | undefined,
  severity: 'warning' | 'info',
): Finding {
  const at = { path: ROOT_PATH, severity, ...(source && { source }) };
  if (cause.kind === 'tainted') return podsEvicted.createFinding('tainted', { ...at, data: { object, taints: cause.taints } });
  if (cause.kind === 'relabeled') return podsEvicted.createFinding('relabeled', { ...at, data: { object, labels: cause.labels } });
  if (cause.kind === 'poolDrifts') return podsEvicted.createFinding('poolDrifts', { ...at, data: { object } });
  return podsEvicted.createFinding(cause.kind, { ...at, data: { object, ...(cause.isBeingDeleted && { isBeingDeleted: true as const }) } });
}
