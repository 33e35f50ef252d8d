import { defineMessage, defineRule } from '../../core/findings/finding';
import { joinTruncatedNames, joinWords, pluralize } from '../../core/text/text-format';
import type { TruncatedNames } from '../../core/text/text-format';

interface NamespaceData {
  readonly objects: number;
  /** The first of them, formatted for a message. */
  readonly first: string;
}

interface CopyData {
  readonly objects: number;
  /** The first of them, formatted for a message. */
  readonly first: string;
  /** The object that it may be, formatted for a message. */
  readonly other: string;
}

interface PreconditionsData {
  readonly objects: number;
  /** The first of them, formatted for a message. */
  readonly first: string;
  /** The first field of it that names a live object: `metadata.uid`. */
  readonly path: string;
}

interface NotPrunedData {
  /** Name of the tool for messages. */
  readonly tool: string;
  readonly objects: number;
  /** The first of them, formatted for a message. */
  readonly first: string;
}

interface RoundedData {
  readonly numbers: number;
  /** The first of them, formatted for a message. */
  readonly path: string;
  /** Its object, formatted for a message. */
  readonly resource: string;
}

interface ReleasedData {
  /** Workloads, formatted for a message. */
  readonly resources: TruncatedNames;
}

interface DeploymentModeData {
  /** InferenceServices, formatted for a message. */
  readonly resources: readonly string[];
}

interface UnknownTemplateData {
  /** Workloads, formatted for a message. */
  readonly resources: readonly string[];
}

interface UnseenRuntimeData {
  /** InferenceServices, formatted for a message. */
  readonly resources: TruncatedNames;
  readonly to: string;
}

interface UnreadData {
  /** Types that the user may not read, formatted for a message. */
  readonly resources: readonly string[];
  /** What the plan does not know without them. */
  readonly unknown: readonly string[];
}

const OLD_EXAMPLE = `apiVersion: v1
kind: ConfigMap
metadata: { name: settings, namespace: shop }
data: { mode: fast }
`;
const NEW_EXAMPLE = OLD_EXAMPLE.replace('fast', 'slow');

/** Information that files do not contain, reported once. */
export const incompleteInformation = defineRule({
  code: 'change/incomplete-information',
  since: '0.1.0',
  severity: ['info', 'warning', 'error'],
  fires:
    'OLD keeps pods from updating and is only a manifest, a Canary of Flagger for a workload is no longer there (a warning), no file contains the mode of an InferenceService, only one side sets a namespace, OLD has objects that NEW lacks and that their tool deletes although the plan keeps them, or that Argo CD deletes only once a user confirms it (a warning), NEW contains an object twice (an error if one of the two has no namespace, both are in one folder and a rollout or a claim may be overwritten), a number that is rounded, or a resourceVersion or uid that OLD does not show (a warning), the user may not read a part of the cluster (a warning for an upgrade), an upgrade of KServe lacks serving runtimes, or OLD is a plan document. Each is reported once per run.',
  why: 'The plan guesses nothing: what neither the files nor the snapshot show is not in it.',
  fix: 'Read OLD with `kubectl get -o yaml --show-managed-fields`, so that fields written by others are in the input.',
  example: `# rolloutkit plan --from old.yaml new.yaml
# old.yaml
${OLD_EXAMPLE}# new.yaml
${NEW_EXAMPLE.replace(', namespace: shop', '')}`,
  fixedExample: `# rolloutkit plan --from old.yaml new.yaml
# old.yaml
${OLD_EXAMPLE}# new.yaml
${NEW_EXAMPLE}`,
  messages: {
    namespace: defineMessage<NamespaceData>({
      text: ({ objects, first }) =>
        `${pluralize(objects, 'object')}, ${objects === 1 ? '' : 'the first '}${first}, ${objects === 1 ? 'has' : 'have'} a namespace on one side only. Both sides are treated as one object, in the namespace that the command line sets. If OLD runs in another namespace, NEW is created next to it, and OLD stays.`,
      help: () => 'Set the namespace on both sides, or read OLD from the cluster.',
      sample: { objects: 3, first: 'Deployment shop/web' },
      variants: [{ objects: 1, first: 'Deployment shop/web' }],
    }),
    copies: defineMessage<CopyData>({
      text: ({ objects, first, other }) =>
        `NEW contains ${objects === 1 ? `a copy of ${other}, planned as the new object ${first}` : `copies of ${objects} objects, planned as new, such as ${first}, a copy of ${other}`}. If both are applied to one cluster and namespace, the later one changes the object instead of creating one.`,
      help: () => 'Write the namespace of each, plan each cluster by its own PATH, and delete the copies that are for the same cluster.',
      sample: { objects: 1, first: 'Deployment shop/web', other: 'Deployment shop/web' },
      variants: [{ objects: 2, first: 'Deployment default/web', other: 'Deployment web' }],
    }),
    preconditions: defineMessage<PreconditionsData>({
      text: ({ objects, first, path }) =>
        `${objects === 1 ? first : `${objects} objects, the first ${first},`} ${objects === 1 ? 'sets' : 'set'} ${path}: the API server refuses ${objects === 1 ? 'it' : 'each'} unless the live object has the same value, which OLD does not show.`,
      help: () => 'Remove metadata.resourceVersion and metadata.uid, or read OLD from the cluster.',
      sample: { objects: 1, first: 'Deployment shop/web', path: 'metadata.resourceVersion' },
      variants: [{ objects: 2, first: 'Deployment shop/web', path: 'metadata.uid' }],
    }),
    'not-pruned': defineMessage<NotPrunedData>({
      text: ({ tool, objects, first }) =>
        `${objects === 1 ? `NEW lacks ${first}, which ${tool} then deletes` : `NEW lacks ${objects} objects of OLD, such as ${first}, which ${tool} then deletes`}. This plan keeps ${objects === 1 ? 'it' : 'them'}.`,
      help: () => 'Run with --prune to plan the deletion.',
      sample: { tool: 'Helm', objects: 1, first: 'Deployment shop/web' },
      variants: [{ tool: 'Fleet', objects: 2, first: 'Deployment shop/web' }],
    }),
    confirmation: defineMessage<NotPrunedData>({
      text: ({ tool, objects, first }) =>
        `${tool} deletes ${objects === 1 ? first : `${objects} objects that NEW lacks, such as ${first},`} only once a user confirms it. Until then the sync waits and applies nothing of the same wave or a later one, which the plan does not show.`,
      help: () => 'Set the annotation argocd.argoproj.io/deletion-approved of the Application to the time at which you confirm it.',
      sample: { tool: 'Argo CD', objects: 1, first: 'Deployment shop/web' },
      variants: [{ tool: 'Argo CD', objects: 2, first: 'Deployment shop/web' }],
    }),
    rounded: defineMessage<RoundedData>({
      text: ({ numbers, path, resource }) =>
        `NEW contains ${numbers === 1 ? `a number beyond 2^53: ${path} of ${resource}. It is` : `${numbers} numbers beyond 2^53, the first of them ${path} of ${resource}. They are`} rounded, so a change of the last digits is not seen.`,
      help: () => 'Write a quantity in quotes or with a unit, such as 8Pi. Compare other numbers of this size by hand.',
      sample: { numbers: 1, path: 'spec.hard[requests.storage]', resource: 'ResourceQuota shop/storage' },
      variants: [{ numbers: 2, path: 'spec.hard[requests.storage]', resource: 'ResourceQuota shop/storage' }],
    }),
    'unknown-pod-template': defineMessage<UnknownTemplateData>({
      text: ({ resources }) =>
        `OLD keeps the pods of ${joinWords(resources)} from updating, and NEW releases them. A manifest does not show whether they have an older template, so it is not known whether they roll.`,
      help: () =>
        'Read OLD from the cluster, with its ReplicaSets and Pods: kubectl get deployments,replicasets,statefulsets,daemonsets,pods -o yaml.',
      sample: { resources: ['Deployment shop/web'] },
      variants: [{ resources: ['Deployment shop/web', 'StatefulSet shop/db'] }],
    }),
    released: defineMessage<ReleasedData>({
      text: ({ resources }) =>
        `NEW has no Canary of Flagger for ${joinTruncatedNames(resources)}, which OLD has: a deleted Canary takes its primary with it, which runs the pods. Without revertOnDeletion in the live Canary, the workload stays at 0 pods.`,
      help: () => 'Set revertOnDeletion: true and apply it before the Canary is deleted, or scale the workload up again yourself.',
      sample: { resources: { names: ['Deployment shop/web'] } },
    }),
    'deployment-mode': defineMessage<DeploymentModeData>({
      text: ({ resources }) =>
        `It is not known what happens to the deploymentMode of ${joinWords(resources)}: KServe refuses a mode other than the one it recorded. Neither a status nor the ConfigMap "inferenceservice-config" shows that mode, or which one the webhook of KServe adds.`,
      help: () =>
        'Read OLD from the cluster with its status, and add the ConfigMap to both sides: kubectl get configmap inferenceservice-config -n kserve -o yaml.',
      sample: { resources: ['InferenceService models/iris'] },
      variants: [{ resources: ['InferenceService models/iris', 'InferenceService models/bert'] }],
    }),
    'unseen-runtime': defineMessage<UnseenRuntimeData>({
      text: ({ resources, to }) =>
        `The input does not contain the serving runtimes of ${joinTruncatedNames(resources)}. KServe ${to} reads their annotations differently, so it is not known whether these services roll.`,
      help: () => 'Add the runtimes to the input: kubectl get clusterservingruntimes,servingruntimes --all-namespaces -o yaml.',
      sample: { resources: { names: ['InferenceService models/iris'] }, to: '0.20' },
      variants: [{ resources: { names: ['InferenceService models/iris', 'InferenceService models/bert'] }, to: '0.20' }],
    }),
    unread: defineMessage<UnreadData>({
      text: ({ resources, unknown }) => `The user may not read ${joinWords(resources)}. The plan does not know ${joinWords(unknown)}.`,
      help: () => 'Ask for a role that may get and list them, such as the ClusterRole "view", and for nodes a ClusterRole of its own.',
      sample: { resources: ['nodes'], unknown: ['whether pods fit on the nodes'] },
      variants: [
        {
          resources: ['nodes', 'services in shop'],
          unknown: ['whether pods fit on the nodes', 'which Services lose endpoints'],
        },
      ],
    }),
    'not-in-snapshot': defineMessage<TruncatedNames>({
      text: (namespaces) =>
        `The snapshot does not contain ${namespaces.names.length === 1 ? 'namespace' : 'namespaces'} ${joinTruncatedNames(namespaces)}. The plan does not know what runs there.`,
      help: () => 'Make the snapshot with these manifests: rolloutkit snapshot --output FILE PATH',
      sample: { names: ['staging'] },
      variants: [{ names: ['staging', 'test'] }],
    }),
    'not-read-by-name': defineMessage<TruncatedNames>({
      text: ({ names, omitted }) =>
        `The snapshot was made without ${joinTruncatedNames({ names, omitted })}. The plan does not know whether ${names.length === 1 ? 'it exists' : 'they exist'}.`,
      help: () => 'Make the snapshot with these manifests: rolloutkit snapshot --output FILE PATH',
      sample: { names: ['ClusterRoleBinding web'] },
      variants: [{ names: ['ClusterRoleBinding web', 'ConfigMap shop/settings'] }],
    }),
    'plan-document': defineMessage<object>({
      text: () => 'OLD is a plan document: the plan compares how rollouts behave, but what applying NEW does to each object is not known.',
      help: () => 'Pass the manifests or live objects that OLD was planned from.',
      sample: {},
    }),
  },
});
