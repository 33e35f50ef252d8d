import { adviseOnReplicas } from '../../appliers/advice';
import type { Applier } from '../../appliers/applier';
import { replicaRangeOf } from '../../cluster/autoscaling/autoscaler';
import type { Autoscaler } from '../../cluster/autoscaling/autoscaler';
import type { Workload } from '../../cluster/rollout/workload';
import { suggestManualFix, removeField, setField } from '../../core/findings/suggested-fix';
import type { SuggestedFix, EditTarget } from '../../core/findings/suggested-fix';
import type { ApplyTool } from '../../core/document/change';
import { toFieldPath } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import { defineMessage, defineRule } from '../../core/findings/finding';
import type { RuleContext } from '../rule-context';

interface ReplicasData {
  readonly replicas: number;
  /** `HorizontalPodAutoscaler "web"` */
  readonly autoscaler: string;
}

interface AppliedData extends ReplicasData {
  /** The object that is applied. */
  readonly applied: EditTarget & { readonly namespace?: string };
  /** The tool that applies it. @default - kubectl */
  readonly tool?: ApplyTool;
  /** Whether each apply fails because the autoscaler owns the field, instead of resetting it. @default false */
  readonly conflicts?: boolean;
  /** The minimum of the autoscaler and the field that sets it. Unset if the minimum is not below the replicas. */
  readonly minimum?: { readonly pods: number; readonly field: string; readonly object: EditTarget };
}

interface ReconciledData extends ReplicasData {
  /** The name of the Deployment that KServe writes. */
  readonly deployment: string;
}

/**
 * Formats the steps in the order that keeps the pods running. If the field is deleted only from the file, it falls back to 1,
 * and a live workload has one pod until the autoscaler corrects it.
 */
function formatOrderedSteps({ replicas, autoscaler, applied, minimum, tool = 'kubectl' }: AppliedData): string {
  const minimumHint = minimum
    ? `If there must never be fewer pods than now, first write ${minimum.field}: ${replicas} into the ${autoscaler}. `
    : '';
  return `${minimumHint}${adviseOnReplicas(tool, applied)}`;
}

function suggestOrderedSteps({ replicas, minimum, tool = 'kubectl' }: AppliedData, path: FieldPath): SuggestedFix {
  const minimumEdits = minimum ? [setField(toFieldPath`spec.${minimum.field}`, replicas, minimum.object)] : [];
  const first = tool === 'kubectl' ? { first: [{ do: 'forget-applied', path }] as const } : {};
  return { edits: [...minimumEdits, removeField(path)], needsDecision: true, ...first };
}

/** Reports replicas that an apply or a controller writes while an autoscaler writes them too. */
export const hpaOwnsReplicas = defineRule({
  code: 'kubernetes/hpa-owns-replicas',
  since: '0.1.0',
  severity: 'warning',
  fires: 'replicas is set while a HorizontalPodAutoscaler or a KEDA ScaledObject targets the workload.',
  why:
    'Every apply resets the number, and the autoscaler corrects it afterwards: pods are deleted under load, ' +
    'even during a rollout (k/k#25238). Replicas 0 disable a HorizontalPodAutoscaler ' +
    'until a user scales the workload up by hand. For an InferenceService with autoscalerClass none, KServe writes minReplicas ' +
    'at every reconcile.',
  fix:
    'Delete replicas from the last applied configuration (`kubectl apply edit-last-applied deployment/web`), then delete `spec.replicas` from the file. ' +
    'If it is deleted only from the file, a client-side apply sets the default 1, and a live workload drops to one pod. ' +
    'With server-side apply, the value that the autoscaler wrote before is kept. The autoscaler keeps the replicas between its minReplicas and maxReplicas.',
  example: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 3
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
        - name: app
          image: app:1
          readinessProbe:
            tcpSocket:
              port: 8080
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: web
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web }
  minReplicas: 3
  maxReplicas: 9
`,
  fixedExample: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec: {selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: app, image: "app:1", readinessProbe: {tcpSocket: {port: 8080}}}]}}}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: web
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web }
  minReplicas: 3
  maxReplicas: 9
`,
  messages: {
    applied: defineMessage<AppliedData>({
      text: ({ replicas, autoscaler, conflicts }) =>
        `replicas is ${replicas}, but the ${autoscaler} sets it too: ` +
        (conflicts
          ? 'once it has scaled, every apply of this object fails with a conflict.'
          : `every apply resets it to ${replicas}, regardless of load.`),
      help: formatOrderedSteps,
      suggestedFix: suggestOrderedSteps,
      deduplicationKey: (data) => [data],
      sample: { replicas: 3, autoscaler: 'HorizontalPodAutoscaler "web"', applied: { kind: 'Deployment', name: 'web' } },
      variants: [
        {
          replicas: 3,
          autoscaler: 'HorizontalPodAutoscaler "web"',
          applied: { kind: 'StatefulSet', name: 'web', namespace: 'shop' },
          minimum: { pods: 1, field: 'minReplicas', object: { kind: 'HorizontalPodAutoscaler', name: 'web' } },
        },
        {
          replicas: 3,
          autoscaler: 'HorizontalPodAutoscaler "web"',
          applied: { kind: 'Deployment', name: 'web' },
          tool: 'helm-4',
          conflicts: true,
        },
        { replicas: 3, autoscaler: 'HorizontalPodAutoscaler "web"', applied: { kind: 'Deployment', name: 'web' }, tool: 'argo-cd' },
      ],
    }),
    switchedOff: defineMessage<ReplicasData>({
      text: ({ replicas, autoscaler }) =>
        `replicas is ${replicas}, which disables the ${autoscaler}: every apply deletes all pods, and the autoscaler never scales up a workload without pods.`,
      help: () => 'Delete spec.replicas.',
      suggestedFix: (_data, path) => suggestManualFix(removeField(path)),
      sample: { replicas: 0, autoscaler: 'HorizontalPodAutoscaler "web"' },
    }),
    reconciled: defineMessage<ReconciledData>({
      text: ({ replicas, autoscaler, deployment }) =>
        `KServe writes replicas ${replicas} into Deployment "${deployment}", but the ${autoscaler} sets it too: ` +
        `every reconcile resets it to ${replicas}, regardless of load.`,
      help: ({ autoscaler }) => `Delete the ${autoscaler}: with autoscalerClass none, KServe sets the replicas.`,
      sample: { replicas: 2, autoscaler: 'HorizontalPodAutoscaler "iris"', deployment: 'iris-predictor' },
    }),
  },
});

function buildAppliedData(
  { kind, name, namespace }: Pick<Workload, 'kind' | 'name' | 'namespace'>,
  { minimum, minimumField, object }: Autoscaler,
  replicas: number,
) {
  return {
    applied: { kind, name, ...(namespace !== undefined && { namespace }) },
    ...(minimum < replicas && { minimum: { pods: minimum, field: minimumField, object } }),
  };
}

/** Returns what the advice depends on, if the tool is not kubectl. */
function describeApplier(applier: Applier | undefined): Pick<AppliedData, 'tool' | 'conflicts'> {
  if (!applier || applier.tool === 'kubectl') return {};
  const conflicts = applier.method === 'server' && applier.serverSide?.forcesConflicts !== true;
  return { tool: applier.tool, ...(conflicts && { conflicts }) };
}

/** Warns about replicas that an apply or a reconcile and an autoscaler both set, or that disable the autoscaler. */
export function checkHpaOwnsReplicas({
  autoscaler,
  declaredReplicas,
  workload,
}: Pick<RuleContext, 'autoscaler' | 'declaredReplicas'> & { readonly workload: Pick<Workload, 'kind' | 'name' | 'namespace'> }): Finding[] {
  if (!autoscaler || !declaredReplicas) return [];
  const { path, replicas, writer, applied } = declaredReplicas;
  if (applied?.keepsReplicas) return [];
  const moves = replicaRangeOf(autoscaler, replicas) !== undefined;
  const data = { replicas, autoscaler: autoscaler.by };
  if (writer === 'apply' && !moves) return [hpaOwnsReplicas.createFinding('switchedOff', { path, data })];
  if (writer === 'apply')
    return [
      hpaOwnsReplicas.createFinding('applied', {
        path,
        data: { ...data, ...buildAppliedData(workload, autoscaler, replicas), ...describeApplier(applied?.applier) },
      }),
    ];
  return moves ? [hpaOwnsReplicas.createFinding('reconciled', { path, data: { ...data, deployment: workload.name } })] : [];
}
