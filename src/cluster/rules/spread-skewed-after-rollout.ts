import { toFieldPath } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../core/findings/finding';
import type { Finding } from '../../core/findings/finding';
import { matchesLabelSelector } from '../../core/values/label-selector';
import { getListAt, getValueAt } from '../../core/manifest/manifest';
import { SPREAD_LABEL_KEYS_SINCE, supportsSpreadLabelKeys } from '../kinds/versions';
import { templateLocationOf } from '../rollout/workload';
import type { BudgetedPods } from '../rollout/pod-groups';
import type { Workload } from '../rollout/workload';
import { READY_WEB, renderDeploymentOf } from '../pods/rules/examples';

interface SkewedData {
  readonly topologyKey: string;
  readonly maxSkew: number;
  /** Label that distinguishes the pods of a revision. */
  readonly revisionLabel: string;
  /** First version that keeps matchLabelKeys, if the planned one drops it. */
  readonly keysSince?: string;
}

function buildExample(matchLabelKeys: string): string {
  const podSpec = `      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: DoNotSchedule
          labelSelector: { matchLabels: { app: web } }${matchLabelKeys}
`;
  return renderDeploymentOf({ replicas: 5, containers: READY_WEB, podSpec });
}

/** Reports a hard spread constraint that counts the pods of both revisions of a rollout. */
export const spreadSkewedAfterRollout = defineRule({
  code: 'kubernetes/spread-skewed-after-rollout',
  since: '0.1.0',
  severity: 'info',
  fires: 'A hard topology spread constraint counts old and new pods of a rollout together.',
  why:
    'The scheduler checks the constraint when it places a pod, and counts the old pods that still run. ' +
    'When the controller deletes them afterwards, nothing checks it again. ' +
    'The new pods of 3 nodes may end as 3, 1 and 1, although maxSkew is 1. ' +
    'With `matchLabelKeys`, which is on by default since Kubernetes 1.27, only pods of the same revision count.',
  fix: 'Add `matchLabelKeys: [pod-template-hash]` to the constraint of a Deployment.',
  example: buildExample(''),
  fixedExample: buildExample('\n          matchLabelKeys: [pod-template-hash]'),
  messages: {
    countsOldPods: defineMessage<SkewedData>({
      text: ({ topologyKey, maxSkew }) =>
        `The spread constraint on ${topologyKey} counts old and new pods together: after the rollout, the new pods may differ by more than maxSkew ${maxSkew}.`,
      help: ({ revisionLabel, keysSince }) =>
        `Add matchLabelKeys: [${revisionLabel}] to the constraint, so that only pods of the same revision count${keysSince === undefined ? '' : `, once the cluster has Kubernetes ${keysSince}: earlier ones drop the field`}.`,
      sample: { topologyKey: 'kubernetes.io/hostname', maxSkew: 1, revisionLabel: 'pod-template-hash' },
      variants: [{ topologyKey: 'kubernetes.io/hostname', maxSkew: 1, revisionLabel: 'pod-template-hash', keysSince: '1.27' }],
    }),
  },
});

/** The pods of a template, and its location. */
type SpreadPods = Pick<BudgetedPods, 'template' | 'replicas' | 'revisionLabel' | 'onePerNode' | 'rollout'> &
  Partial<Pick<Workload, 'locateTemplate'>>;

/**
 * Reports whether a rollout keeps its new pods within maxSkew. Without a surge an old pod is deleted before its successor is created, and the
 * scheduler counts no pod that is being deleted: under maxSkew 1 the successor takes the emptiest place, and if all old pods go first, only new
 * ones are counted.
 */
function keepsMaxSkew({ replicas, rollout }: SpreadPods, maxSkew: number): boolean {
  return rollout?.surge === 0 && (maxSkew === 1 || (rollout.unavailable ?? 0) >= replicas);
}

/**
 * Reports hard spread constraints that count old and new pods together. A single pod has no skew.
 *
 * @param unevenTopologies the topology keys by which the pods can be uneven. @default - the nodes are not known
 */
export function checkSpreadSkewedAfterRollout(
  pods: SpreadPods,
  podPath: FieldPath,
  kubernetesVersion: string,
  unevenTopologies?: ReadonlySet<string>,
): Finding[] {
  const { template, replicas, revisionLabel, onePerNode } = pods;
  if (revisionLabel === undefined || onePerNode || replicas < 2) return [];
  const keepsKeys = supportsSpreadLabelKeys(kubernetesVersion);
  return getListAt(template.spec, 'topologySpreadConstraints').flatMap((constraint, index) => {
    const [topologyKey, maxSkew] = [getValueAt(constraint, 'topologyKey'), getValueAt(constraint, 'maxSkew')];
    if (getValueAt(constraint, 'whenUnsatisfiable') !== 'DoNotSchedule' || typeof topologyKey !== 'string') return [];
    if (unevenTopologies?.has(topologyKey) === false) return [];
    if (keepsKeys && getListAt(constraint, 'matchLabelKeys').includes(revisionLabel)) return [];
    if (!matchesLabelSelector(getValueAt(constraint, 'labelSelector'), getValueAt(template, 'metadata', 'labels'))) return [];
    const data = {
      topologyKey,
      maxSkew: typeof maxSkew === 'number' ? maxSkew : 1,
      revisionLabel,
      ...(!keepsKeys && { keysSince: SPREAD_LABEL_KEYS_SINCE }),
    };
    if (replicas <= data.maxSkew || keepsMaxSkew(pods, data.maxSkew)) return [];
    const path = toFieldPath`${podPath}.topologySpreadConstraints[${index}]`;
    return [spreadSkewedAfterRollout.createFinding('countsOldPods', { ...templateLocationOf(pods, path), data })];
  });
}
