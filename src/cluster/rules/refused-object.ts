import { ROOT_PATH, toFieldPath } from '../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../core/findings/finding';
import type { Finding, Source } from '../../core/findings/finding';
import { describeObject } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { shortenMessage } from '../../core/text/text-format';

interface RefusedData {
  /** `PodDisruptionBudget shop/web`. */
  readonly resource: string;
  /** Path as the server writes it; empty if it names none. */
  readonly path: string;
  /** Message of the server. */
  readonly message: string;
}

/** An object that the API server refuses because of its own values. */
export const refusedObject = defineRule({
  code: 'kubernetes/refused-object',
  since: '0.1.0',
  severity: 'error',
  fires:
    'The API server refuses an object that is no workload because of its own values: a PodDisruptionBudget, HorizontalPodAutoscaler, ' +
    'ResourceQuota, LimitRange, Service, ConfigMap, Secret, PersistentVolumeClaim, Pod, ReplicaSet, Job, CronJob, Ingress, NetworkPolicy, PriorityClass, RoleBinding or ClusterRoleBinding (only `check`).',
  why:
    'The object is not stored, and a tool that applies several objects stops there or continues without it. A budget, a quota or an autoscaler that does not exist ' +
    'protects and limits nothing.',
  fix: 'Write what the message of the API server requires. `rolloutkit plan --from OLD` reports the same for a change (`change/refused`).',
  example: `# rolloutkit check example.yaml
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: web }
spec:
  maxUnavailable: 1
  selector: { matchExpressions: [{ operator: In, values: [a] }] }
`,
  fixedExample: `# rolloutkit check example.yaml
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: web }
spec:
  maxUnavailable: 1
  selector: { matchExpressions: [{ key: app, operator: In, values: [a] }] }
`,
  messages: {
    refused: defineMessage<RefusedData>({
      text: ({ resource, path, message: text }) => `The API server refuses ${resource}: ${path === '' ? text : `${path}: ${text}`}.`,
      help: () => 'Write what the API server requires.',
      sample: {
        resource: 'PodDisruptionBudget shop/web',
        path: 'spec.selector.matchExpressions[0].key',
        message: 'Required value',
      },
      variants: [{ resource: 'Service shop/web', path: '', message: 'Service in version "v1" cannot be handled as a Service' }],
    }),
  },
});

/** Creates the finding about an object that the API server refuses. */
export function createRefusedObjectFinding(
  object: Manifest,
  { path, message }: { readonly path: string; readonly message: string },
  source: Source | undefined,
): Finding {
  return refusedObject.createFinding('refused', {
    path: path === '' ? ROOT_PATH : toFieldPath`${path}`,
    data: { resource: describeObject(object).trim(), path, message: shortenMessage(message) },
    ...(source && { source }),
  });
}
