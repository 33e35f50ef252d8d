import type { ApplyRejection } from '../../core/change';
import { ROOT_PATH, toFieldPath } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import { defineMessage, defineRule } from '../../core/finding';
import type { Finding, Source } from '../../core/finding';
import type { ResourceRef } from '../../core/rollout';
import type { RefusalRemedy } from '../refusal-remedy';

interface RefusedData {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  /** The path as the server writes it; empty if it names none. */
  readonly path: string;
  readonly message: string;
  readonly remedy: RefusalRemedy;
}

function formatTarget({ kind, namespace, name }: RefusedData): string {
  return `${kind.toLowerCase()}/${name}${namespace === undefined ? '' : ` -n ${namespace}`}`;
}

/** What to do about each kind of refusal. Nothing here takes down pods that another way would keep, without saying so. */
const REMEDIES: Readonly<Record<RefusalRemedy, (data: RefusedData) => string>> = {
  conflict: () =>
    'Delete the fields from NEW to leave them to their managers, or take them over with "kubectl apply --server-side --force-conflicts".',
  'correct-new': () => 'Correct what is refused. The object does not exist yet, so nothing needs to be undone.',
  correct: () => 'Correct what is refused, or restore the old value.',
  orphan: (data) =>
    `Restore the old value, or keep the pods while the object is made again: run "kubectl delete ${formatTarget(data)} --cascade=orphan", then apply. The new object adopts the running pods, and rolls them only if their template changes.`,
  'new-workload': () =>
    'Restore the old selector, or give the workload a new name: apply it next to the old one, switch the Service to the new pods once they are ready, then delete the old workload.',
  'patch-strategy': (data) =>
    `Remove the stored limits in one patch together with the type, then apply again: kubectl patch ${formatTarget(data)} --type merge -p '${data.kind === 'Deployment' ? '{"spec":{"strategy":{"type":"Recreate","rollingUpdate":null}}}' : '{"spec":{"updateStrategy":{"type":"OnDelete","rollingUpdate":null}}}'}'. Nothing has to be deleted, and no pod is touched by that.`,
  'new-job': (data) =>
    `Restore the old value, give the Job a new name, or run "kubectl delete ${formatTarget(data)}" before the apply: a Job that is running starts again.`,
  'new-config': ({ kind }) => `Give the ${kind} a new name, for example one with a hash of its content, and use that name in the pods.`,
  'recreate-workload': () => 'Restore the old value, or delete and recreate the object, which takes its pods down meanwhile.',
  recreate: () => 'Restore the old value, or delete and recreate the object.',
};

/** Formats the reason as a sentence. Most messages of the server have no full stop. */
function formatReason({ path, message: text }: RefusedData): string {
  const reason = path === '' ? text : `${path}: ${text}`;
  return reason.endsWith('.') ? reason : `${reason}.`;
}

const WEB = { kind: 'Deployment', namespace: 'shop', name: 'web' };
const RECREATE_MESSAGE = "Forbidden: may not be specified when strategy `type` is 'Recreate'";

/** A change that kubectl, the API server, a webhook or a controller refuses. */
export const changeRefused = defineRule({
  code: 'change/refused',
  since: '0.1.0',
  severity: 'error',
  fires: 'Applying the object over the existing one is refused: an immutable field, an invalid value or a conflict of field managers.',
  why: 'Nothing in the object changes, and a tool that applies several objects stops here or continues without it.',
  fix:
    'Restore the field. If it must change, `kubectl delete --cascade=orphan` and an apply keep the pods of a StatefulSet, and a new name keeps those of a Deployment. ' +
    'In a conflict, leave the field to its manager or force it.',
  example: `# rolloutkit plan --from old.yaml new.yaml
# old.yaml
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web, tier: front } }
    spec:
      containers: [{ name: web, image: web:1 }]
# new.yaml
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  selector: { matchLabels: { app: web, tier: front } }
  template:
    metadata: { labels: { app: web, tier: front } }
    spec:
      containers: [{ name: web, image: web:1 }]
`,
  fixedExample: `# rolloutkit plan --from old.yaml new.yaml
# old.yaml
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web, tier: front } }
    spec:
      containers: [{ name: web, image: web:1 }]
# new.yaml
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web, tier: front } }
    spec:
      containers: [{ name: web, image: web:2 }]
`,
  messages: {
    refused: defineMessage<RefusedData>({
      text: (data) => `Applying this is refused: ${formatReason(data)}`,
      help: (data) => REMEDIES[data.remedy](data),
      sample: { ...WEB, path: 'spec.selector', message: 'field is immutable', remedy: 'new-workload' },
      variants: [
        { ...WEB, path: '', message: 'Deployment in version "v1" cannot be handled as a Deployment', remedy: 'correct' },
        { ...WEB, path: '', message: 'Deployment in version "v1" cannot be handled as a Deployment', remedy: 'correct-new' },
        {
          ...WEB,
          path: '.spec.replicas',
          message: 'Apply failed with 1 conflict: conflict with "hpa" using apps/v1: .spec.replicas',
          remedy: 'conflict',
        },
        { kind: 'StatefulSet', namespace: 'shop', name: 'db', path: 'spec', message: 'Forbidden: updates to …', remedy: 'orphan' },
        { ...WEB, path: 'spec.strategy.rollingUpdate', message: RECREATE_MESSAGE, remedy: 'patch-strategy' },
        {
          kind: 'StatefulSet',
          namespace: 'shop',
          name: 'db',
          path: 'spec.updateStrategy.rollingUpdate',
          message: 'Invalid value',
          remedy: 'patch-strategy',
        },
        { ...WEB, path: 'spec.template', message: 'Forbidden', remedy: 'recreate-workload' },
      ],
    }),
    object: defineMessage<RefusedData>({
      text: (data) =>
        `Applying ${data.kind} ${data.namespace === undefined ? '' : `${data.namespace}/`}${data.name} is refused: ${formatReason(data)}`,
      help: (data) => REMEDIES[data.remedy](data),
      sample: { kind: 'Job', namespace: 'shop', name: 'migrate', path: 'spec.template', message: 'field is immutable', remedy: 'new-job' },
      variants: [
        { kind: 'ClusterRoleBinding', name: 'view', path: 'roleRef', message: 'cannot change roleRef', remedy: 'recreate' },
        {
          kind: 'ConfigMap',
          namespace: 'shop',
          name: 'settings',
          path: 'data',
          message: 'Forbidden: field is immutable when `immutable` is set',
          remedy: 'new-config',
        },
      ],
    }),
  },
});

/** Returns the path of a rejection: the server's path if it names a field. */
export function rejectionPathOf({ path }: ApplyRejection): FieldPath {
  return path === '' ? ROOT_PATH : toFieldPath`${path}`;
}

/** What is refused, and what to do about it. */
export interface Refusal extends ApplyRejection {
  readonly remedy: RefusalRemedy;
}

function toRefusedData({ kind, namespace, name }: ResourceRef, { path, message: text, remedy }: Refusal): RefusedData {
  return { kind, ...(namespace !== undefined && { namespace }), name, path, message: text, remedy };
}

/** Returns the finding for the rollout of a refused object. */
export function buildRefusedFinding(resource: ResourceRef, refusal: Refusal, source?: Source): Finding {
  const data = toRefusedData(resource, refusal);
  return changeRefused.createFinding('refused', { path: rejectionPathOf(refusal), data, ...(source && { source }) });
}

/** Returns the finding for a refused object without a rollout, such as a Job, so that every rejection has a finding. */
export function buildRefusedObjectFinding(resource: ResourceRef, refusal: Refusal, source?: Source): Finding {
  const data = toRefusedData(resource, refusal);
  return changeRefused.createFinding('object', { path: rejectionPathOf(refusal), data, ...(source && { source }) });
}
