import { ANSWERS } from '../crds/probes';

/** What a recording is about, for the page of conformance; the version of what answered stands in the recording itself. */
export interface Judge {
  readonly recording: string;
  /** The function or controller of upstream's that answered. */
  readonly answered: string;
  /** The test under `test/upstream/` that holds us to every case. */
  readonly heldBy: string;
  /** How many cases one line of the recording has. @default - 1 */
  readonly casesOf?: (line: unknown) => number;
  /** Cases in which we say something else, as the test counts them, and why. @default - none */
  readonly differing?: { readonly count: number; readonly why: string };
  /** What answered and its version, where the recording does not say it. @default - as the recording says */
  readonly system?: string;
  /** What else to know of it. @default - nothing */
  readonly note?: string;
}

function answersOf(line: unknown): number {
  const { answers } = line as { readonly answers?: object };
  return answers === undefined ? 1 : Object.keys(answers).length;
}

function changesOf(line: unknown): number {
  return (line as { readonly cases?: readonly unknown[] }).cases?.length ?? 1;
}

/** A rollout that the controller does not refuse before it begins. */
function hasRows(line: unknown): number {
  return (line as { readonly error?: string }).error === undefined ? 1 : 0;
}

/** A change whose first side KServe could make. */
function madeOf(line: unknown): number {
  return (line as { readonly unmade?: string }).unmade === undefined ? 1 : 0;
}

function bundlesOf(line: unknown): number {
  return (line as { readonly bundles: readonly unknown[] }).bundles.length;
}

const WHOLE_RECONCILE = 'the whole `RayServiceReconciler.Reconcile` on a fake client';
const BUNDLE_CONTROLLER = '`target.Manager.Targets`, `UpdatePartitions`, `MaxUnavailable`, `Unavailable` and the matchers';

/** Every recording, one entry each, in the order of the page. A test fails while one has none. */
export const JUDGES: readonly Judge[] = [
  {
    recording: 'kubernetes-deployment-validation',
    answered: 'decoder, defaulting, registry strategy and validation of the API server',
    heldBy: 'deployment-validation.test.ts',
  },
  { recording: 'kubernetes-deployment-waves', answered: '`DeploymentController.syncDeployment`', heldBy: 'deployment-waves.test.ts' },
  {
    recording: 'kubernetes-deployment-changes',
    answered: '`DeploymentController.syncDeployment`, wherever the Deployment stands',
    heldBy: 'deployment-changes.test.ts',
  },
  {
    recording: 'kubernetes-changes',
    system: 'Kubernetes 1.34.4',
    answered: 'a real API server and its controllers, with manifests applied by the code of kubectl and Helm',
    heldBy: 'changes.long.test.ts',
    differing: {
      count: 9,
      why: 'eight refused addresses, which the recording calls "allocated", and a privileged container, which a flag of the API server forbids there',
    },
    note: '15 of 975 refusals for values are refused at the same path in other words',
  },
  { recording: 'kubernetes-rounding', answered: '`ResolveFenceposts`', heldBy: 'deployment-waves.test.ts' },
  {
    recording: 'kubernetes-statefulset-validation',
    answered: 'decoder, defaulting, registry strategy and validation of the API server',
    heldBy: 'statefulset-validation.test.ts',
  },
  {
    recording: 'kubernetes-statefulset-changes',
    answered: '`StatefulSetController.sync`, wherever the StatefulSet stands, gate on and off',
    heldBy: 'statefulset-changes.test.ts',
    differing: { count: 2, why: 'no rollingUpdate and fewer replicas in the same apply: a pod comes back old and is deleted twice' },
  },
  {
    recording: 'kubernetes-statefulset-order',
    answered: '`StatefulSetController.sync`, gate on and off',
    heldBy: 'statefulset-order.test.ts',
  },
  {
    recording: 'kubernetes-daemonset-validation',
    answered: 'decoder, defaulting, registry strategy and validation of the API server',
    heldBy: 'daemonset-validation.test.ts',
  },
  { recording: 'kubernetes-daemonset-nodes', answered: '`NodeShouldRunDaemonPod`', heldBy: 'daemonset-nodes.test.ts' },
  {
    recording: 'kubernetes-daemonset-changes',
    answered: '`DaemonSetsController.syncDaemonSet`, from rollouts that have come some way',
    heldBy: 'daemonset-changes.test.ts',
  },
  { recording: 'kubernetes-daemonset-waves', answered: '`DaemonSetsController.syncDaemonSet`', heldBy: 'daemonset-waves.test.ts' },
  { recording: 'kubernetes-daemonset-waves-1.30', answered: '`DaemonSetsController.syncDaemonSet`', heldBy: 'daemonset-waves.test.ts' },
  {
    recording: 'kubernetes-quota-usage',
    answered: 'LimitRanger, the pod evaluator and the admission of ResourceQuotas',
    heldBy: 'quota-usage.test.ts',
    note: 'at 1.37.0, 31 of 650 pods with resources of their own under a LimitRange use something else; they are planned as at 1.34',
  },
  {
    recording: 'kubernetes-quota-rollouts',
    answered: '`syncDeployment` and `syncReplicaSet` against a quota',
    heldBy: 'quota-rollouts.test.ts',
  },
  {
    recording: 'kubernetes-quota-scales',
    answered: '`syncDeployment`, `syncReplicaSet` and `StatefulSetController.sync` against a quota, or with nodes for so many pods',
    heldBy: 'quota-scales.test.ts',
  },
  { recording: 'kubernetes-placement', answered: "the scheduler's filters, for one node", heldBy: 'placement.test.ts' },
  { recording: 'kubernetes-quantities', answered: '`Quantity` of apimachinery, read and written back', heldBy: 'quantities.test.ts' },
  { recording: 'kubernetes-limit-ranges', answered: '`PodValidateLimitFunc` of the LimitRanger', heldBy: 'limit-ranges.test.ts' },
  { recording: 'kubernetes-disruption-budgets', answered: '`DisruptionController.sync`', heldBy: 'disruption-budgets.test.ts' },
  {
    recording: 'kubernetes-workload-validation',
    answered: 'validation of the API server, of sound workloads with something changed',
    heldBy: 'workload-validation.test.ts',
    note: 'a spec of null is a wrong type to us; the server reads it as an empty one, which it refuses too',
  },
  {
    recording: 'kubernetes-object-validation',
    answered:
      'validation of the API server in its own words, of Services, autoscalers, budgets, claims, bindings, ConfigMaps, Secrets, ReplicaSets, Jobs, CronJobs, ResourceQuotas and LimitRanges with something changed',
    heldBy: 'object-validation.test.ts',
    casesOf: changesOf,
    differing: { count: 10, why: 'bytes as a list of numbers, and how an empty list and empty labels are called' },
    note: 'an indexed Job with a successPolicy and without completions makes the server panic: we refuse it for its completions',
  },
  {
    recording: 'kubernetes-template-fields',
    answered:
      "the server's decoder, defaulting and gates, and behind them `EqualIgnoreHash`, the bytes of a ControllerRevision and the template generation, for every field of the pod template alone and for pairs of them",
    heldBy: 'template-fields.test.ts',
    differing: {
      count: 9,
      why: 'lists that are [] or null to the decoder, and null of both once etcd held them, as the real server of kubernetes-changes answers',
    },
  },
  { recording: 'kubernetes-pod-fields', answered: 'the Go types of pods, by version', heldBy: 'pod-fields.test.ts' },
  { recording: 'kubectl-yaml', answered: '`NewYAMLOrJSONDecoder` as kubectl uses it', heldBy: 'kubectl-yaml.test.ts' },
  { recording: 'kserve-deploy-config', answered: '`NewDeployConfig`', heldBy: 'kserve-config.test.ts' },
  {
    recording: 'kserve-strategies',
    answered: 'defaulting and validating webhooks, `GetDeploymentMode`, the workload reconciler',
    heldBy: 'kserve-strategies.test.ts',
    note: 'the same at 0.20.0; 0.16.0 differs in 10 of 1,073 lines of the three',
  },
  { recording: 'kserve-nodes', answered: '`computeRayNodeAndGPUs`', heldBy: 'kserve-nodes.test.ts' },
  {
    recording: 'kserve-changes',
    answered:
      'the whole `InferenceServiceReconciler.Reconcile` on a fake client, with the webhooks before it and the validation of Deployments behind it',
    heldBy: 'kserve-changes.test.ts',
    casesOf: madeOf,
    differing: { count: 35, why: 'each with its reason in the test' },
  },
  ...['', '-1.5'].flatMap((suffix): Judge[] => [
    {
      recording: `kuberay-validation${suffix}`,
      answered: '`ValidateRayServiceMetadata`, `ValidateRayServiceSpec`, `ValidateRayClusterUpgradeOptions`',
      heldBy: 'kuberay-validation.test.ts',
    },
    {
      recording: `kuberay-identity${suffix}`,
      answered: '`GenerateHashWithoutReplicasAndWorkersToDelete`',
      heldBy: 'kuberay-identity.test.ts',
      note: 'a run of 20,000 pairs was equal as well',
    },
    { recording: `kuberay-edits${suffix}`, answered: WHOLE_RECONCILE, heldBy: 'kuberay-edits.test.ts', casesOf: answersOf },
    { recording: `kuberay-upgrades${suffix}`, answered: WHOLE_RECONCILE, heldBy: 'kuberay-upgrades.test.ts' },
  ]),
  {
    recording: 'fleet-rollouts',
    answered: BUNDLE_CONTROLLER,
    heldBy: 'fleet-rollouts.test.ts',
    casesOf: bundlesOf,
    note: 'all 1,846 bundles of the sample that these are of, and 425 with clusters down, were equal as well; where agents report one by one, in any order, an update with overlapping partitions and failures may halt elsewhere',
  },
  { recording: 'fleet-already-down', answered: BUNDLE_CONTROLLER, heldBy: 'fleet-rollouts.test.ts', casesOf: bundlesOf },
  ...['', '-0.8', '-0.7'].flatMap((suffix): Judge[] => [
    {
      recording: `lws-steps${suffix}`,
      answered: '`LeaderWorkerSetReconciler.rollingUpdateParameters`',
      heldBy: 'leaderworkerset.test.ts',
      note: 'more than 21,600 turns of a longer run were equal as well; 0.10 leaves this code as it is in 0.9, and its module could not be fetched',
    },
    {
      recording: `lws-rollouts${suffix}`,
      answered: '`LeaderWorkerSetReconciler.rollingUpdateParameters`, turn by turn; we play the StatefulSet controller and the kubelet',
      heldBy: 'leaderworkerset.test.ts',
      note: 'a run of 29,080 rollouts was equal as well',
    },
    {
      recording: `lws-changes${suffix}`,
      answered: 'the same, from groups in any state: rollouts that overtake another, and ways back',
      heldBy: 'leaderworkerset.test.ts',
      note: 'a run of 20,000 rollouts was equal as well',
    },
    {
      recording: `lws-long-rollouts${suffix}`,
      answered: 'the same, in rollouts of more than 1,000 waves, of which we go through a part',
      heldBy: 'leaderworkerset.test.ts',
    },
    {
      recording: `lws-broken-workers${suffix}`,
      answered: 'the same, in rollouts none of whose new groups gets its workers',
      heldBy: 'leaderworkerset.test.ts',
      note: 'a run of 20,000 rollouts was equal as well',
    },
    {
      recording: `lws-refusals${suffix}`,
      answered: 'the defaulting and the validating webhook of LeaderWorkerSet',
      heldBy: 'leaderworkerset.test.ts',
      note: 'a run of 20,000 sets was equal as well',
    },
  ]),
  ...[
    ['', '20,088'],
    ['-1.8', '20,667'],
    ['-1.10', '20,200'],
  ].map(([suffix, more]): Judge => ({
    recording: `argo-rollouts-steps${suffix}`,
    answered: 'the whole `Controller.syncHandler` on fake clients, with nginx as the router',
    heldBy: 'argo-rollouts.test.ts',
    casesOf: hasRows,
    note: `a run of ${more} rollouts of other seeds was equal as well`,
  })),
  ...['', '-1.8', '-1.10'].map((suffix): Judge => ({
    recording: `argo-rollouts-changes${suffix}`,
    answered: 'the same, where replicas and template change together',
    heldBy: 'argo-rollouts.test.ts',
    casesOf: hasRows,
    ...(suffix === '-1.10' && { note: 'a run of 20,000 rollouts of other seeds was equal as well' }),
  })),
  {
    recording: 'argo-rollouts-routers',
    answered: 'the same, with Istio, SMI and ALB as the router',
    heldBy: 'argo-rollouts.test.ts',
    casesOf: hasRows,
    note: 'Ambassador, App Mesh and plugins go through the same interface, and were read',
  },
  {
    recording: 'argo-rollouts-more-routers-1.10',
    answered: 'the same, with Traefik and APISIX as the router',
    heldBy: 'argo-rollouts.test.ts',
    casesOf: hasRows,
    note: 'a run of 4,600 rollouts of other seeds was equal as well',
  },
  {
    recording: 'argo-rollouts-standing-1.10',
    answered: 'the same of canaries that get a third version, or the stable one again, before their second is rolled out',
    heldBy: 'argo-rollouts.test.ts',
    casesOf: hasRows,
    note: 'a run of 5,000 rollouts of other seeds was equal as well; dynamicStableScale and blue-green begin at rest, and say so',
  },
  {
    recording: 'argo-rollouts-standing-scaled-1.10',
    answered: 'the same where the change is of the replicas as well',
    heldBy: 'argo-rollouts.test.ts',
    casesOf: hasRows,
    note: 'of 4,500 rollouts of other seeds one differs, which is scaled to 0 behind a setCanaryScale of replicas: a plan of that is a scale alone',
  },
  {
    recording: 'argo-rollouts-new-steps-1.10',
    answered: 'the same of canaries that get other steps before their version is rolled out',
    heldBy: 'argo-rollouts.test.ts',
    casesOf: hasRows,
  },
  {
    recording: 'argo-rollouts-new-steps-scaled-1.10',
    answered: 'the same where the change is of the replicas as well',
    heldBy: 'argo-rollouts.test.ts',
    casesOf: hasRows,
    note: 'a run of 2,500 rollouts of another seed was equal as well',
  },
  {
    recording: 'argo-rollouts-room-1.10',
    answered: 'the same at rest, some with other replicas beside, where no more than so many pods run at once',
    heldBy: 'argo-rollouts.test.ts',
    casesOf: hasRows,
    note: 'a run of 7,700 rollouts of other seeds was equal as well',
  },
  ...['', '-1.10'].map((suffix): Judge => ({
    recording: `argo-rollouts-restarts${suffix}`,
    answered: 'the same, where Rollouts at rest get a `restartAt`, some of their pods being younger; we play the pods too',
    heldBy: 'argo-rollouts.test.ts',
    casesOf: hasRows,
    ...(suffix === '-1.10' && { note: 'a run of 4,600 rollouts of other seeds was equal as well' }),
  })),
  ...['', '-1.10'].map((suffix): Judge => ({
    recording: `argo-rollouts-validation${suffix}`,
    answered: '`ValidateRollout`',
    heldBy: 'argo-rollouts.test.ts',
    note: 'a run of 20,000 specs was equal as well',
  })),
  {
    recording: 'guardrails',
    answered: 'a real API server with the ValidatingAdmissionPolicies that guardrails are compiled to',
    heldBy: 'guardrails.test.ts',
  },
  {
    recording: 'fixes',
    answered:
      'a real API server, given files before and after `rolloutkit fix`: manifests that others publish, with mistakes put into them, and the examples of our rules',
    heldBy: 'fixes.test.ts',
    note: 'of published files digests and verdicts alone; what it refuses afterwards are fields that stood there before and that no fix is about',
  },
  {
    recording: 'crd-mutations',
    answered: 'pruning, defaulting, the structural schema, list types and the CEL rules of custom resources (`customresource.NewStrategy`)',
    heldBy: 'crd-mutations.test.ts',
    note: 'an object that fits none of several schemas is compared by being refused alone',
  },
  {
    recording: 'crd-costs',
    answered: 'the same of objects whose rules cost more than the server spends',
    heldBy: 'crd-costs.test.ts',
    note: 'the items that a rule goes over are counted, which is less than its cost: what is refused here for it is refused there, and not the other way round',
  },
  {
    recording: 'crd-changes',
    answered: 'the same of updates, where rules compare with what was there before',
    heldBy: 'crd-changes.test.ts',
  },
  {
    recording: 'crd-functions',
    answered: 'the functions, macros and optional values that CEL rules have in the API server, a rule each',
    heldBy: 'crd-functions.test.ts',
    casesOf: () => ANSWERS.length,
  },
  {
    recording: 'lws-roles',
    answered: '`ComputeAllSteps` of DisaggregatedSet',
    heldBy: 'disaggregatedset.test.ts',
    note: 'a run of 20,000 rollouts was equal as well',
  },
  {
    recording: 'lws-role-rollouts',
    answered: '`DisaggregatedSetReconciler.Reconcile` on a fake client, its LeaderWorkerSets under their webhook; we play their controller',
    heldBy: 'disaggregatedset.test.ts',
    note: 'a run of 16,600 rollouts was equal as well',
  },
  {
    recording: 'lws-role-changes',
    answered: 'the same, from where another change has come to: rollouts that overtake one or two others, and ways back',
    heldBy: 'disaggregatedset.test.ts',
  },
  ...['', '-0.19'].map((suffix): Judge => ({
    recording: `kserve-llm-workloads${suffix}`,
    answered: 'the reconcilers of the workloads and of the scheduler of LLMInferenceServices, on a fake client',
    heldBy: 'llminferenceservice.test.ts',
    note: 'a run of 20,000 services was equal as well',
  })),
  {
    recording: 'argo-cd-rolling-sync',
    answered: '`Manager.PerformProgressiveSyncs`, reconciled to a fix point, then all that were made Pending syncing, and so on',
    heldBy: 'argo-cd.test.ts',
    note: 'a run of 20,000 RollingSyncs was equal as well',
  },
  {
    recording: 'argo-cd-rolling-sync-3.2',
    answered: '`ApplicationSetReconciler.performProgressiveSyncs`, in the same way',
    heldBy: 'argo-cd.test.ts',
    note: 'the last release that opens steps by other code; 3.3 and later were read to do as 3.5 does',
  },
  { recording: 'go-filepath-match', answered: '`filepath.Match`, by which Argo CD excludes resources', heldBy: 'name-pattern.test.ts' },
];

/** Recordings about what we emit, and the names of fields: no controller answers there. */
export const NO_CONTROLLER: readonly string[] = ['crd-fields', 'crd-verdicts', 'upstream-defaults'];

/** How many cases of a recording differ, as its entry says: its test holds them to it. */
export function differencesIn(recording: string): number {
  return JUDGES.find((judge) => judge.recording === recording)?.differing?.count ?? 0;
}
