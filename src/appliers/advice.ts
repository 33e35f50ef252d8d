import type { ApplyRejection, ApplyTool } from '../core/document/change';
import { FORCE_ERROR } from './argo-cd';

/** Refusals that have advice of their own. */
export type RefusalKind =
  | 'statefulset-field'
  | 'selector'
  | 'job-template'
  | 'recreate-limits'
  | 'field-conflict'
  | 'immutable-config'
  | 'kueue-group'
  | 'kueue-replicas'
  | 'kueue-label'
  | 'force-option'
  | 'value';

/** The object that advice is about, for its commands. */
export interface AdvisedObject {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

/** What a refused update would change, for the advice about it. */
export interface RefusedChange {
  /** Whether it changes the serviceName of a StatefulSet, which running pods keep in their subdomain. */
  readonly changesServiceName?: boolean;
  /** Whether it changes the claim templates of a StatefulSet, which existing claims keep. */
  readonly changesClaims?: boolean;
  /** Whether it also changes the pod template, so that adopted pods roll. */
  readonly changesTemplate?: boolean;
  /** Whether its selector does not match the pods of a StatefulSet, so that a new StatefulSet of the same name never adopts them. */
  readonly releasesPods?: boolean;
}

type Family = 'kubectl' | 'helm' | 'flux' | 'flux-helm' | 'argo-cd' | 'fleet' | 'pulumi';

const FAMILIES: Readonly<Record<ApplyTool, Family>> = {
  kubectl: 'kubectl',
  'kubectl-server-side': 'kubectl',
  'kubectl-replace': 'kubectl',
  'helm-3': 'helm',
  'helm-4': 'helm',
  flux: 'flux',
  'flux-helm': 'flux-helm',
  'argo-cd': 'argo-cd',
  'argo-cd-server-side': 'argo-cd',
  fleet: 'fleet',
  pulumi: 'pulumi',
};

function classifyKueueRefusal(path: string): RefusalKind {
  if (path.startsWith('metadata.labels')) return 'kueue-label';
  return path === 'spec.replicas' ? 'kueue-replicas' : 'kueue-group';
}

/** Classifies a refusal of the API server, by the kind of the object and the field that it names. */
export function classifyRefusal(kind: string, { path, message }: ApplyRejection): RefusalKind {
  if (message.startsWith('Apply failed with ')) return 'field-conflict';
  if (message === FORCE_ERROR) return 'force-option';
  if (message.startsWith('Kueue refuses it')) return classifyKueueRefusal(path);
  if (kind === 'StatefulSet' && (path === 'spec' || path === 'spec.selector') && /updates to statefulset spec|immutable/.test(message))
    return 'statefulset-field';
  if (
    (kind === 'Deployment' || kind === 'DaemonSet' || kind === 'ReplicaSet') &&
    path === 'spec.selector' &&
    message.endsWith('field is immutable')
  )
    return 'selector';
  if (kind === 'Job' && path.startsWith('spec.') && message.includes('immutable')) return 'job-template';
  if (path === 'spec.strategy.rollingUpdate' && message.includes("strategy `type` is 'Recreate'")) return 'recreate-limits';
  if (
    kind === 'StatefulSet' &&
    path === 'spec.updateStrategy.rollingUpdate' &&
    message.includes("only allowed for updateStrategy 'RollingUpdate'")
  )
    return 'recreate-limits';
  if ((kind === 'ConfigMap' || kind === 'Secret') && message.includes('immutable')) return 'immutable-config';
  return 'value';
}

function formatTarget({ kind, name, namespace }: AdvisedObject): string {
  return `${kind.toLowerCase()}/${name}${namespace === undefined ? '' : ` -n ${namespace}`}`;
}

type Advice = Readonly<Record<Family, (object: AdvisedObject) => string>>;

function formatOrphanCommand(object: AdvisedObject): string {
  return `kubectl delete ${formatTarget(object)} --cascade=orphan`;
}

/** Steps that delete a StatefulSet without its pods and let the tool create it again. */
const ORPHAN_STEPS: Advice = {
  kubectl: (object) => `run "${formatOrphanCommand(object)}", then apply`,
  helm: (object) => `run "${formatOrphanCommand(object)}", then upgrade: Helm creates what is missing`,
  flux: (object) =>
    `suspend the Kustomization, run "${formatOrphanCommand(object)}", then resume it. Do not use force, which deletes the pods too`,
  'flux-helm': (object) => `suspend the HelmRelease, run "${formatOrphanCommand(object)}", then resume it`,
  'argo-cd': (object) => `disable auto-sync, run "${formatOrphanCommand(object)}" or delete it non-cascading in the UI, then sync`,
  fleet: (object) => `pause the bundle, run "${formatOrphanCommand(object)}" on the cluster, then resume the bundle`,
  pulumi: () =>
    'first set the annotation pulumi.com/deletionPropagationPolicy: orphan and run "pulumi up", then make the change, which Pulumi replaces',
};

function formatNewName(object: AdvisedObject): string {
  return `create the ${object.kind} under a new name next to the old one, switch the Service to it, then delete the old one`;
}

/** Ways to change a selector. Pods of the old one are never adopted, so after an orphan delete they keep running. */
const SELECTOR_STEPS: Advice = {
  kubectl: formatNewName,
  helm: formatNewName,
  flux: (object) => `${formatNewName(object)}. With force Flux deletes it first, and all pods are down`,
  'flux-helm': formatNewName,
  'argo-cd': formatNewName,
  fleet: formatNewName,
  pulumi: () => 'let Pulumi name it, so that the replacement is created first; with a fixed name all pods are down meanwhile',
};

const JOB_STEPS: Advice = {
  kubectl: (object) => `run "kubectl delete ${formatTarget(object)}", then apply, or give the Job a new name for each change`,
  helm: () => 'make it a hook (helm.sh/hook: pre-upgrade), which Helm deletes and creates again, or put the revision into its name',
  flux: () => 'set the annotation kustomize.toolkit.fluxcd.io/force: enabled on this Job only, and Flux deletes and recreates it',
  'flux-helm': () => 'make it a hook (helm.sh/hook: pre-upgrade), which Helm deletes and creates again, or put the revision into its name',
  'argo-cd': () =>
    'make it a hook (argocd.argoproj.io/hook: Sync), or set argocd.argoproj.io/sync-options: Force=true,Replace=true on this Job only',
  fleet: () => 'make it a hook (helm.sh/hook: pre-upgrade), which Fleet deletes and creates again',
  pulumi: () => 'Pulumi replaces it',
};

function formatStrategyPatch(object: AdvisedObject): string {
  const [field, type] = object.kind === 'StatefulSet' ? ['updateStrategy', 'OnDelete'] : ['strategy', 'Recreate'];
  return `kubectl patch ${formatTarget(object)} --type strategic -p '{"spec":{"${field}":{"type":"${type}","rollingUpdate":null}}}'`;
}

function createPatchSteps(next: string): (object: AdvisedObject) => string {
  return (object) => `run "${formatStrategyPatch(object)}", which replaces no pod unless a rollout is under way, then ${next}`;
}

/** Ways to change RollingUpdate to Recreate, or to OnDelete. Only a write of both fields at once removes the limits that the API server defaulted. */
const RECREATE_STEPS: Advice = {
  kubectl: createPatchSteps('apply'),
  helm: (object) => `${createPatchSteps('upgrade')(object)}; or upgrade once with --server-side=false`,
  flux: createPatchSteps('reconcile'),
  'flux-helm': createPatchSteps('reconcile'),
  'argo-cd': (object) => `${createPatchSteps('sync')(object)}; or sync once with ServerSideApply=false on this object`,
  fleet: (object) => `${createPatchSteps('let Fleet deploy again')(object)}, on the cluster`,
  pulumi: createPatchSteps('run "pulumi up"'),
};

const CONFLICT_STEPS: Advice = {
  kubectl: () => 'take them over with "kubectl apply --server-side --force-conflicts"',
  helm: () => 'take them over once with "helm upgrade --force-conflicts"',
  flux: () => 'Flux takes them over',
  'flux-helm': () => 'Flux takes them over',
  'argo-cd': () => 'Argo CD takes them over',
  fleet: () => 'set helm.takeOwnership: true for a new release, which Fleet then applies client-side',
  pulumi: () => 'take them over with the annotation pulumi.com/patchForce: "true"',
};

const NEW_CONFIG_NAME = 'write the new data under a new name, and refer to that name in the pod template';

const CONFIG_STEPS: Advice = {
  kubectl: () => `${NEW_CONFIG_NAME}; a configMapGenerator of kustomize does both`,
  helm: () => `${NEW_CONFIG_NAME}, such as one with a hash of the data`,
  flux: () => `${NEW_CONFIG_NAME}; a configMapGenerator of kustomize does both`,
  'flux-helm': () => `${NEW_CONFIG_NAME}, such as one with a hash of the data`,
  'argo-cd': () => `${NEW_CONFIG_NAME}; a configMapGenerator does both. Sync with PruneLast=true, so that old pods keep the old one`,
  fleet: () => `${NEW_CONFIG_NAME}; a configMapGenerator of kustomize does both`,
  pulumi: () => 'let Pulumi name it, and it creates the new one first',
};

function capitalize(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** Returns what an orphan delete does to the pods and their claims. */
function describeOrphanedPods({ changesServiceName, changesClaims, changesTemplate }: RefusedChange): string {
  const parts = [
    changesTemplate
      ? ' The pods keep running, and the new StatefulSet adopts and then rolls them, because the template differs.'
      : ' The pods keep running, and the new StatefulSet adopts them without a restart.',
    changesServiceName
      ? ' Pods that are not restarted keep the old serviceName in their subdomain, so their names under the new Service do not resolve.'
      : '',
    changesClaims ? ' Existing claims keep their size and class: only new ordinals get the new claim template.' : '',
    ' Until then no controller replaces a lost pod.',
  ];
  return parts.join('');
}

const IF_INTENDED = 'Restore the old value. If the change is intended, ';

/** Advice by refusal. Each chooses the steps of the tool. */
const ADVICE: Readonly<Record<RefusalKind, (choose: (advice: Advice) => string, change: RefusedChange) => string>> = {
  'statefulset-field': (choose, change) =>
    change.releasesPods
      ? `${IF_INTENDED}${choose(SELECTOR_STEPS)}. Do not delete it with --cascade=orphan: the new selector does not match its pods, ` +
        'so the new StatefulSet does not adopt them, and it cannot create pods of the same names.'
      : `${IF_INTENDED}${choose(ORPHAN_STEPS)}.${describeOrphanedPods(change)}`,
  selector: (choose) =>
    `${IF_INTENDED}${choose(SELECTOR_STEPS)}. Do not delete it with --cascade=orphan: pods of the old selector are never adopted and keep running.`,
  'job-template': (choose) => `${capitalize(choose(JOB_STEPS))}.`,
  'recreate-limits': (choose) => `Nothing has to be deleted: ${choose(RECREATE_STEPS)}.`,
  'field-conflict': (choose) => `Delete the fields from NEW to leave them to their managers, or ${choose(CONFLICT_STEPS)}.`,
  'immutable-config': (choose) => `${capitalize(choose(CONFIG_STEPS))}.`,
  'kueue-group': () =>
    'Restore the old value, or delete the object and create it again, so that Kueue admits new pods: it refuses the change at 0 replicas too.',
  'kueue-replicas': () => 'Scale it to 0, wait until its pods are gone, then scale it up: Kueue then admits the new number of pods.',
  'kueue-label': () => 'Restore the old label, or delete the object and create it again. A queue can change while no pod runs.',
  'force-option': () => 'Remove Force=true or ServerSideApply=true from the sync options of the object: Argo CD cannot use both.',
  value: () => 'Correct what is refused, or restore the old value.',
};

/**
 * Returns what to do about a refusal with a tool: the advice by refusal and tool.
 *
 * @example adviseOnRefusal('selector', 'helm-4', { kind: 'Deployment', name: 'web' })
 */
export function adviseOnRefusal(refusal: RefusalKind, tool: ApplyTool, object: AdvisedObject, change: RefusedChange = {}): string {
  const choose = (advice: Advice) => advice[FAMILIES[tool]](object);
  return ADVICE[refusal](choose, change);
}

const OWNS_ONCE_SCALED =
  'once the autoscaler has scaled: it then owns the field, and the number stays. Done earlier, it restores the default 1.';
const DELETE_ONCE_SCALED = `Delete spec.replicas here ${OWNS_ONCE_SCALED}`;
const LEAVE_OUT_ONCE_SCALED = `Leave replicas out of the chart ${OWNS_ONCE_SCALED}`;
const IGNORE_IN_ARGO_CD =
  'Add ignoreDifferences for /spec/replicas and the sync option RespectIgnoreDifferences=true to the Application: the sync then keeps the live number.';

/** How to leave spec.replicas to an autoscaler without dropping to one pod. The texts continue a sentence that names the manifest. */
const HANDOVER_STEPS: Readonly<Record<ApplyTool, (object: AdvisedObject) => string>> = {
  kubectl: (object) =>
    `In this order: delete replicas from the last applied configuration (kubectl apply edit-last-applied ${formatTarget(object)}), then delete spec.replicas here. ` +
    'If you delete it only here, the next kubectl apply leaves 1 pod until the autoscaler corrects it.',
  'kubectl-server-side': () =>
    `${DELETE_ONCE_SCALED} To keep the number until then, first give the field to another manager, which changes no pod: ` +
    'run "kubectl apply --server-side --field-manager=handover" with only the name and the current spec.replicas.',
  'kubectl-replace': () =>
    'Write the current spec.replicas at each replace: a PUT restores the default of every field that it does not set. ' +
    '"kubectl apply" leaves a field that it never set to the autoscaler.',
  'helm-3': () =>
    'Leave replicas out of the chart while the autoscaler is enabled. Helm deletes what a new release no longer sets, ' +
    'so the upgrade that drops them leaves 1 pod until the autoscaler corrects it: run it when load is low.',
  'helm-4': () => LEAVE_OUT_ONCE_SCALED,
  flux: () => DELETE_ONCE_SCALED,
  'flux-helm': () => LEAVE_OUT_ONCE_SCALED,
  'argo-cd': () => IGNORE_IN_ARGO_CD,
  'argo-cd-server-side': () => IGNORE_IN_ARGO_CD,
  fleet: () => LEAVE_OUT_ONCE_SCALED,
  pulumi: () => 'Add ignoreChanges: ["spec.replicas"] to the options of the resource.',
};

/** Returns how to leave spec.replicas to an autoscaler with a tool. */
export function adviseOnReplicas(tool: ApplyTool, object: AdvisedObject): string {
  return HANDOVER_STEPS[tool](object);
}

/** Ways to write a list once with a method that also compares the protocol of a port, or that does not merge. */
const UNMERGED_STEPS: Advice = {
  kubectl: () => 'Apply it once with "kubectl apply --server-side", which also compares the protocol, or with "kubectl replace".',
  helm: () =>
    'Upgrade with --server-side=true of Helm 4, which also compares the protocol, or once with --force, which replaces the object.',
  flux: () => 'Let Flux apply it, which also compares the protocol.',
  'flux-helm': () => 'Write upgrade.serverSideApply: enabled into the HelmRelease, which also compares the protocol.',
  'argo-cd': () => 'Set the sync option ServerSideApply=true, which also compares the protocol, or sync once with Replace=true.',
  fleet: () => 'Set helm.force: true for one deployment of the bundle, which replaces the object.',
  pulumi: () => 'Apply it with enableServerSideApply: true, which also compares the protocol.',
};

/** Returns how a tool writes a list from which its merge loses an item. */
export function adviseOnDroppedItem(tool: ApplyTool, object: AdvisedObject): string {
  return UNMERGED_STEPS[FAMILIES[tool]](object);
}
