import { toFieldPath } from '../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../core/findings/finding';
import type { Finding } from '../../core/findings/finding';
import { groupOf, nameOf, getValueAt } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { toDisplayValue, formatDisplayValue } from '../../core/text/display-value';
import type { DisplayValue } from '../../core/text/display-value';

interface TargetData {
  readonly autoscaler: string;
  /** Unset if the target has none. */
  readonly apiVersion?: DisplayValue;
  readonly kind: string;
}

interface UnscalableData {
  readonly autoscaler: string;
  readonly kind: DisplayValue;
}

/** An autoscaler whose target does not exist. */
export const hpaWithoutTarget = defineRule({
  code: 'kubernetes/hpa-without-target',
  since: '0.1.0',
  severity: 'warning',
  fires:
    'A HorizontalPodAutoscaler targets a Deployment or StatefulSet without apiVersion or in a group that has no such kind, or a kind of apps that does not exist or cannot be scaled.',
  why:
    'The API server accepts a `scaleTargetRef` without apiVersion. The controller then looks for the kind in the core group, ' +
    'finds none (FailedGetScale) and never scales anything. It finds none in `extensions` either, ' +
    'from which Kubernetes 1.16 removed Deployments. Such an autoscaler does not count as the owner of the replicas.',
  fix: 'Add `apiVersion: apps/v1` to the scaleTargetRef.',
  example: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  selector:
    matchLabels:
      app: web
  template: {}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: web
spec:
  scaleTargetRef: { kind: Deployment, name: web }
  maxReplicas: 9
`,
  fixedExample: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  selector:
    matchLabels:
      app: web
  template: {}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: web
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web }
  maxReplicas: 9
`,
  messages: {
    noSuchKind: defineMessage<TargetData>({
      text: ({ autoscaler, apiVersion, kind }) =>
        `The scaleTargetRef of HorizontalPodAutoscaler "${autoscaler}" has ${apiVersion === undefined ? 'no apiVersion' : `apiVersion ${formatDisplayValue(apiVersion)}`} ` +
        `for its ${kind}. That group has no such kind, so the autoscaler never scales anything (FailedGetScale).`,
      help: () => 'Write apiVersion: apps/v1.',
      sample: { autoscaler: 'web', kind: 'Deployment' },
      variants: [{ autoscaler: 'web', kind: 'StatefulSet', apiVersion: 'extensions/v1beta1' }],
    }),
    notScalable: defineMessage<UnscalableData>({
      text: ({ autoscaler, kind }) =>
        `The scaleTargetRef of HorizontalPodAutoscaler "${autoscaler}" has kind ${formatDisplayValue(kind)}. ` +
        'The group apps has no kind of this name that can be scaled, so the autoscaler never scales anything (FailedGetScale).',
      help: () => 'Write Deployment, StatefulSet or ReplicaSet, as the target has it.',
      sample: { autoscaler: 'web', kind: 'deployment' },
      variants: [{ autoscaler: 'agent', kind: 'DaemonSet' }],
    }),
  },
});

/** Groups without Deployments and StatefulSets: the core group, which is the default for a missing apiVersion, and their former group. */
const GROUPS_WITHOUT_WORKLOADS = new Set(['', 'extensions']);

/**
 * Reports an autoscaler whose target is in a group that has no such kind, or is a kind of apps that has no scale.
 *
 * @param scaledWorkloads - the kinds of apps/v1 that have a scale subresource
 *
 * Source: k/k pkg/controller/podautoscaler/horizontal.go, `reconcileAutoscaler`: the kind is looked up only in that group.
 */
export function checkHpaWithoutTarget(autoscaler: Manifest, scaledWorkloads: readonly string[]): Finding[] {
  const target = getValueAt(autoscaler, 'spec', 'scaleTargetRef');
  const apiVersion = getValueAt(target, 'apiVersion') ?? '';
  const kind = getValueAt(target, 'kind');
  if (typeof kind !== 'string') return [];
  if (typeof apiVersion === 'string' && groupOf({ apiVersion }) === 'apps') {
    if (scaledWorkloads.includes(kind) || kind === 'ReplicaSet') return [];
    const unscalable = { autoscaler: nameOf(autoscaler), kind: toDisplayValue(kind) };
    return [hpaWithoutTarget.createFinding('notScalable', { path: toFieldPath`spec.scaleTargetRef.kind`, data: unscalable })];
  }
  if (!scaledWorkloads.includes(kind)) return [];
  if (typeof apiVersion !== 'string' || !GROUPS_WITHOUT_WORKLOADS.has(groupOf({ apiVersion }))) return [];
  const data = { autoscaler: nameOf(autoscaler), kind, ...(apiVersion !== '' && { apiVersion: toDisplayValue(apiVersion) }) };
  return [hpaWithoutTarget.createFinding('noSuchKind', { path: toFieldPath`spec.scaleTargetRef.apiVersion`, data })];
}
