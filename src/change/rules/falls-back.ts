import { at } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import { message, rule } from '../../core/finding';
import { valueAt } from '../../core/manifest';
import { counted } from '../../core/words';
import { autoscalerOf } from '../../cluster/autoscaler';
import type { PlanContext } from '../../cluster/context';
import { nameOf, namespaceOf } from '../../core/manifest';
import type { Compared } from '../compared';

interface ReplicasData {
  /** Pods before. */
  readonly replicas: number;
  /** `HorizontalPodAutoscaler "web"` */
  readonly autoscaler?: string;
}

interface LimitData {
  /** As it was written. */
  readonly maxUnavailable: unknown;
  /** What the API server fills in. */
  readonly fallsBackTo: unknown;
}

const OLD = `apiVersion: apps/v1
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
export const fallsBack = rule({
  code: 'change/falls-back',
  since: '0.1.0',
  severity: 'warning',
  fires:
    'NEW no longer names a field that the apply then deletes, and the default that comes back has consequences: replicas to 1, limits to 25%.',
  why:
    'What was applied before and is no longer there is deleted, and the API server fills in its default. So a Deployment whose replicas are ' +
    'handed over to an autoscaler drops to one pod first, under load.',
  fix: 'Take the field out of what was applied last, with `kubectl apply edit-last-applied`, before it goes from the manifest.',
  example: `# rolloutkit plan --from old.yaml new.yaml
# old.yaml
${OLD}# new.yaml
${OLD.replace('  replicas: 9\n', '')}`,
  fixed: `# rolloutkit plan --from old.yaml new.yaml
# old.yaml
${OLD}# new.yaml
${OLD.replace('web:1', 'web:2')}`,
  messages: {
    replicas: message<ReplicasData>({
      text: ({ replicas, autoscaler }) =>
        `spec.replicas is no longer named, so the apply deletes it and 1 comes back: ${counted(replicas, 'pod')} before, 1 after` +
        (autoscaler === undefined ? '.' : `, until ${autoscaler} scales up again.`),
      help: ({ autoscaler }) =>
        autoscaler === undefined
          ? 'Keep spec.replicas, or write 1 if that is meant.'
          : 'First run "kubectl apply edit-last-applied" and delete replicas there, which changes no pod; then apply the manifest without it.',
      sample: { replicas: 9, autoscaler: 'HorizontalPodAutoscaler "web"' },
      variants: [{ replicas: 3 }],
    }),
    'max-unavailable': message<LimitData>({
      text: ({ maxUnavailable, fallsBackTo }) =>
        `maxUnavailable is no longer named, so the apply deletes it and the default comes back: ${String(maxUnavailable)} before, ${String(fallsBackTo)} after.`,
      help: ({ maxUnavailable }) => `Keep maxUnavailable: ${String(maxUnavailable)} in the strategy.`,
      sample: { maxUnavailable: 0, fallsBackTo: '25%' },
    }),
  },
});

const LIMIT = ['strategy', 'rollingUpdate', 'maxUnavailable'] as const;

function isZero(limit: unknown): boolean {
  return limit === 0 || limit === '0%';
}

/** Fields of a workload that fall back to a default that hurts. */
export function fallsBackFindings({ next, old, stored }: Compared, context: PlanContext): Finding[] {
  if (!old || !stored) return [];
  const before = valueAt(old.stored, 'spec', 'replicas');
  const isGone = (...fields: readonly string[]) => (valueAt(next, 'spec', ...fields) ?? undefined) === undefined;
  const findings: Finding[] = [];
  if (isGone('replicas') && typeof before === 'number' && before > 1 && valueAt(stored, 'spec', 'replicas') === 1) {
    const autoscaler = autoscalerOf({ kind: next.kind, name: nameOf(next), namespace: namespaceOf(next) }, context)?.by;
    const data = { replicas: before, ...(autoscaler !== undefined && { autoscaler }) };
    findings.push(fallsBack.finding('replicas', { path: at`spec.replicas`, data }));
  }
  const limit = valueAt(old.stored, 'spec', ...LIMIT);
  const now = valueAt(stored, 'spec', ...LIMIT);
  if (isGone(...LIMIT) && isZero(limit) && now !== undefined && !isZero(now)) {
    findings.push(
      fallsBack.finding('max-unavailable', {
        path: at`spec.strategy.rollingUpdate.maxUnavailable`,
        data: { maxUnavailable: limit, fallsBackTo: now },
      }),
    );
  }
  return findings;
}
