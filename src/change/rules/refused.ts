import type { ApplyRejection } from '../../core/change';
import { ROOT_PATH, toFieldPath } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import { defineMessage, defineRule } from '../../core/finding';
import type { Finding, Source } from '../../core/finding';
import type { ResourceRef } from '../../core/rollout';
import { isFieldManagerConflict } from '../apiserver/server-side-apply';

interface RefusedData {
  /** As the server writes it; empty where it names none. */
  readonly path: string;
  readonly message: string;
}

interface RefusedObjectData extends RefusedData {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

const CONFLICT_HELP =
  'Leave the fields to their managers: delete them from NEW. Or take them over with "kubectl apply --server-side --force-conflicts".';

/** Making an object anew helps against what may not change, and not against a conflict or what no server can read. */
function suggestRemedy(data: RefusedData, recreateHelp: string): string {
  if (isFieldManagerConflict(data)) return CONFLICT_HELP;
  return data.path === '' ? 'Correct what is refused, or put it back as it was.' : recreateHelp;
}

function formatReason({ path, message: text }: RefusedData): string {
  return path === '' ? text : `${path}: ${text}`;
}

/** What kubectl, the API server, a webhook or a controller says no to. */
export const changeRefused = defineRule({
  code: 'change/refused',
  since: '0.1.0',
  severity: 'error',
  fires: 'Applying the object over what is there is refused: an immutable field, a value that is not valid, a conflict of field managers.',
  why: 'Nothing of the object changes, and a tool that applies several objects stops here or goes on without it.',
  fix: 'Put the field back, or delete the object and make it anew, which takes its pods down. In a conflict leave the field to its manager, or force it.',
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
      help: (data) =>
        suggestRemedy(data, 'Put the field back as it was, or delete the object and make it anew, which takes its pods down meanwhile.'),
      sample: { path: 'spec.selector', message: 'field is immutable' },
      variants: [
        { path: '', message: 'Deployment in version "v1" cannot be handled as a Deployment' },
        { path: '.spec.replicas', message: 'Apply failed with 1 conflict: conflict with "hpa" using apps/v1: .spec.replicas' },
      ],
    }),
    object: defineMessage<RefusedObjectData>({
      text: ({ kind, namespace, name, ...data }) =>
        `Applying ${kind} ${namespace === undefined ? '' : `${namespace}/`}${name} is refused: ${formatReason(data)}.`,
      help: (data) => suggestRemedy(data, 'Put the field back as it was, or delete the object and make it anew.'),
      sample: { kind: 'Job', namespace: 'shop', name: 'migrate', path: 'spec.template', message: 'field is immutable' },
      variants: [{ kind: 'ClusterRoleBinding', name: 'view', path: 'roleRef', message: 'cannot change roleRef' }],
    }),
  },
});

/** Where a refusal points: the server's path, as far as it names a field. */
export function rejectionPathOf({ path }: ApplyRejection): FieldPath {
  return path === '' ? ROOT_PATH : toFieldPath`${path}`;
}

/** What is said in the rollout of an object that is refused. */
export function buildRefusedFinding(refusal: ApplyRejection): Finding {
  const { path, message: text } = refusal;
  return changeRefused.createFinding('refused', { path: rejectionPathOf(refusal), data: { path, message: text } });
}

/** What is said of a refused object that rolls nothing out, such as a Job, so that no refusal is without a finding. */
export function buildRefusedObjectFinding({ kind, namespace, name }: ResourceRef, refusal: ApplyRejection, source?: Source): Finding {
  const { path, message: text } = refusal;
  const data = { kind, ...(namespace !== undefined && { namespace }), name, path, message: text };
  return changeRefused.createFinding('object', { path: rejectionPathOf(refusal), data, ...(source && { source }) });
}
