import { adviseOnDroppedItem, adviseOnRefusal, classifyRefusal } from '../../appliers/advice';
import type { RefusedChange, AdvisedObject } from '../../appliers/advice';
import type { ApplyRejection, ApplyTool, FieldChange } from '../../core/document/change';
import { ROOT_PATH, toFieldPath } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../core/findings/finding';
import type { Finding, Source } from '../../core/findings/finding';
import { shortenMessage } from '../../core/text/text-format';
import { getFieldsAt, isFields, nameOf, namespaceOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import type { ObjectComparison } from '../compare/object-comparison';
import { canAdoptPods } from '../compare/adopted-pods';

interface RefusedData extends AdvisedObject, RefusedChange {
  /** The path as the server writes it; empty if it names none. */
  readonly path: string;
  readonly message: string;
  /** Tool that applies NEW. */
  readonly tool: ApplyTool;
  /** Whether OLD does not have the object. */
  readonly isNew?: true;
  /** Whether the merge of the tool loses a port of NEW, so that NEW itself is not what is refused. */
  readonly losesPorts?: true;
  /** Whether NEW sets limits of a rolling update and no type, so that the stored type stays. */
  readonly omitsType?: true;
}

function suggestRemedy(data: RefusedData): string {
  if (data.isNew) return 'Correct what is refused. The object does not exist yet, so nothing has to be undone.';
  const refusal = classifyRefusal(data.kind, data);
  if (data.losesPorts && refusal === 'value')
    return `The merge of this apply loses a port of NEW, because it identifies ports only by their number. ${adviseOnDroppedItem(data.tool, data)}`;
  if (data.omitsType && refusal === 'recreate-limits')
    return 'Write type: RollingUpdate next to rollingUpdate: the live object has another type, which stays if NEW names none.';
  return adviseOnRefusal(refusal, data.tool, data, data);
}

/** Formats the reason as a sentence. Most messages of the server have no full stop. */
function formatReason({ path, message: text }: RefusedData): string {
  const reason = path === '' ? text : `${path}: ${text}`;
  return reason.endsWith('.') ? reason : `${reason}.`;
}

/** A change that kubectl, the API server, a webhook or a controller refuses. */
export const changeRefused = defineRule({
  code: 'change/refused',
  since: '0.1.0',
  severity: 'error',
  fires: 'Applying the object over the existing one is refused: an immutable field, an invalid value or a conflict of field managers.',
  why: 'Nothing in the object changes, and a tool that applies several objects stops here or continues without it.',
  fix:
    'Restore the field. If it must change, an orphan delete and an apply keep the pods of a StatefulSet, and a new name keeps those of a Deployment. ' +
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
      help: suggestRemedy,
      sample: { kind: 'Deployment', name: 'web', tool: 'kubectl', path: 'spec.selector', message: 'Invalid value: {}: field is immutable' },
      variants: [
        {
          kind: 'Deployment',
          name: 'web',
          tool: 'kubectl',
          path: '',
          message: 'Deployment in version "v1" cannot be handled as a Deployment',
        },
        { kind: 'Deployment', name: 'web', tool: 'kubectl', isNew: true, path: 'spec.template.spec.containers', message: 'Required value' },
        {
          kind: 'Deployment',
          name: 'web',
          tool: 'kubectl-server-side',
          path: '.spec.replicas',
          message: 'Apply failed with 1 conflict: conflict with "hpa" using apps/v1: .spec.replicas',
        },
        {
          kind: 'StatefulSet',
          name: 'db',
          namespace: 'shop',
          tool: 'flux',
          path: 'spec',
          message: "Forbidden: updates to statefulset spec for fields other than 'replicas' are forbidden",
          changesServiceName: true,
        },
        {
          kind: 'StatefulSet',
          name: 'db',
          tool: 'kubectl',
          path: 'spec',
          message: "Forbidden: updates to statefulset spec for fields other than 'replicas' are forbidden",
          releasesPods: true,
        },
        {
          kind: 'Deployment',
          name: 'web',
          tool: 'helm-4',
          path: 'spec.strategy.rollingUpdate',
          message: "Forbidden: may not be specified when strategy `type` is 'Recreate'",
        },
        {
          kind: 'Deployment',
          name: 'web',
          tool: 'kubectl-server-side',
          path: 'spec.strategy.rollingUpdate',
          message: "Forbidden: may not be specified when strategy `type` is 'Recreate'",
          omitsType: true,
        },
      ],
    }),
    object: defineMessage<RefusedData>({
      text: (data) =>
        `Applying ${data.kind} ${data.namespace === undefined ? '' : `${data.namespace}/`}${data.name} is refused: ${formatReason(data)}`,
      help: suggestRemedy,
      sample: {
        kind: 'Job',
        namespace: 'shop',
        name: 'migrate',
        tool: 'kubectl',
        path: 'spec.template',
        message: 'Invalid value: …: field is immutable',
      },
      variants: [
        { kind: 'Service', name: 'dns', tool: 'kubectl', path: 'spec.ports', message: 'Required value', losesPorts: true },
        { kind: 'ClusterRoleBinding', name: 'view', tool: 'kubectl', path: 'roleRef', message: 'cannot change roleRef' },
        { kind: 'ConfigMap', name: 'app', tool: 'argo-cd', path: 'data', message: 'Forbidden: field is immutable when `immutable` is set' },
      ],
    }),
  },
});

/** Returns the path of a rejection: the server's path if it names a field. */
export function rejectionPathOf({ path }: ApplyRejection): FieldPath {
  return path === '' ? ROOT_PATH : toFieldPath`${path}`;
}

function isChanged(changes: readonly FieldChange[], field: string): boolean {
  return changes.some(({ path }) => path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`));
}

/** Reports whether a manifest sets the limits of a rolling update without the type. */
function omitsStrategyType({ spec }: Manifest): boolean {
  return ['strategy', 'updateStrategy'].some((field) => {
    const { type, rollingUpdate } = getFieldsAt(spec, field);
    return isFields(rollingUpdate) && (type === undefined || type === null);
  });
}

/** Builds the data of a rejection. `changes` are the fields that would differ. */
function buildRefusedData(comparison: ObjectComparison, changes: readonly FieldChange[]): RefusedData {
  const { old, next, applied, refusal } = comparison;
  const namespace = namespaceOf(next);
  const { path, message: text } = refusal!;
  return {
    kind: next.kind,
    ...(namespace !== undefined && { namespace }),
    name: nameOf(next),
    tool: applied.applier.tool,
    ...(old === undefined && { isNew: true as const }),
    path,
    message: shortenMessage(text),
    ...(isChanged(changes, 'spec.serviceName') && { changesServiceName: true }),
    ...(isChanged(changes, 'spec.volumeClaimTemplates') && { changesClaims: true }),
    ...(isChanged(changes, 'spec.template') && { changesTemplate: true }),
    ...(!canAdoptPods(comparison) && { releasesPods: true }),
    ...(omitsStrategyType(next) && { omitsType: true as const }),
    ...(comparison.dropped?.some(({ list }) => list === 'ports') && { losesPorts: true as const }),
  };
}

/** Returns the finding for the rollout of a refused object. */
export function buildRefusedFinding(comparison: ObjectComparison, changes: readonly FieldChange[]): Finding {
  return changeRefused.createFinding('refused', {
    path: rejectionPathOf(comparison.refusal!),
    data: buildRefusedData(comparison, changes),
  });
}

/**
 * Returns the finding for a refused object without a rollout, such as a Job, so that every rejection has a finding.
 *
 * @param path - field that is refused; the message of the server may not name it
 */
export function buildRefusedObjectFinding(
  comparison: ObjectComparison,
  changes: readonly FieldChange[],
  path: FieldPath,
  source?: Source,
): Finding {
  return changeRefused.createFinding('object', {
    path,
    data: buildRefusedData(comparison, changes),
    ...(source && { source }),
  });
}
