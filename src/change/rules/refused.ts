import type { ApplyRejection } from '../../core/change';
import { ROOT_PATH, toFieldPath } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import { defineMessage, defineRule } from '../../core/finding';
import type { Finding, Source } from '../../core/finding';
import type { ResourceRef } from '../../core/rollout';
import { isFieldManagerConflict } from '../apiserver/server-side-apply';

interface RefusedData {
  /** The path as the server writes it; empty if it names none. */
  readonly path: string;
  readonly message: string;
}

interface RefusedObjectData extends RefusedData {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

const CONFLICT_HELP =
  'Delete the fields from NEW to leave them to their managers, or take them over with "kubectl apply --server-side --force-conflicts".';

/** Returns what to do about a rejection. Recreating the object fixes an immutable field, but not a conflict or an undecodable manifest. */
function suggestRemedy(data: RefusedData, recreateHelp: string): string {
  if (isFieldManagerConflict(data)) return CONFLICT_HELP;
  return data.path === '' ? 'Correct what is refused, or restore the old value.' : recreateHelp;
}

function formatReason({ path, message: text }: RefusedData): string {
  return path === '' ? text : `${path}: ${text}`;
}

/** A change that kubectl, the API server, a webhook or a controller refuses. */
export const changeRefused = defineRule({
  code: 'change/refused',
  since: '0.1.0',
  severity: 'error',
  fires: 'Applying the object over the existing one is refused: an immutable field, an invalid value or a conflict of field managers.',
  why: 'Nothing in the object changes, and a tool that applies several objects stops here or continues without it.',
  fix: 'Restore the field, or delete and recreate the object, which takes its pods down. In a conflict, leave the field to its manager or force it.',
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
      text: (data) => `Applying this is refused: ${formatReason(data)}.`,
      help: (data) => suggestRemedy(data, 'Restore the old value, or delete and recreate the object, which takes its pods down meanwhile.'),
      sample: { path: 'spec.selector', message: 'field is immutable' },
      variants: [
        { path: '', message: 'Deployment in version "v1" cannot be handled as a Deployment' },
        { path: '.spec.replicas', message: 'Apply failed with 1 conflict: conflict with "hpa" using apps/v1: .spec.replicas' },
      ],
    }),
    object: defineMessage<RefusedObjectData>({
      text: ({ kind, namespace, name, ...data }) =>
        `Applying ${kind} ${namespace === undefined ? '' : `${namespace}/`}${name} is refused: ${formatReason(data)}.`,
      help: (data) => suggestRemedy(data, 'Restore the old value, or delete and recreate the object.'),
      sample: { kind: 'Job', namespace: 'shop', name: 'migrate', path: 'spec.template', message: 'field is immutable' },
      variants: [{ kind: 'ClusterRoleBinding', name: 'view', path: 'roleRef', message: 'cannot change roleRef' }],
    }),
  },
});

/** Returns the path of a rejection: the server's path if it names a field. */
export function rejectionPathOf({ path }: ApplyRejection): FieldPath {
  return path === '' ? ROOT_PATH : toFieldPath`${path}`;
}

/** Returns the finding for the rollout of a refused object. */
export function buildRefusedFinding(refusal: ApplyRejection): Finding {
  const { path, message: text } = refusal;
  return changeRefused.createFinding('refused', { path: rejectionPathOf(refusal), data: { path, message: text } });
}

/** Returns the finding for a refused object without a rollout, such as a Job, so that every rejection has a finding. */
export function buildRefusedObjectFinding({ kind, namespace, name }: ResourceRef, refusal: ApplyRejection, source?: Source): Finding {
  const { path, message: text } = refusal;
  const data = { kind, ...(namespace !== undefined && { namespace }), name, path, message: text };
  return changeRefused.createFinding('object', { path: rejectionPathOf(refusal), data, ...(source && { source }) });
}
