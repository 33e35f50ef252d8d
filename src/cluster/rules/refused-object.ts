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

/** Advice by the message of the server, for messages that say what to write. */
const ADVICE: readonly (readonly [message: RegExp, advise: (field: string, part: string) => string])[] = [
  [/^(?:Required value|Invalid value: "": )/, (field) => `Write ${field}.`],
  [/^Unsupported value: .*: supported values: (.*)$/s, (field, values) => `Write one of ${values} as ${field}.`],
  [/^Forbidden: may not be (?:set|specified)/, (field) => `Delete ${field}.`],
  [/^illegal base64 data/, (field) => `Encode ${field} in base64, or write it as text: in stringData of a Secret, in data of a ConfigMap.`],
  [/^quantities must match/, (field) => `Write a quantity as ${field}, such as 2, 500m or 1Gi.`],
  [/^cannot convert .* to string$/, (field) => `Put the value of ${field} in quotes.`],
  [/^on the largest object that the schema allows, it costs/, () => 'Write maxItems, maxProperties and maxLength into the schema.'],
];

const GENERAL_ADVICE = 'Write what the API server requires.';

/** Formats what to write instead of a value that the server refuses. */
function adviseOnValue({ path, message }: RefusedData): string {
  if (path === '') return GENERAL_ADVICE;
  for (const [pattern, advise] of ADVICE) {
    const match = pattern.exec(message);
    if (match) return advise(path, match[1] ?? '');
  }
  return GENERAL_ADVICE;
}

/** An object that the API server refuses because of its own values. */
export const refusedObject = defineRule({
  code: 'kubernetes/refused-object',
  since: '0.1.0',
  severity: 'error',
  fires:
    'The API server refuses an object that is no workload because of its own values: a PodDisruptionBudget, HorizontalPodAutoscaler, ' +
    'ResourceQuota, LimitRange, Service, ConfigMap, Secret, PersistentVolumeClaim, Pod, ReplicaSet, Job, CronJob, Ingress, NetworkPolicy, PriorityClass, RoleBinding, ClusterRoleBinding or CustomResourceDefinition (only `check`).',
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
      help: adviseOnValue,
      sample: {
        resource: 'PodDisruptionBudget shop/web',
        path: 'spec.selector.matchExpressions[0].key',
        message: 'Required value',
      },
      variants: [
        { resource: 'Service shop/web', path: '', message: 'Service in version "v1" cannot be handled as a Service' },
        {
          resource: 'PodDisruptionBudget shop/web',
          path: 'spec.unhealthyPodEvictionPolicy',
          message: 'Unsupported value: "Always": supported values: "AlwaysAllow", "IfHealthyBudget"',
        },
        {
          resource: 'PodDisruptionBudget shop/web',
          path: 'spec.selector.matchExpressions[0].values',
          message: "Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
        },
        { resource: 'Secret shop/web', path: 'data[token]', message: 'illegal base64 data at input byte 3' },
        { resource: 'ResourceQuota shop/web', path: 'spec.hard[pods]', message: "quantities must match the regular expression '…'" },
        { resource: 'ConfigMap shop/web', path: 'data[port]', message: 'cannot convert int64 to string' },
        {
          resource: 'CustomResourceDefinition caches.shop.example',
          path: 'spec.versions[0].schema.openAPIV3Schema.x-kubernetes-validations[0].rule',
          message:
            'on the largest object that the schema allows, it costs more than 10,000,000: self.sizes.all(s, self.sizes.all(t, s == t))',
        },
      ],
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
    data: { resource: describeObject(object), path, message: shortenMessage(message) },
    ...(source && { source }),
  });
}
