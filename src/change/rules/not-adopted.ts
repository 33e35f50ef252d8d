import type { ApplyTool } from '../../core/change';
import { ROOT_PATH } from '../../core/field-path';
import { defineMessage, defineRule } from '../../core/finding';
import type { Finding, Source } from '../../core/finding';
import { annotationOf, getFieldsAt, getListAt, getValueAt, nameOf, namespaceOf } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import { describeResource } from '../../core/rollout';
import type { ObjectComparison } from '../compare/object-comparison';
import { toSafeText } from '../../core/value-text';

interface NotAdoptedData {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  /** Tool that applies NEW. */
  readonly tool: ApplyTool;
}

const EXAMPLE_MANIFEST = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers: [{ name: web, image: web:1, readinessProbe: { tcpSocket: { port: 80 } } }]
`;

function renderLive(metadata: string): string {
  return EXAMPLE_MANIFEST.replace('{ name: web, namespace: shop }', `{ name: web, namespace: shop, uid: a, ${metadata} }`);
}

const OF_KUBECTL = 'managedFields: [{ manager: kubectl, operation: Update }]';
const OF_HELM = 'managedFields: [{ manager: helm, operation: Update }], labels: { app.kubernetes.io/managed-by: Helm }';

/** A live object that the tool did not create, and does not take over by itself. */
export const notAdopted = defineRule({
  code: 'change/not-adopted',
  since: '0.1.0',
  severity: 'warning',
  fires: 'Helm or Pulumi applies a live object, and neither its labels and annotations nor its field managers show that the tool wrote it.',
  why:
    'Helm fails before it writes anything if an object of the chart exists and has no ownership metadata of the release. Since 4.29 Pulumi creates objects with ' +
    'a POST, which fails if the object exists. Sources: Helm 4.2.4 pkg/action/validate.go, pulumi-kubernetes 4.32.0.',
  fix: 'Let the tool take the object over: `helm upgrade --take-ownership`, or import it into the state of Pulumi.',
  example: `# rolloutkit plan --apply helm --from old.yaml new.yaml
# old.yaml
${renderLive(OF_KUBECTL)}# new.yaml
${EXAMPLE_MANIFEST.replace('web:1', 'web:2')}`,
  fixedExample: `# rolloutkit plan --apply helm --from old.yaml new.yaml
# old.yaml
${renderLive(OF_HELM)}# new.yaml
${EXAMPLE_MANIFEST.replace('web:1', 'web:2')}`,
  messages: {
    helm: defineMessage<NotAdoptedData>({
      text: (data) =>
        `Helm did not create ${describeResource(data)}: unless its last release has it, the upgrade fails before anything is written ("exists and cannot be imported into the current release: invalid ownership metadata").`,
      help: () =>
        'Upgrade with --take-ownership, or first set the label app.kubernetes.io/managed-by: Helm and the annotations meta.helm.sh/release-name and meta.helm.sh/release-namespace.',
      sample: { kind: 'Deployment', namespace: 'shop', name: 'web', tool: 'helm-3' },
    }),
    pulumi: defineMessage<NotAdoptedData>({
      text: (data) =>
        `Pulumi did not create ${describeResource(data)}: unless it is in the state, its creation fails, because the object exists.`,
      help: () => 'Import it into the state with the option import of the resource, or set upsertExistingObjects in the provider.',
      sample: { kind: 'Deployment', namespace: 'shop', name: 'web', tool: 'pulumi' },
    }),
  },
});

/** Tools that do not take over an object by themselves, with the start of their field managers. */
const MANAGERS: Partial<Readonly<Record<ApplyTool, { readonly messageId: 'helm' | 'pulumi'; readonly manager: string }>>> = {
  'helm-3': { messageId: 'helm', manager: 'helm' },
  'helm-4': { messageId: 'helm', manager: 'helm' },
  pulumi: { messageId: 'pulumi', manager: 'pulumi' },
};

/** Reports whether it is known who wrote a live object. */
function hasKnownWriters(live: Manifest): boolean {
  return getListAt(live, 'metadata', 'managedFields').length > 0;
}

function isWrittenBy(live: Manifest, manager: string): boolean {
  const isManager = getListAt(live, 'metadata', 'managedFields').some((entry) =>
    toSafeText(getValueAt(entry, 'manager')).startsWith(manager),
  );
  const { 'app.kubernetes.io/managed-by': by } = getFieldsAt(live, 'metadata', 'labels');
  return isManager || annotationOf(live, 'meta.helm.sh/release-name') !== undefined || toSafeText(by).toLowerCase() === manager;
}

/** Reports a live object that the tool did not write and does not take over. */
export function checkNotAdopted({ next, old, applied, hook }: ObjectComparison, source?: Source): Finding[] {
  const known = MANAGERS[applied.applier.tool];
  if (!known || hook || !old?.isLive || !hasKnownWriters(old.manifest) || isWrittenBy(old.manifest, known.manager)) return [];
  const namespace = namespaceOf(next);
  const data = { kind: next.kind, ...(namespace !== undefined && { namespace }), name: nameOf(next), tool: applied.applier.tool };
  return [notAdopted.createFinding(known.messageId, { path: ROOT_PATH, data, ...(source && { source }) })];
}
