import type { ApplyTool } from '../../core/document/change';
import { defineMessage, defineRule } from '../../core/findings/finding';

interface HookData {
  /** `Job shop/migrate` */
  readonly object: string;
  readonly tool: ApplyTool;
  /** Name of the tool for messages. */
  readonly title: string;
}

interface RefusedData extends HookData {
  /** The phase in which it runs: `pre-upgrade`. */
  readonly phase: string;
  /** Whether the pods of NEW run next to it, instead of those of OLD. */
  readonly runsAfter: boolean;
  /** `ResourceQuota "pods"` */
  readonly limit: string;
  readonly resource: string;
}

interface DeletedData extends HookData {
  readonly kind: string;
}

interface LeftData extends HookData {
  /** The phase in which it runs: `pre-upgrade`. */
  readonly phase: string;
  /** Whether the tool creates it, instead of applying it over the one of the last run. */
  readonly creates: boolean;
}

const WORKLOAD = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: web:1, readinessProbe: { tcpSocket: { port: 80 } } }] }
`;

function render(pods: number): string {
  const old = `${WORKLOAD}---
apiVersion: v1
kind: ResourceQuota
metadata: { name: pods, namespace: shop }
spec: { hard: { pods: ${pods} } }
`;
  return `# rolloutkit plan --apply helm --from old.yaml new.yaml
# old.yaml
${old}# new.yaml
${old}---
apiVersion: batch/v1
kind: Job
metadata: { name: migrate, namespace: shop, annotations: { helm.sh/hook: pre-upgrade } }
spec: { template: { spec: { restartPolicy: Never, containers: [{ name: migrate, image: web:1 }] } } }
`;
}

const HOOK_HELP =
  'Remove the hook annotation. If another tool applies the object, name it with --apply, such as --apply client for kubectl.';

/** What is deleted with an object, by kind. */
const DELETED_WITH: Readonly<Record<string, string>> = {
  DaemonSet: ', with all its pods',
  Deployment: ', with all its pods',
  PersistentVolumeClaim: ', with its data',
  StatefulSet: ', with all its pods',
};

/** A hook whose pods cannot start in their phase, or that the tool deletes although it should stay. */
export const hookPods = defineRule({
  code: 'change/hook-pods',
  since: '0.1.0',
  severity: ['error', 'warning', 'info'],
  fires:
    'A quota refuses the pods of a hook next to the pods that run in its phase, an object becomes a hook, or a Deployment, StatefulSet, DaemonSet or PersistentVolumeClaim is one. ' +
    'Or Helm does not delete a hook before it runs again, and the one of the last run is still there (an error if OLD is live).',
  why:
    'A hook before an upgrade runs next to the old pods, one after it next to the new ones. If its pod is refused, the tool waits until its timeout, and the upgrade fails. ' +
    'An object that is a hook is no part of the release: by default the tool deletes it, with its pods or its data, and creates it again at each upgrade. ' +
    'Its change is not planned, so an annotation must not hide one that kubectl or another tool applies.',
  fix: 'Raise the quota by the pods of the hook. Remove the hook annotation from what has to stay. Let Helm delete a hook before it runs again.',
  example: render(2),
  fixedExample: render(3),
  messages: {
    refused: defineMessage<RefusedData>({
      text: ({ object, title, phase, runsAfter, limit, resource }) =>
        `No pod of hook ${object} can start in phase ${phase}: ${limit} has no ${resource} left next to the pods of ${runsAfter ? 'NEW' : 'OLD'}. ${title} waits until its timeout, and then it fails${runsAfter ? '' : ' without applying anything'}.`,
      help: ({ limit, resource }) => `Raise ${resource} of ${limit} by what one pod of the hook needs.`,
      sample: {
        object: 'Job shop/migrate',
        tool: 'helm-3',
        title: 'Helm',
        phase: 'pre-upgrade',
        runsAfter: false,
        limit: 'ResourceQuota "pods"',
        resource: 'pods',
      },
      variants: [
        {
          object: 'Job shop/warm-up',
          tool: 'argo-cd',
          title: 'Argo CD',
          phase: 'PostSync',
          runsAfter: true,
          limit: 'ResourceQuota "cpu"',
          resource: 'requests.cpu',
        },
      ],
    }),
    deleted: defineMessage<DeletedData>({
      text: ({ object, title, kind }) =>
        `${object} is a hook: ${title} deletes it with ${kind === 'PersistentVolumeClaim' ? 'its data' : 'all its pods'} at each upgrade, and then creates it again.`,
      help: () => 'Remove the hook annotation, so that it is updated like the rest.',
      sample: { object: 'Deployment shop/web', tool: 'helm-4', title: 'Helm 4', kind: 'Deployment' },
      variants: [{ object: 'PersistentVolumeClaim shop/data', tool: 'fleet', title: 'Fleet', kind: 'PersistentVolumeClaim' }],
    }),
    left: defineMessage<LeftData>({
      text: ({ object, title, phase, creates }) =>
        creates
          ? `${object} of the last run is still there, and its delete policy lacks before-hook-creation: ${title} cannot create it in phase ${phase}, so the upgrade fails${phase.startsWith('pre-') ? ' before anything else is written' : ''}.`
          : `${object} of the last run is still there, and its delete policy lacks before-hook-creation: ${title} applies over it, so a finished Job does not run again, and one with another template is refused.`,
      help: () => 'Add before-hook-creation to helm.sh/hook-delete-policy.',
      sample: { object: 'Job shop/migrate', tool: 'helm-3', title: 'Helm', phase: 'pre-upgrade', creates: true },
      variants: [
        { object: 'Job shop/migrate', tool: 'helm-4', title: 'Helm 4', phase: 'pre-upgrade', creates: false },
        { object: 'Job shop/migrate', tool: 'helm-3', title: 'Helm', phase: 'post-upgrade', creates: true },
      ],
    }),
    becomesHook: defineMessage<DeletedData>({
      text: ({ object, title, kind }) =>
        `${object} becomes a hook: ${title} deletes the one that it applied before${Object.hasOwn(DELETED_WITH, kind) ? DELETED_WITH[kind] : ''}. Its other changes are not planned.`,
      help: () => HOOK_HELP,
      sample: { object: 'Deployment shop/web', tool: 'helm-3', title: 'Helm', kind: 'Deployment' },
      variants: [
        { object: 'PersistentVolumeClaim shop/data', tool: 'fleet', title: 'Fleet', kind: 'PersistentVolumeClaim' },
        { object: 'ConfigMap shop/settings', tool: 'argo-cd', title: 'Argo CD', kind: 'ConfigMap' },
      ],
    }),
    notRun: defineMessage<HookData>({
      text: ({ object, title }) =>
        `${object} is a hook that ${title} does not run at an upgrade, so it is not planned. kubectl would apply it.`,
      help: () => HOOK_HELP,
      sample: { object: 'Deployment shop/web', tool: 'helm-3', title: 'Helm' },
    }),
  },
});
