import { ANSWERS } from '../crds/probes';

/** Description of a recording for the conformance page. The recording itself contains the version of the upstream code. */
export interface RecordingEntry {
  readonly recording: string;
  /** The upstream function or controller that was recorded. */
  readonly upstreamCode: string;
  /** The test in `test/upstream/` that compares every case. */
  readonly test: string;
  /** Counts the cases of one line of the recording. @default - 1 */
  readonly casesOf?: (line: unknown) => number;
  /** Number of cases in which we differ, as the test counts them, and the reason. @default - none */
  readonly differing?: { readonly count: number; readonly why: string };
  /** The system and its version, if the recording does not contain them. @default - from the recording */
  readonly system?: string;
  /** A remark for readers of the page. @default - none */
  readonly note?: string;
}

function answersOf(line: unknown): number {
  const { answers } = line as { readonly answers?: object };
  return answers === undefined ? 1 : Object.keys(answers).length;
}

function changesOf(line: unknown): number {
  return (line as { readonly cases?: readonly unknown[] }).cases?.length ?? 1;
}

/** Counts a rollout unless the controller refuses it before it starts. */
function countWithRows(line: unknown): number {
  return (line as { readonly error?: string }).error === undefined ? 1 : 0;
}

/** Counts the pairs of versions between which an object was upgraded. */
function countPairs(line: unknown): number {
  return Object.keys((line as { readonly pairs: object }).pairs).length;
}

/** Counts a change if KServe could create the objects of OLD. */
function countCreated(line: unknown): number {
  return (line as { readonly unmade?: string }).unmade === undefined ? 1 : 0;
}

function bundlesOf(line: unknown): number {
  return (line as { readonly bundles: readonly unknown[] }).bundles.length;
}

const COMPLETE_RECONCILE = 'the complete `RayServiceReconciler.Reconcile` on a fake client';
const BUNDLE_CONTROLLER = '`target.Manager.Targets`, `UpdatePartitions`, `MaxUnavailable`, `Unavailable` and the matchers';

/** One entry for each recording, in the order of the page. A test fails if a recording has none. */
export const RECORDINGS: readonly RecordingEntry[] = [
  {
    recording: 'kubernetes-deployment-validation',
    upstreamCode: 'decoder, defaulting, registry strategy and validation of the API server',
    test: 'deployment-validation.test.ts',
  },
  { recording: 'kubernetes-deployment-waves', upstreamCode: '`DeploymentController.syncDeployment`', test: 'deployment-waves.test.ts' },
  {
    recording: 'kubernetes-deployment-changes',
    upstreamCode: '`DeploymentController.syncDeployment`, from any state of the Deployment',
    test: 'deployment-changes.test.ts',
  },
  {
    recording: 'kubernetes-changes',
    system: 'Kubernetes 1.34.4',
    upstreamCode: 'a real API server and its controllers, with manifests applied by the code of kubectl and Helm',
    test: 'changes.long.test.ts',
    differing: {
      count: 9,
      why: 'eight refused addresses, which the recording replaces with "allocated", and a privileged container, which a flag of that API server forbids',
    },
    note: '15 of 975 refusals for values are refused at the same path with another message',
  },
  {
    recording: 'kubernetes-appliers',
    system: 'Kubernetes 1.34.4',
    upstreamCode:
      'a real API server, with manifests applied by the code of Helm 4.2.4, fluxcd/pkg/ssa 0.76.2 and gitops-engine 5baed5604d2d (2025-12-17)',
    test: 'applier-changes.long.test.ts',
    differing: {
      count: 19,
      why: 'recreated Jobs and Pods with values from the server, claims whose finalizer no controller removed, and refused addresses that the recording replaces',
    },
  },
  { recording: 'kubernetes-rounding', upstreamCode: '`ResolveFenceposts`', test: 'deployment-waves.test.ts' },
  {
    recording: 'kubernetes-statefulset-validation',
    upstreamCode: 'decoder, defaulting, registry strategy and validation of the API server',
    test: 'statefulset-validation.test.ts',
  },
  {
    recording: 'kubernetes-statefulset-changes',
    upstreamCode: '`StatefulSetController.sync`, from any state of the StatefulSet, gate on and off',
    test: 'statefulset-changes.test.ts',
    differing: {
      count: 2,
      why: 'no rollingUpdate and fewer replicas in the same apply: a pod is recreated with the old template and deleted twice',
    },
  },
  {
    recording: 'kubernetes-statefulset-order',
    upstreamCode: '`StatefulSetController.sync`, gate on and off',
    test: 'statefulset-order.test.ts',
  },
  {
    recording: 'kubernetes-daemonset-validation',
    upstreamCode: 'decoder, defaulting, registry strategy and validation of the API server',
    test: 'daemonset-validation.test.ts',
  },
  { recording: 'kubernetes-daemonset-nodes', upstreamCode: '`NodeShouldRunDaemonPod`', test: 'daemonset-nodes.test.ts' },
  {
    recording: 'kubernetes-daemonset-changes',
    upstreamCode: '`DaemonSetsController.syncDaemonSet`, from rollouts in progress',
    test: 'daemonset-changes.test.ts',
  },
  { recording: 'kubernetes-daemonset-waves', upstreamCode: '`DaemonSetsController.syncDaemonSet`', test: 'daemonset-waves.test.ts' },
  { recording: 'kubernetes-daemonset-waves-1.30', upstreamCode: '`DaemonSetsController.syncDaemonSet`', test: 'daemonset-waves.test.ts' },
  {
    recording: 'kubernetes-quota-usage',
    upstreamCode: 'LimitRanger, the pod evaluator and the admission of ResourceQuotas',
    test: 'quota-usage.test.ts',
    note: 'at 1.37.0, 31 of 650 pods with resources of their own under a LimitRange use other amounts; they are planned as at 1.34',
  },
  {
    recording: 'kubernetes-quota-rollouts',
    upstreamCode: '`syncDeployment` and `syncReplicaSet` against a quota',
    test: 'quota-rollouts.test.ts',
  },
  {
    recording: 'kubernetes-advised-strategies',
    upstreamCode: '`syncDeployment` and `syncReplicaSet`, for every strategy of a Deployment under a quota, on nodes, or both',
    test: 'advised-strategies.test.ts',
  },
  {
    recording: 'kubernetes-quota-scales',
    upstreamCode:
      '`syncDeployment`, `syncReplicaSet` and `StatefulSetController.sync` against a quota, or with nodes for a limited number of pods',
    test: 'quota-scales.test.ts',
  },
  {
    recording: 'kubernetes-capacity',
    system: 'Kubernetes 1.34.4',
    upstreamCode: "the scheduler's filters, the ranking of pods to delete and the quota evaluators, for all placements of a rollout",
    test: 'capacity-rollouts.test.ts',
    note: 'two rollouts are undecided, because the labels of their namespaces are not in view',
  },
  {
    recording: 'kubernetes-scheduler',
    system: 'Kubernetes 1.34.4, 1.36.3',
    upstreamCode:
      'the scheduler with all default plugins and preemption, the evaluators of pods and ResourceClaims, and the controllers of Deployments, StatefulSets and DaemonSets, for all placements of a rollout',
    test: 'scheduler.long.test.ts',
    note: 'Rollouts with blueGreen and LeaderWorkerSets by controllers that are restated; no verdict is wrong, and 0.7% of the Deployments, 0.5% of the StatefulSets, 0.9% of the Rollouts, 3.4% of the DaemonSets and none of the LeaderWorkerSets are undecided',
  },
  {
    recording: 'kubernetes-endpoints',
    system: 'Kubernetes 1.34.4',
    upstreamCode: 'the EndpointSlice and Deployment controllers, for Services and pods that change',
    test: 'kubernetes-endpoints.test.ts',
  },
  {
    recording: 'kubernetes-endpoint-changes',
    upstreamCode:
      "the EndpointSlice, Deployment and StatefulSet controllers and kube-proxy's trackers, for Services and workloads that change together",
    test: 'endpoint-changes.long.test.ts',
  },
  {
    recording: 'server-termination',
    system: 'uvicorn 0.54.0, gunicorn 27.0.1, hypercorn 0.18.0',
    upstreamCode: 'real servers as process 1, which get SIGTERM while a request runs',
    test: 'server-termination.test.ts',
    note: 'our model is silent about commands whose text does not show the limit',
  },
  {
    recording: 'pod-security',
    upstreamCode: 'the evaluator of Pod Security admission, for each level and four versions of the policy',
    test: 'pod-security.test.ts',
  },
  {
    recording: 'kubectl-folders',
    system: 'kubectl 1.32.4',
    upstreamCode: '`kubectl annotate --local --recursive`, for folders that try to hide objects',
    test: 'kubectl-folders.long.test.ts',
  },
  { recording: 'kubernetes-placement', upstreamCode: "the scheduler's filters, for one node", test: 'placement.test.ts' },
  { recording: 'kubernetes-quantities', upstreamCode: '`Quantity` of apimachinery, parsed and formatted', test: 'quantities.test.ts' },
  { recording: 'kubernetes-limit-ranges', upstreamCode: '`PodValidateLimitFunc` of the LimitRanger', test: 'limit-ranges.test.ts' },
  { recording: 'kubernetes-disruption-budgets', upstreamCode: '`DisruptionController.sync`', test: 'disruption-budgets.test.ts' },
  {
    recording: 'kubernetes-workload-validation',
    upstreamCode: 'validation of the API server, on valid workloads with one change',
    test: 'workload-validation.long.test.ts',
    note: 'a spec of null is reported as a wrong type; the server reads it as empty, and refuses it too',
  },
  {
    recording: 'kubernetes-object-validation',
    upstreamCode:
      'validation of the API server with its messages, on Services, autoscalers, budgets, claims, bindings, ConfigMaps, Secrets, ReplicaSets, Jobs, CronJobs, ResourceQuotas and LimitRanges with one change',
    test: 'object-validation.long.test.ts',
    casesOf: changesOf,
    differing: { count: 10, why: 'bytes as a list of numbers, and the names of an empty list and of empty labels' },
    note: 'an indexed Job with a successPolicy and without completions makes the server panic; the plan refuses it for its completions',
  },
  {
    recording: 'kubernetes-template-fields',
    upstreamCode:
      "the server's decoder, defaulting and gates, then `EqualIgnoreHash`, the bytes of a ControllerRevision and the template generation, for every single field of the pod template and for pairs of fields",
    test: 'template-fields.test.ts',
    differing: {
      count: 9,
      why: 'lists that the decoder reads as [] or null, and that are null once stored in etcd, as the real server of kubernetes-changes shows',
    },
  },
  { recording: 'kubernetes-pod-fields', upstreamCode: 'the Go types of pods, by version', test: 'pod-fields.test.ts' },
  { recording: 'kubectl-yaml', upstreamCode: '`NewYAMLOrJSONDecoder` as kubectl uses it', test: 'kubectl-yaml.test.ts' },
  { recording: 'kserve-deploy-config', upstreamCode: '`NewDeployConfig`', test: 'kserve-config.test.ts' },
  {
    recording: 'kserve-strategies',
    upstreamCode: 'defaulting and validating webhooks, `GetDeploymentMode`, the workload reconciler',
    test: 'kserve-strategies.test.ts',
    note: 'the same at 0.20.0; 0.16.0 differs in 10 of 1,073 lines of the three recordings',
  },
  { recording: 'kserve-nodes', upstreamCode: '`computeRayNodeAndGPUs`', test: 'kserve-nodes.test.ts' },
  {
    recording: 'kserve-changes',
    upstreamCode:
      'the complete `InferenceServiceReconciler.Reconcile` on a fake client, with the webhooks before it and the validation of Deployments after it',
    test: 'kserve-changes.long.test.ts',
    casesOf: countCreated,
    differing: { count: 35, why: 'each with its reason in the test' },
  },
  {
    recording: 'kserve-variables',
    upstreamCode:
      'the same, for the containers in which it sets the variable that is new in 0.17, which an upgrade from an earlier version rolls',
    test: 'upgrades.test.ts',
  },
  {
    recording: 'kserve-upgrades',
    upstreamCode:
      'the complete reconciler of InferenceServices of two versions: what the later one does with the objects that the earlier one left',
    test: 'kserve-upgrades.test.ts',
    casesOf: countPairs,
    note: 'fields, and which components roll; 0.18 was read, because its module cannot be fetched',
  },
  {
    recording: 'kserve-llm-upgrades',
    upstreamCode:
      'how presets are merged and workloads and the scheduler of LLMInferenceServices are reconciled, by two versions with the presets of their charts, and with those of the earlier one',
    test: 'llm-upgrades.test.ts',
    casesOf: countPairs,
    note: 'which components roll; the router is not reconciled',
  },
  {
    recording: 'kuberay-operator-upgrades',
    upstreamCode:
      'the complete reconcilers of RayClusters and RayServices of two versions: what the later one does with the objects that the earlier one left',
    test: 'kuberay-operator-upgrades.test.ts',
    casesOf: countPairs,
    note: '1.7 was read, because its module cannot be fetched',
  },
  {
    recording: 'lws-upgrades',
    upstreamCode:
      'both complete reconcilers and both webhooks of two versions: what the later one does with the objects that the earlier one left',
    test: 'lws-upgrades.test.ts',
    casesOf: countPairs,
    note: '0.10 was read, because its module cannot be fetched',
  },
  ...['', '-1.5'].flatMap((suffix): RecordingEntry[] => [
    {
      recording: `kuberay-validation${suffix}`,
      upstreamCode: '`ValidateRayServiceMetadata`, `ValidateRayServiceSpec`, `ValidateRayClusterUpgradeOptions`',
      test: 'kuberay-validation.test.ts',
    },
    {
      recording: `kuberay-identity${suffix}`,
      upstreamCode: '`GenerateHashWithoutReplicasAndWorkersToDelete`',
      test: 'kuberay-identity.test.ts',
      note: 'a run of 20,000 pairs was also equal',
    },
    { recording: `kuberay-edits${suffix}`, upstreamCode: COMPLETE_RECONCILE, test: 'kuberay-edits.test.ts', casesOf: answersOf },
    { recording: `kuberay-upgrades${suffix}`, upstreamCode: COMPLETE_RECONCILE, test: 'kuberay-upgrades.test.ts' },
  ]),
  {
    recording: 'fleet-rollouts',
    upstreamCode: BUNDLE_CONTROLLER,
    test: 'fleet-rollouts.test.ts',
    casesOf: bundlesOf,
    note: 'these are a part of 1,846 bundles, all equal, as were 425 with clusters down; if agents report one by one, in any order, an update with overlapping partitions and failures may halt at another point',
  },
  { recording: 'fleet-already-down', upstreamCode: BUNDLE_CONTROLLER, test: 'fleet-rollouts.test.ts', casesOf: bundlesOf },
  ...['', '-0.8', '-0.7'].flatMap((suffix): RecordingEntry[] => [
    {
      recording: `lws-steps${suffix}`,
      upstreamCode: '`LeaderWorkerSetReconciler.rollingUpdateParameters`',
      test: 'leaderworkerset.test.ts',
      note: 'more than 21,600 turns of a longer run were equal as well; 0.10 has the same code as 0.9; its module could not be downloaded',
    },
    {
      recording: `lws-rollouts${suffix}`,
      upstreamCode:
        '`LeaderWorkerSetReconciler.rollingUpdateParameters`, turn by turn; the program simulates the StatefulSet controller and the kubelet',
      test: 'leaderworkerset.test.ts',
      note: 'a run of 29,080 rollouts was also equal',
    },
    {
      recording: `lws-changes${suffix}`,
      upstreamCode: 'the same, from groups in any state: rollouts that supersede another, and rollbacks',
      test: 'leaderworkerset.test.ts',
      note: 'a run of 20,000 rollouts was also equal',
    },
    {
      recording: `lws-long-rollouts${suffix}`,
      upstreamCode: 'the same, in rollouts of more than 1,000 waves (simulated in part)',
      test: 'leaderworkerset.test.ts',
    },
    {
      recording: `lws-broken-workers${suffix}`,
      upstreamCode: 'the same, for rollouts in which no new group gets its workers',
      test: 'leaderworkerset.test.ts',
      note: 'a run of 20,000 rollouts was also equal',
    },
    {
      recording: `lws-refusals${suffix}`,
      upstreamCode: 'the defaulting and the validating webhook of LeaderWorkerSet',
      test: 'leaderworkerset.test.ts',
      note: 'a run of 20,000 sets was also equal',
    },
  ]),
  ...[
    ['', '20,088'],
    ['-1.8', '20,667'],
    ['-1.10', '20,200'],
  ].map(([suffix, count]): RecordingEntry => ({
    recording: `argo-rollouts-steps${suffix}`,
    upstreamCode: 'the complete `Controller.syncHandler` on fake clients, with nginx as the router',
    test: 'argo-rollouts.test.ts',
    casesOf: countWithRows,
    note: `a run of ${count} rollouts with other seeds was also equal`,
  })),
  ...['', '-1.8', '-1.10'].map((suffix): RecordingEntry => ({
    recording: `argo-rollouts-changes${suffix}`,
    upstreamCode: 'the same, if replicas and template change together',
    test: 'argo-rollouts.test.ts',
    casesOf: countWithRows,
    ...(suffix === '-1.10' && { note: 'a run of 20,000 rollouts with other seeds was also equal' }),
  })),
  {
    recording: 'argo-rollouts-routers',
    upstreamCode: 'the same, with Istio, SMI and ALB as the router',
    test: 'argo-rollouts.test.ts',
    casesOf: countWithRows,
    note: 'Ambassador, App Mesh and plugins use the same interface; their code was read',
  },
  {
    recording: 'argo-rollouts-more-routers-1.10',
    upstreamCode: 'the same, with Traefik and APISIX as the router',
    test: 'argo-rollouts.test.ts',
    casesOf: countWithRows,
    note: 'a run of 4,600 rollouts with other seeds was also equal',
  },
  {
    recording: 'argo-rollouts-interrupted-1.10',
    upstreamCode: 'the same, for canaries that get a third version, or the stable one again, before the second is rolled out',
    test: 'argo-rollouts.test.ts',
    casesOf: countWithRows,
    note: 'a run of 5,000 rollouts with other seeds was also equal; dynamicStableScale and blue-green start from a steady state, and the plan says so',
  },
  {
    recording: 'argo-rollouts-interrupted-scaled-1.10',
    upstreamCode: 'the same, if the replicas change too',
    test: 'argo-rollouts.test.ts',
    casesOf: countWithRows,
    note: 'one of 4,500 rollouts with other seeds differs: it is scaled to 0 after a setCanaryScale of replicas, which is planned as a scale only',
  },
  {
    recording: 'argo-rollouts-new-steps-1.10',
    upstreamCode: 'the same, for canaries that get other steps before their version is rolled out',
    test: 'argo-rollouts.test.ts',
    casesOf: countWithRows,
  },
  {
    recording: 'argo-rollouts-new-steps-scaled-1.10',
    upstreamCode: 'the same, if the replicas change too',
    test: 'argo-rollouts.test.ts',
    casesOf: countWithRows,
    note: 'a run of 2,500 rollouts with another seed was also equal',
  },
  {
    recording: 'argo-rollouts-room-1.10',
    upstreamCode: 'the same from a steady state, some with other replicas too, with a limited number of pods at once',
    test: 'argo-rollouts.test.ts',
    casesOf: countWithRows,
    note: 'a run of 7,700 rollouts with other seeds was also equal',
  },
  ...['', '-1.10'].map((suffix): RecordingEntry => ({
    recording: `argo-rollouts-restarts${suffix}`,
    upstreamCode:
      'the same, for Rollouts in a steady state that get a `restartAt`, some with younger pods; the program simulates the pods too',
    test: 'argo-rollouts.test.ts',
    casesOf: countWithRows,
    ...(suffix === '-1.10' && { note: 'a run of 4,600 rollouts with other seeds was also equal' }),
  })),
  ...['', '-1.10'].map((suffix): RecordingEntry => ({
    recording: `argo-rollouts-validation${suffix}`,
    upstreamCode: '`ValidateRollout`',
    test: 'argo-rollouts.test.ts',
    note: 'a run of 20,000 specs was also equal',
  })),
  {
    recording: 'guardrails',
    upstreamCode: 'a real API server with the ValidatingAdmissionPolicies that guardrails compile to',
    test: 'guardrails.test.ts',
  },
  {
    recording: 'fixes',
    upstreamCode:
      'a real API server, given files before and after `rolloutkit fix`: published manifests with inserted mistakes, and the examples of our rules',
    test: 'fixes.test.ts',
    note: 'for published files only digests and verdicts are stored; what the server still refuses are fields that were there before and that no fix covers',
  },
  {
    recording: 'crd-mutations',
    upstreamCode:
      'pruning, defaulting, the structural schema, list types and the CEL rules of custom resources (`customresource.NewStrategy`)',
    test: 'crd-mutations.test.ts',
    note: 'for an object that matches none of several schemas, only the refusal is compared',
  },
  {
    recording: 'crd-costs',
    upstreamCode: 'the same, for objects whose rules exceed the cost limit of the server',
    test: 'crd-costs.long.test.ts',
    note: 'the items that a rule iterates over are counted, which is less than its cost: what is refused here is refused there, but not vice versa',
  },
  {
    recording: 'crd-changes',
    upstreamCode: 'the same, for updates, whose rules compare with the old object',
    test: 'crd-changes.test.ts',
  },
  {
    recording: 'crd-functions',
    upstreamCode: 'the functions, macros and optional values that CEL rules have in the API server, one rule each',
    test: 'crd-functions.long.test.ts',
    casesOf: () => ANSWERS.length,
  },
  {
    recording: 'lws-roles',
    upstreamCode: '`ComputeAllSteps` of DisaggregatedSet',
    test: 'disaggregatedset.test.ts',
    note: 'a run of 20,000 rollouts was also equal',
  },
  {
    recording: 'lws-role-rollouts',
    upstreamCode:
      '`DisaggregatedSetReconciler.Reconcile` on a fake client, its LeaderWorkerSets with their webhook; the program simulates their controller',
    test: 'disaggregatedset.test.ts',
    note: 'a run of 16,600 rollouts was also equal',
  },
  {
    recording: 'lws-role-changes',
    upstreamCode: 'the same, from the state that another change left: rollouts that supersede one or two others, and rollbacks',
    test: 'disaggregatedset.test.ts',
  },
  ...['', '-0.19'].map((suffix): RecordingEntry => ({
    recording: `kserve-llm-workloads${suffix}`,
    upstreamCode: 'the reconcilers of the workloads and of the scheduler of LLMInferenceServices, on a fake client',
    test: 'llminferenceservice.test.ts',
    note: 'a run of 20,000 services was also equal',
  })),
  {
    recording: 'flagger-canaries',
    upstreamCode: '`Controller.advanceCanary` of Flagger, once an interval: new Canaries, and changes of their targets',
    test: 'flagger.test.ts',
  },
  {
    recording: 'argo-cd-rolling-sync',
    upstreamCode: '`Manager.PerformProgressiveSyncs`, reconciled until nothing changes, then all Pending Applications sync, and so on',
    test: 'argo-cd.test.ts',
    note: 'a run of 20,000 RollingSyncs was also equal',
  },
  {
    recording: 'argo-cd-rolling-sync-3.2',
    upstreamCode: '`ApplicationSetReconciler.performProgressiveSyncs`, in the same way',
    test: 'argo-cd.test.ts',
    note: 'the last release that opens steps by other code; by their code, 3.3 and later behave as 3.5',
  },
  { recording: 'go-filepath-match', upstreamCode: '`filepath.Match`, with which Argo CD excludes resources', test: 'name-pattern.test.ts' },
];

/** Recordings of what we emit and of field names, without any controller. */
export const NO_CONTROLLER: readonly string[] = ['crd-fields', 'crd-verdicts', 'upstream-defaults'];

/** Returns how many cases of a recording differ according to its entry. Its test checks this number. */
export function differencesIn(recording: string): number {
  return RECORDINGS.find((entry) => entry.recording === recording)?.differing?.count ?? 0;
}
