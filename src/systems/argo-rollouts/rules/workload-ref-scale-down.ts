import { toFieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { pluralize } from '../../../core/text/text-format';

interface ScaleDownData {
  readonly deployment: string;
  /** Pods of the Deployment. */
  readonly pods: number;
  /** Pods of the Rollout until an autoscaler raises them. */
  readonly replicas: number;
  /** How the Rollout scales the Deployment down. */
  readonly scaleDown: string;
  /** The autoscaler of the Rollout, and its minimum. @default - none */
  readonly autoscaler?: { readonly by: string; readonly minimum: number };
}

const RULE_EXAMPLE = (rollout: string) => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: api
spec:
  replicas: 10
  selector:
    matchLabels:
      app: api
  template:
    metadata:
      labels:
        app: api
    spec:
      containers:
        - name: api
          image: api:1
          readinessProbe: { httpGet: { path: /, port: 8080 } }
---
apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata:
  name: api
spec:
${rollout}  selector:
    matchLabels:
      app: api
  workloadRef: { apiVersion: apps/v1, kind: Deployment, name: api, scaleDown: onsuccess }
  strategy:
    canary: {}
`;

/** A Rollout that scales down the Deployment that it references, or does not. */
export const workloadRefScaleDown = defineRule({
  code: 'argo-rollouts/workload-ref-scale-down',
  since: '0.1.0',
  severity: 'warning',
  fires:
    'workloadRef references a Deployment with pods, and scaleDown leaves fewer pods than the Deployment had, or two complete sets of pods, or does not happen.',
  why:
    'With `onsuccess` the Deployment is scaled to 0 as soon as the first version of the Rollout is healthy, however few pods that has: replicas that are not set are 1. ' +
    'With `progressively` the Deployment keeps the replicas of the Rollout less its ready pods. With `never`, the default, both run, and a new template rolls both. ' +
    'From the second version on, the Rollout scales nothing down, so an apply that sets the replicas of the Deployment starts its pods again.',
  fix: 'Set replicas of the Rollout to those of the Deployment for the migration. After it, set the Deployment to 0 replicas.',
  example: RULE_EXAMPLE(''),
  fixedExample: RULE_EXAMPLE('  replicas: 10\n'),
  messages: {
    dip: defineMessage<ScaleDownData>({
      text: ({ deployment, pods, replicas, scaleDown, autoscaler }) =>
        `scaleDown ${scaleDown} takes Deployment "${deployment}" from ${pods} to 0 pods once ${replicas === 1 ? '1 pod' : `${replicas} pods`} of this Rollout ${replicas === 1 ? 'is' : 'are'} healthy: ` +
        `${replicas} of ${pods} pods serve` +
        (autoscaler ? ` until ${autoscaler.by} raises them to ${autoscaler.minimum}.` : '.'),
      help: ({ pods }) => `Write replicas: ${pods} into the Rollout for the migration.`,
      sample: { deployment: 'api', pods: 10, replicas: 1, scaleDown: 'onsuccess' },
      variants: [
        {
          deployment: 'api',
          pods: 10,
          replicas: 2,
          scaleDown: 'progressively',
          autoscaler: { by: 'HorizontalPodAutoscaler "api"', minimum: 10 },
        },
      ],
    }),
    'both-run': defineMessage<ScaleDownData>({
      text: ({ deployment, pods, replicas }) =>
        `Nothing scales Deployment "${deployment}" down (scaleDown is never): its ${pluralize(pods, 'pod')} and ${replicas} of this Rollout run at once, and a new template replaces both.`,
      help: () =>
        'Write scaleDown: onsuccess or progressively into workloadRef, or set the Deployment to 0 replicas in a later apply, once this Rollout is healthy.',
      sample: { deployment: 'api', pods: 10, replicas: 10, scaleDown: 'never' },
    }),
    'starts-again': defineMessage<ScaleDownData>({
      text: ({ deployment, pods }) =>
        `replicas of Deployment "${deployment}" is ${pods}: every apply starts its pods again next to those of this Rollout, which scales them down only while it runs its first version.`,
      help: ({ deployment }) => `Write replicas: 0 into Deployment "${deployment}".`,
      sample: { deployment: 'api', pods: 10, replicas: 10, scaleDown: 'onsuccess' },
    }),
  },
});

/** What happens to the pods of a referenced Deployment. */
export interface ReferencedDeployment extends ScaleDownData {
  /** Whether the Rollout may still run its first version. */
  readonly isFirstVersion: boolean;
}

/** Warns about a Deployment that a Rollout references, if the pods of both together dip, double, or start again. */
export function checkWorkloadRefScaleDown({ isFirstVersion, ...data }: ReferencedDeployment): Finding[] {
  if (data.pods === 0) return [];
  const path = toFieldPath`spec.workloadRef`;
  if (data.scaleDown === 'never') return [workloadRefScaleDown.createFinding('both-run', { path, data })];
  if (!isFirstVersion) return [workloadRefScaleDown.createFinding('starts-again', { path, data })];
  return data.replicas < data.pods ? [workloadRefScaleDown.createFinding('dip', { path, data })] : [];
}
