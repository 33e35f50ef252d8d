import type { ApplyTool } from '../../core/document/change';
import { ROOT_PATH } from '../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../core/findings/finding';
import type { Finding, Source } from '../../core/findings/finding';
import { nameOf, namespaceOf } from '../../core/manifest/manifest';
import { describeResource } from '../../core/document/rollout';
import { shortenMessage } from '../../core/text/text-format';
import type { ObjectComparison } from '../compare/object-comparison';
import { canAdoptPods } from '../compare/adopted-pods';

interface RecreatedData {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly tool: ApplyTool;
  /** Name of the tool for messages. */
  readonly title: string;
  /** Why the API server refuses the update. */
  readonly reason: string;
  /** Whether a new StatefulSet does not adopt the pods of the old one, because its selector does not match them. */
  readonly releasesPods?: true;
}

type ReplacedData = Omit<RecreatedData, 'reason' | 'releasesPods'>;

interface LostData extends RecreatedData {
  /** Why the API server refuses the new object as well. */
  readonly error: string;
}

const OLD_EXAMPLE = `apiVersion: batch/v1
kind: Job
metadata: { name: migrate, annotations: { kustomize.toolkit.fluxcd.io/force: enabled } }
spec:
  template:
    spec:
      restartPolicy: Never
      containers: [{ name: migrate, image: web:1 }]
`;

/** Kinds whose pods are deleted with the object. */
const POD_KINDS: ReadonlySet<string> = new Set(['Pod', 'ReplicaSet', 'Deployment', 'StatefulSet', 'DaemonSet', 'CronJob']);

/** An object that its tool deletes because the API server refuses the update. */
export const forceRecreates = defineRule({
  code: 'change/force-recreates',
  since: '0.1.0',
  severity: ['warning', 'error'],
  fires:
    'A tool deletes and recreates an object because the API server refuses the update: `force` of a Flux Kustomization, `Force=true` of Argo CD, or a replacement of Pulumi. ' +
    'Argo CD with both `Force=true` and `Replace=true` does so at every difference. ' +
    'It is an error for an object with a rollout, such as a Deployment or an InferenceService, and if the new object is refused too.',
  why: 'The tool deletes the object and its pods first. Flux does so for any refusal, so a value that is simply invalid deletes a running workload, and the new one is then refused.',
  fix: 'Restore the field, or switch force off and follow the advice for the refusal, which keeps the pods. For a Job, force is what recreates it.',
  example: `# rolloutkit plan --from old.yaml new.yaml
# old.yaml
${OLD_EXAMPLE}# new.yaml
${OLD_EXAMPLE.replace('web:1', 'web:2')}`,
  fixedExample: `# rolloutkit plan --from old.yaml new.yaml
# old.yaml
${OLD_EXAMPLE}# new.yaml
${OLD_EXAMPLE.replace('restartPolicy: Never', 'restartPolicy: Never').replace('template:', 'ttlSecondsAfterFinished: 600\n  template:')}`,
  messages: {
    recreated: defineMessage<RecreatedData>({
      text: (data) =>
        `${data.title} deletes and recreates ${describeResource(data)}, because the API server refuses the update: ${data.reason}.`,
      help: ({ kind, tool, releasesPods: areReleased }) => {
        if (kind === 'Job') return 'This is intended if the Job may run again. Otherwise give the new Job another name.';
        if (kind === 'ConfigMap' || kind === 'Secret')
          return 'Write the new data under a new name, and refer to that name in the pod template: pods that start while the object is gone fail.';
        if (!POD_KINDS.has(kind)) return 'Restore the field if something uses the object while it is gone.';
        if (tool !== 'pulumi')
          return 'Restore the field, or switch force off for this object: its pods are deleted before the new ones start.';
        return kind === 'StatefulSet' && !areReleased
          ? 'Restore the field, or first set the annotation pulumi.com/deletionPropagationPolicy: orphan and run "pulumi up": the pods then stay for the new StatefulSet.'
          : 'Restore the field, or give the new object another name, so that its pods start before the old ones are deleted.';
      },
      sample: { kind: 'Job', name: 'migrate', tool: 'flux', title: 'Flux', reason: 'spec.template: field is immutable' },
      variants: [
        {
          kind: 'Deployment',
          namespace: 'shop',
          name: 'web',
          tool: 'argo-cd',
          title: 'Argo CD',
          reason: 'spec.selector: field is immutable',
        },
        {
          kind: 'StatefulSet',
          name: 'db',
          tool: 'pulumi',
          title: 'Pulumi',
          reason: 'spec: Forbidden: updates to statefulset spec are forbidden',
        },
        { kind: 'Deployment', name: 'web', tool: 'pulumi', title: 'Pulumi', reason: 'spec.selector: field is immutable' },
        { kind: 'ConfigMap', name: 'web', tool: 'pulumi', title: 'Pulumi', reason: 'data: field is immutable' },
        { kind: 'RoleBinding', name: 'web', tool: 'argo-cd', title: 'Argo CD', reason: 'roleRef: cannot change roleRef' },
      ],
    }),
    replaced: defineMessage<ReplacedData>({
      text: (data) =>
        `${data.title} deletes ${describeResource(data)} with its pods and creates it again, instead of replacing the pods step by step.`,
      help: ({ tool }) =>
        tool === 'pulumi'
          ? 'Restore the field that makes Pulumi replace the object.'
          : 'Remove Force=true or Replace=true from the sync options of the object, so that it is updated.',
      sample: { kind: 'Deployment', namespace: 'shop', name: 'web', tool: 'argo-cd', title: 'Argo CD' },
      variants: [{ kind: 'StatefulSet', name: 'db', tool: 'pulumi', title: 'Pulumi' }],
    }),
    lost: defineMessage<LostData>({
      text: (data) =>
        `${data.title} deletes ${describeResource(data)}, because the API server refuses the update (${data.reason}), and then the API server refuses the new object too: ${data.error}. The object is gone.`,
      help: () => 'Correct what is refused before you apply, or switch force off.',
      sample: {
        kind: 'Deployment',
        namespace: 'shop',
        name: 'web',
        tool: 'flux',
        title: 'Flux',
        reason: 'spec.replicas: Invalid value: -1',
        error: 'spec.replicas: Invalid value: -1',
      },
    }),
  },
});

function formatReason({ path, message: text }: { readonly path: string; readonly message: string }): string {
  return path === '' ? shortenMessage(text) : `${path}: ${shortenMessage(text)}`;
}

/**
 * Reports an object that its tool deletes: because the API server refuses the update, or one with a rollout that it never updates.
 *
 * @param hasRollout - whether a rollout would replace the pods of the object, which are deleted too
 */
export function checkForceRecreates(comparison: ObjectComparison, hasRollout: boolean, source?: Source): Finding[] {
  const { next, applied, recreatedFor, refusal, isReplaced } = comparison;
  const namespace = namespaceOf(next);
  const { tool, title } = applied.applier;
  const object = { kind: next.kind, ...(namespace !== undefined && { namespace }), name: nameOf(next), tool, title };
  const common = { path: ROOT_PATH, ...(source && { source }) };
  if (!recreatedFor)
    return isReplaced && hasRollout ? [forceRecreates.createFinding('replaced', { ...common, severity: 'error', data: object })] : [];
  const data = { ...object, reason: formatReason(recreatedFor), ...(!canAdoptPods(comparison) && { releasesPods: true as const }) };
  if (refusal)
    return [forceRecreates.createFinding('lost', { ...common, severity: 'error', data: { ...data, error: formatReason(refusal) } })];
  return [forceRecreates.createFinding('recreated', { ...common, data, ...(hasRollout && { severity: 'error' as const }) })];
}
