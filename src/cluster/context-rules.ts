import type { Finding } from '../core/finding';
import { fieldPathParts } from '../core/field-path';
import { valueAt } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import type { Shape } from '../core/shape';
import type { PlanContext } from './context';
import { horizontalAutoscalerFindings } from './autoscaler-rules';
import { bothLimitsFindings } from './disruption-budget';
import { intOrPercentFindings, negativeFindings, typeFindings } from './numbers';

/** An object that rollouts are planned among, and its fields that count for them. */
interface ContextKind {
  readonly group: string;
  readonly kind: string;
  readonly shape: Shape;
  /** Fields that take a whole number or a percentage of at most 100. */
  readonly limits?: readonly string[];
  /** Fields that take a whole number of at least 0. */
  readonly counts?: readonly string[];
  /** What else the API server of a version refuses, or what does nothing. */
  readonly furtherFindings?: (object: Manifest, version: string) => Finding[];
}

const METADATA: Shape = { metadata: 'map', 'metadata.name': 'string', 'metadata.namespace': 'string' };

const CONTEXT_KINDS: readonly ContextKind[] = [
  {
    group: 'policy',
    kind: 'PodDisruptionBudget',
    shape: {
      ...METADATA,
      spec: 'map',
      'spec.selector': 'map',
      'spec.selector.matchLabels': 'string-map',
      'spec.selector.matchExpressions': 'list',
      'spec.minAvailable': 'int-or-percent',
      'spec.maxUnavailable': 'int-or-percent',
    },
    limits: ['spec.minAvailable', 'spec.maxUnavailable'],
    furtherFindings: bothLimitsFindings,
  },
  {
    group: 'autoscaling',
    kind: 'HorizontalPodAutoscaler',
    shape: { ...METADATA, spec: 'map', 'spec.scaleTargetRef': 'map', 'spec.minReplicas': 'int32', 'spec.maxReplicas': 'int32' },
    furtherFindings: horizontalAutoscalerFindings,
  },
  {
    group: 'keda.sh',
    kind: 'ScaledObject',
    shape: { ...METADATA, spec: 'map', 'spec.scaleTargetRef': 'map', 'spec.minReplicaCount': 'int32', 'spec.maxReplicaCount': 'int32' },
    counts: ['spec.minReplicaCount', 'spec.maxReplicaCount'],
  },
  {
    group: '',
    kind: 'ResourceQuota',
    shape: {
      ...METADATA,
      spec: 'map',
      'spec.hard': 'map',
      'spec.scopes': 'list',
      'spec.scopeSelector': 'map',
      'spec.scopeSelector.matchExpressions': 'list',
    },
  },
  { group: '', kind: 'PersistentVolumeClaim', shape: { ...METADATA, spec: 'map', 'spec.accessModes': 'list' } },
];

/** What the API server refuses in budgets, autoscalers, quotas and claims, as far as they count for a rollout. */
export function contextFindings(context: PlanContext): Finding[] {
  return CONTEXT_KINDS.flatMap(({ group, kind, shape, limits = [], counts = [], furtherFindings = () => [] }) =>
    context.ofKind(group, kind).flatMap((object) => {
      const at = (path: string) => valueAt(object, ...fieldPathParts(path));
      const findings = [
        ...typeFindings(object, shape),
        ...limits.flatMap((path) => intOrPercentFindings(at(path), path, 'at most 100%')),
        ...counts.flatMap((path) => negativeFindings(at(path), path)),
        ...furtherFindings(object, context.versions.kubernetes),
      ];
      return findings.map((finding) => {
        const source = context.locate(object, finding.path);
        return source ? { ...finding, source } : finding;
      });
    }),
  );
}
