import type { ApplyMode } from '../../core/change';
import { toFieldPath } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import { defineMessage, defineRule } from '../../core/finding';
import { getValueAt } from '../../core/manifest';
import { toDisplayValue, formatDisplayValue } from '../../core/display-value';
import type { DisplayValue } from '../../core/display-value';
import { pluralize } from '../../core/text-format';
import { autoscalerOf } from '../../cluster/autoscaler';
import type { PlanContext } from '../../cluster/context';
import type { ObjectComparison } from '../object-comparison';

interface ReplicasData {
  /** Pods before. */
  readonly replicas: number;
  /** `HorizontalPodAutoscaler "web"` */
  readonly autoscaler?: string;
  /** How NEW reaches the cluster. */
  readonly apply: ApplyMode;
}

interface LimitData {
  /** As it was written. */
  readonly maxUnavailable: unknown;
  /** What the API server fills in. */
  readonly defaultValue: unknown;
}

/** How the number is left to an autoscaler without a moment of one pod. */
const HANDOVER_HELP: Readonly<Record<ApplyMode, string>> = {
  client:
    'First run "kubectl apply edit-last-applied" and delete replicas there, which changes no pod; then apply the manifest without it.',
  server:
    'First let another manager have the field, which changes no pod: "kubectl apply --server-side --field-manager=handover" ' +
    'with the name and spec.replicas as it is now, and nothing else; then apply the manifest without it.',
  helm: 'Keep spec.replicas until one pod will do: Helm deletes what a new release no longer names.',
  replace:
    'Write spec.replicas as it is now: a PUT brings back the default of what it does not name. "kubectl apply" leaves to the autoscaler what it never named.',
};

/** What a default brings that the manifest kept away. */
const HARM_MESSAGES = {
  'two-versions': 'pods of both versions run side by side',
  unwatched: 'a new pod counts as available the moment it is ready, so a rollout no longer waits to see whether it stays so',
  'killed-sooner': 'a pod that shuts down gets less time, and what it still answers is cut off',
  released: 'pods that were kept on the old template are replaced',
} as const;

type Harm = keyof typeof HARM_MESSAGES;

interface DefaultData {
  readonly field: string;
  /** As the server held it. */
  readonly before: DisplayValue;
  /** What it fills in. */
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

/** A field that NEW no longer names, and whose default hurts. */
export const revertsToDefault = defineRule({
  code: 'change/reverts-to-default',
  since: '0.1.0',
  severity: 'warning',
  fires:
    'NEW no longer names a field that the apply then deletes, and the default that comes back has consequences: replicas to 1, maxUnavailable to 25%, ' +
    'type to RollingUpdate, partition and minReadySeconds to 0, terminationGracePeriodSeconds to 30.',
  why:
    'What was applied before and is no longer there is deleted, and the API server fills in its default. So a Deployment whose replicas are ' +
    'handed over to an autoscaler drops to one pod first, under load.',
  fix: 'Take the field out of what was applied last, with `kubectl apply edit-last-applied`, before it goes from the manifest.',
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
        `spec.replicas is ${apply === 'replace' ? 'not named, and a PUT brings 1 back' : 'no longer named, so the apply deletes it and 1 comes back'}: ` +
        `${pluralize(replicas, 'pod')} before, 1 after` +
        (autoscaler === undefined ? '.' : `, until ${autoscaler} scales up again.`),
      help: ({ autoscaler, apply }) =>
        autoscaler === undefined ? 'Keep spec.replicas, or write 1 if that is meant.' : HANDOVER_HELP[apply],
      sample: { replicas: 9, autoscaler: 'HorizontalPodAutoscaler "web"', apply: 'client' },
      variants: [
        { replicas: 3, apply: 'client' },
        { replicas: 9, autoscaler: 'HorizontalPodAutoscaler "web"', apply: 'server' },
        { replicas: 9, autoscaler: 'HorizontalPodAutoscaler "web"', apply: 'helm' },
        { replicas: 9, autoscaler: 'HorizontalPodAutoscaler "web"', apply: 'replace' },
      ],
    }),
    'max-unavailable': defineMessage<LimitData>({
      text: ({ maxUnavailable, defaultValue: fallsBackTo }) =>
        `maxUnavailable is no longer named, so the apply deletes it and the default comes back: ${String(maxUnavailable)} before, ${String(fallsBackTo)} after.`,
      help: ({ maxUnavailable }) => `Keep maxUnavailable: ${String(maxUnavailable)} in the strategy.`,
      sample: { maxUnavailable: 0, defaultValue: '25%' },
    }),
    default: defineMessage<DefaultData>({
      text: ({ field, before, after, harm }) =>
        `${field} is no longer named, so the apply deletes it and the default comes back: ${formatDisplayValue(before)} before, ${formatDisplayValue(after)} after: ${HARM_MESSAGES[harm]}.`,
      help: ({ field, before }) => `Keep ${field}: ${formatDisplayValue(before)}, or write the other value if it is meant.`,
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
  /** Does it hurt that the value after has come for the one before? */
  readonly isHarmful: (before: unknown, after: unknown) => boolean;
}

const isLess = (before: unknown, after: unknown) => Number(after ?? 0) < Number(before ?? 0);

/** Further fields whose default hurts. A probe that goes has no default: a rule of its own says that pods have none. */
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

/** What the server fills in of a field that it does not write. */
const IMPLICIT_DEFAULTS: Readonly<Record<string, number>> = { minReadySeconds: 0, partition: 0 };

function checkHarmfulDefaults({ next, old, stored }: ObjectComparison): Finding[] {
  return HARMFUL_DEFAULTS.flatMap(({ path, fields, harm, isHarmful }) => {
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

/** Fields of a workload that fall back to a default that hurts. */
export function checkRevertsToDefault(comparison: ObjectComparison, context: PlanContext): Finding[] {
  const { next, old, stored, mode } = comparison;
  if (!old || !stored) return [];
  const before = getValueAt(old.stored, 'spec', 'replicas');
  const isRemoved = (...fields: readonly string[]) => (getValueAt(next, 'spec', ...fields) ?? undefined) === undefined;
  const findings: Finding[] = [];
  if (isRemoved('replicas') && typeof before === 'number' && before > 1 && getValueAt(stored, 'spec', 'replicas') === 1) {
    const autoscaler = autoscalerOf(next, context)?.by;
    const data = { replicas: before, ...(autoscaler !== undefined && { autoscaler }), apply: mode };
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
  return [...findings, ...checkHarmfulDefaults({ ...comparison, stored })];
}
