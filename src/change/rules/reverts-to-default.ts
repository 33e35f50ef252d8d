import { adviseOnReplicas } from '../../appliers/advice';
import type { AdvisedObject } from '../../appliers/advice';
import type { ApplyMode, ApplyTool } from '../../core/document/change';
import { toFieldPath } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import { defineMessage, defineRule } from '../../core/findings/finding';
import { getValueAt, nameOf, namespaceOf } from '../../core/manifest/manifest';
import { toDisplayValue, formatDisplayValue } from '../../core/text/display-value';
import type { DisplayValue } from '../../core/text/display-value';
import { pluralize } from '../../core/text/text-format';
import { autoscalerOf } from '../../cluster/autoscaling/autoscaler';
import type { PlanContext } from '../../cluster/context/context';
import type { ObjectComparison } from '../compare/object-comparison';
import { toSafeNumber, toSafeText } from '../../core/text/value-text';

interface ReplicasData {
  /** Pods before the apply. */
  readonly replicas: number;
  /** `HorizontalPodAutoscaler "web"` */
  readonly autoscaler?: string;
  /** How NEW is applied. */
  readonly apply: ApplyMode;
  /** Tool that applies NEW. */
  readonly tool: ApplyTool;
  /** The object that is applied. */
  readonly applied: AdvisedObject;
}

interface LimitData {
  /** The old value. */
  readonly maxUnavailable: unknown;
  /** The value that the API server fills in. */
  readonly defaultValue: unknown;
}

/** What goes wrong once the default replaces the value of the manifest. */
const HARM_MESSAGES = {
  'two-versions': 'pods of both versions run at the same time',
  unwatched: 'a new pod counts as available as soon as it is ready, so a rollout no longer waits to see whether it stays ready',
  'killed-sooner': 'a pod that shuts down gets less time, and requests that it still handles are cut off',
  released: 'pods that were kept on the old template are replaced',
} as const;

type Harm = keyof typeof HARM_MESSAGES;

interface DefaultData {
  readonly field: string;
  /** The value that the server stored before. */
  readonly before: DisplayValue;
  /** The value that the server fills in. */
  readonly after: DisplayValue;
  readonly harm: Harm;
}

const OLD_EXAMPLE = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 9
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers: [{ name: web, image: web:1, readinessProbe: { httpGet: { path: /, port: 80 } } }]
`;

const WEB = { kind: 'Deployment', name: 'web' };

/** A field that NEW no longer sets and whose default does harm. */
export const revertsToDefault = defineRule({
  code: 'change/reverts-to-default',
  since: '0.1.0',
  severity: 'warning',
  fires:
    'NEW no longer sets a field that the apply then deletes, and the default has consequences: replicas becomes 1, maxUnavailable 25%, ' +
    'type RollingUpdate, partition and minReadySeconds 0, terminationGracePeriodSeconds 30.',
  why:
    'The apply deletes what was applied before and is no longer set, and the API server fills in the default. So a Deployment whose replicas are ' +
    'handed over to an autoscaler first drops to one pod, under load.',
  fix: 'Delete the field from the last applied configuration with `kubectl apply edit-last-applied` before you delete it from the manifest.',
  example: `# rolloutkit plan --from old.yaml new.yaml
# old.yaml
${OLD_EXAMPLE}# new.yaml
${OLD_EXAMPLE.replace('  replicas: 9\n', '')}`,
  fixedExample: `# rolloutkit plan --from old.yaml new.yaml
# old.yaml
${OLD_EXAMPLE}# new.yaml
${OLD_EXAMPLE.replace('web:1', 'web:2')}`,
  messages: {
    replicas: defineMessage<ReplicasData>({
      text: ({ replicas, autoscaler, apply }) =>
        `spec.replicas is ${apply === 'replace' ? 'not set, and a PUT restores the default 1' : 'no longer set, so the apply deletes it and the default 1 returns'}: ` +
        `${pluralize(replicas, 'pod')} before, 1 after` +
        (autoscaler === undefined ? '.' : `, until ${autoscaler} scales up again.`),
      help: ({ autoscaler, tool, applied }) =>
        autoscaler === undefined ? 'Keep spec.replicas, or write 1 if that is intended.' : adviseOnReplicas(tool, applied),
      sample: { replicas: 9, autoscaler: 'HorizontalPodAutoscaler "web"', apply: 'client', tool: 'kubectl', applied: WEB },
      variants: [
        { replicas: 3, apply: 'client', tool: 'kubectl', applied: WEB },
        { replicas: 9, autoscaler: 'HorizontalPodAutoscaler "web"', apply: 'server', tool: 'kubectl-server-side', applied: WEB },
        { replicas: 9, autoscaler: 'HorizontalPodAutoscaler "web"', apply: 'helm', tool: 'helm-3', applied: WEB },
        { replicas: 9, autoscaler: 'HorizontalPodAutoscaler "web"', apply: 'replace', tool: 'kubectl-replace', applied: WEB },
        { replicas: 9, autoscaler: 'HorizontalPodAutoscaler "web"', apply: 'flux', tool: 'flux', applied: WEB },
        { replicas: 9, autoscaler: 'HorizontalPodAutoscaler "web"', apply: 'argocd', tool: 'argo-cd', applied: WEB },
        { replicas: 9, autoscaler: 'HorizontalPodAutoscaler "web"', apply: 'pulumi', tool: 'pulumi', applied: WEB },
      ],
    }),
    'max-unavailable': defineMessage<LimitData>({
      text: ({ maxUnavailable, defaultValue }) =>
        `maxUnavailable is no longer set, so the apply deletes it and the default returns: ${toSafeText(maxUnavailable)} before, ${toSafeText(defaultValue)} after.`,
      help: ({ maxUnavailable }) => `Keep maxUnavailable: ${toSafeText(maxUnavailable)} in the strategy.`,
      sample: { maxUnavailable: 0, defaultValue: '25%' },
    }),
    default: defineMessage<DefaultData>({
      text: ({ field, before, after, harm }) =>
        `${field} is no longer set, so the apply deletes it and the default returns (${formatDisplayValue(before)} before, ${formatDisplayValue(after)} after): ${HARM_MESSAGES[harm]}.`,
      help: ({ field, before }) => `Keep ${field}: ${formatDisplayValue(before)}, or write the new value if it is intended.`,
      sample: { field: 'minReadySeconds', before: 30, after: 0, harm: 'unwatched' },
      variants: [
        { field: 'type', before: 'Recreate', after: 'RollingUpdate', harm: 'two-versions' },
        { field: 'terminationGracePeriodSeconds', before: 120, after: 30, harm: 'killed-sooner' },
        { field: 'partition', before: 3, after: 0, harm: 'released' },
      ],
    }),
  },
});

const MAX_UNAVAILABLE_PATH = ['strategy', 'rollingUpdate', 'maxUnavailable'] as const;

function isZero(limit: unknown): boolean {
  return limit === 0 || limit === '0%';
}

interface HarmfulDefault {
  readonly path: FieldPath;
  readonly fields: readonly string[];
  readonly harm: Harm;
  /** Reports whether it does harm that the default replaces the old value. */
  readonly isHarmful: (before: unknown, after: unknown) => boolean;
}

const isLess = (before: unknown, after: unknown) => toSafeNumber(after ?? 0) < toSafeNumber(before ?? 0);

/** More fields whose default does harm. A removed probe has no default: another rule reports pods without probes. */
const HARMFUL_DEFAULTS: readonly HarmfulDefault[] = [
  {
    path: toFieldPath`spec.strategy.type`,
    fields: ['strategy', 'type'],
    harm: 'two-versions',
    isHarmful: (before, after) => before === 'Recreate' && after === 'RollingUpdate',
  },
  {
    path: toFieldPath`spec.updateStrategy.type`,
    fields: ['updateStrategy', 'type'],
    harm: 'released',
    isHarmful: (before, after) => before === 'OnDelete' && after === 'RollingUpdate',
  },
  {
    path: toFieldPath`spec.updateStrategy.rollingUpdate.partition`,
    fields: ['updateStrategy', 'rollingUpdate', 'partition'],
    harm: 'released',
    isHarmful: isLess,
  },
  { path: toFieldPath`spec.minReadySeconds`, fields: ['minReadySeconds'], harm: 'unwatched', isHarmful: isLess },
  {
    path: toFieldPath`spec.template.spec.terminationGracePeriodSeconds`,
    fields: ['template', 'spec', 'terminationGracePeriodSeconds'],
    harm: 'killed-sooner',
    isHarmful: isLess,
  },
];

/** Defaults that apply although the server does not write them. */
const IMPLICIT_DEFAULTS: Readonly<Record<string, number>> = { minReadySeconds: 0, partition: 0 };

function checkHarmfulDefaults({ next, old, stored }: ObjectComparison, rolls: boolean): Finding[] {
  const isReplacedByHand = getValueAt(stored, 'spec', 'updateStrategy', 'type') === 'OnDelete';
  // A manifest does not show whether pods are on an old template, as a live object does.
  const mayReleasePods = !isReplacedByHand && (rolls || !old!.isLive);
  return HARMFUL_DEFAULTS.flatMap(({ path, fields, harm, isHarmful }) => {
    if (harm === 'released' && !mayReleasePods) return [];
    const before = getValueAt(old!.stored, 'spec', ...fields);
    if (before === undefined || (getValueAt(next, 'spec', ...fields) ?? undefined) !== undefined) return [];
    const field = fields.at(-1)!;
    const after = getValueAt(stored, 'spec', ...fields) ?? IMPLICIT_DEFAULTS[field];
    return isHarmful(before, after)
      ? [
          revertsToDefault.createFinding('default', {
            path,
            data: { field, before: toDisplayValue(before), after: toDisplayValue(after), harm },
          }),
        ]
      : [];
  });
}

/**
 * Reports fields of a workload that revert to a default that does harm.
 *
 * @param rolls - whether the apply replaces pods
 */
export function checkRevertsToDefault(comparison: ObjectComparison, context: PlanContext, rolls: boolean): Finding[] {
  const { next, old, stored, applied } = comparison;
  if (!old || !stored) return [];
  const before = getValueAt(old.stored, 'spec', 'replicas');
  const isRemoved = (...fields: readonly string[]) => (getValueAt(next, 'spec', ...fields) ?? undefined) === undefined;
  const findings: Finding[] = [];
  if (isRemoved('replicas') && typeof before === 'number' && before > 1 && getValueAt(stored, 'spec', 'replicas') === 1) {
    const autoscaler = autoscalerOf(next, context)?.by;
    const { mode, tool } = applied.applier;
    const namespace = namespaceOf(next);
    const data = {
      replicas: before,
      ...(autoscaler !== undefined && { autoscaler }),
      apply: mode,
      tool,
      applied: { kind: next.kind, name: nameOf(next), ...(namespace !== undefined && { namespace }) },
    };
    findings.push(revertsToDefault.createFinding('replicas', { path: toFieldPath`spec.replicas`, data }));
  }
  const limit = getValueAt(old.stored, 'spec', ...MAX_UNAVAILABLE_PATH);
  const now = getValueAt(stored, 'spec', ...MAX_UNAVAILABLE_PATH);
  if (isRemoved(...MAX_UNAVAILABLE_PATH) && isZero(limit) && now !== undefined && !isZero(now)) {
    findings.push(
      revertsToDefault.createFinding('max-unavailable', {
        path: toFieldPath`spec.strategy.rollingUpdate.maxUnavailable`,
        data: { maxUnavailable: limit, defaultValue: now },
      }),
    );
  }
  return [...findings, ...checkHarmfulDefaults({ ...comparison, stored }, rolls)];
}
