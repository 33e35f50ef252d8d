import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript-5-9';
import { DEFAULT_VERSIONS } from '../../src/core/values/versions';
import { planManifests } from '../../src/headless';
import { recorded } from './recording';

const SYSTEMS = path.join(__dirname, '../../src/systems');

/** Files that declare the props of Fleet, Ray, KServe, LeaderWorkerSets and ApplicationSets. */
const FILES = [
  'fleet/types',
  'fleet/deployment-options',
  'fleet/rollout-intent',
  'fleet/partition-intents',
  'kserve/types',
  'kuberay/types',
  'kuberay/upgrade-props',
  'leaderworkerset/props',
  'disaggregatedset/props',
  'llminferenceservice/props',
  'argo-cd/props',
];

interface Row {
  readonly kind?: string;
  readonly path?: string;
  readonly type?: string;
  readonly default?: unknown;
  readonly name?: string;
  readonly value?: string;
}

const ROWS = recorded('upstream-defaults') as readonly Row[];

/** Defaults of the plan for an empty Bundle, by field. */
const BUNDLE = Object.fromEntries(
  planManifests([
    { apiVersion: 'fleet.cattle.io/v1alpha1', kind: 'Bundle', metadata: { name: 'shop' }, spec: { targets: [{}] } },
  ]).rollouts[0]!.provenance.map(({ field, value }) => [field, value]),
);

/** Source of the default of a prop. */
type Source =
  /** A field of a CRD: its default, or the zero value of its type in Go if it has none. */
  | { readonly field: string }
  /** A constant of the controller. */
  | { readonly constant: string }
  /** A default of our plan for a Bundle, which `fleet-rollouts` compares with the controller. */
  | { readonly simulated: string }
  /** A default that upstream defines in a language that no recording reads. */
  | { readonly upstream: string; readonly value: unknown }
  /** Not a field of upstream. */
  | { readonly ours: unknown };

const RAY_CONFIG = 'ray-project/ray, python/ray/serve/config.py';
const RAY_PRIVATE_CONFIG = 'ray-project/ray, python/ray/serve/_private/config.py';
const RAY_SCHEMA = 'ray-project/ray, python/ray/serve/schema.py';
const RAY_CONSTANTS = 'ray-project/ray, python/ray/serve/_private/constants.py';
const FLEET = 'rancher/fleet 0.16.1';

const SOURCES: Readonly<Record<string, Source>> = {
  'RolloutStrategy.maxUnavailable': { simulated: 'maxUnavailable' },
  'RolloutStrategy.maxUnavailablePartitions': { simulated: 'maxUnavailablePartitions' },
  'RolloutStrategy.autoPartitionSize': { simulated: 'autoPartitionSize' },
  'RolloutStrategy.autoPartitionThreshold': { simulated: 'autoPartitionThreshold' },
  'RolloutStrategy.maxNew': { simulated: 'maxNew' },
  'BundleTarget.doNotDeploy': { field: 'Bundle spec.targets[].doNotDeploy' },
  'BundleRef.acceptedStates': { upstream: `${FLEET}, internal/cmd/agent/deployer`, value: '[Ready]' },
  'BundleOptions.paused': { field: 'Bundle spec.paused' },
  'BundleOptions.targetCustomizationMode': { field: 'Bundle spec.targetCustomizationMode' },
  'ImageScan.suspend': { field: 'ImageScan spec.suspend' },
  'ImageScan.policy.alphabetical.order': {
    upstream: `${FLEET}, internal/cmd/controller/imagescan/tagscan_job.go, latestTag`,
    value: 'desc',
  },
  'GitRepoSpec.branch': { upstream: `${FLEET}, pkg/git/fetch.go, LatestCommit`, value: 'master' },
  'GitRepoSpec.pollingInterval': {
    upstream: `${FLEET}, internal/cmd/controller/gitops/reconciler/gitjob_controller.go, defaultPollingSyncInterval`,
    value: '15s',
  },
  'GitRepoSpec.paused': { field: 'GitRepo spec.paused' },
  'GitRepoSpec.keepResources': { field: 'GitRepo spec.keepResources' },
  'GitRepoSpec.deleteNamespace': { field: 'GitRepo spec.deleteNamespace' },
  'ClusterSpec.paused': { field: 'Cluster spec.paused' },
  'HelmOpSpec.insecureSkipTLSVerify': { field: 'HelmOp spec.insecureSkipTLSVerify' },
  'HelmOptions.timeoutSeconds': { field: 'Bundle spec.helm.timeoutSeconds' },
  'HelmOptions.force': { field: 'Bundle spec.helm.force' },
  'HelmOptions.takeOwnership': { field: 'Bundle spec.helm.takeOwnership' },
  'HelmOptions.waitForJobs': { field: 'Bundle spec.helm.waitForJobs' },
  'HelmOptions.atomic': { field: 'Bundle spec.helm.atomic' },
  'HelmOptions.disablePreProcess': { field: 'Bundle spec.helm.disablePreProcess' },
  'HelmOptions.disableDNS': { field: 'Bundle spec.helm.disableDNS' },
  'HelmOptions.skipSchemaValidation': { field: 'Bundle spec.helm.skipSchemaValidation' },
  'HelmOptions.disableDependencyUpdate': { field: 'Bundle spec.helm.disableDependencyUpdate' },
  'ValuesKey.key': { upstream: `${FLEET}, internal/helmdeployer, DefaultKey`, value: 'values.yaml' },
  'DeploymentOptions.defaultNamespace': { upstream: `${FLEET}, internal/helmdeployer`, value: 'default' },
  'DeploymentOptions.createNamespace': { upstream: `${FLEET}, internal/helmdeployer`, value: true },
  'DeploymentOptions.deleteNamespace': { field: 'Bundle spec.deleteNamespace' },
  'DeploymentOptions.forceSyncGeneration': { field: 'Bundle spec.forceSyncGeneration' },
  'DeploymentOptions.keepResources': { field: 'Bundle spec.keepResources' },
  'DeploymentOptions.deleteCRDResources': { field: 'Bundle spec.deleteCRDResources' },
  'DeploymentOptions.correctDrift.enabled': { field: 'Bundle spec.correctDrift.enabled' },
  'DeploymentOptions.correctDrift.force': { field: 'Bundle spec.correctDrift.force' },
  'DeploymentOptions.correctDrift.keepFailHistory': { field: 'Bundle spec.correctDrift.keepFailHistory' },
  'FleetRolloutProps.maxUnavailablePartitions': { simulated: 'maxUnavailablePartitions' },
  'FleetRolloutProps.maxNew': { simulated: 'maxNew' },
  'FleetRolloutProps.catchAll': { ours: true },
  'FleetRolloutProps.fullReadiness': { ours: false },
  'AutomaticPartitions.size': { simulated: 'autoPartitionSize' },
  'AutomaticPartitions.from': { simulated: 'autoPartitionThreshold' },
  'ComponentExtension.minReplicas': { constant: 'DefaultMinReplicas' },
  'ComponentExtension.maxReplicas': { field: 'InferenceService spec.predictor.maxReplicas' },
  'ComponentExtension.containerConcurrency': { constant: 'DefaultContainerConcurrency' },
  'WorkerSpec.pipelineParallelSize': { constant: 'DefaultPipelineParallelSize' },
  'WorkerSpec.tensorParallelSize': { constant: 'DefaultTensorParallelSize' },
  'PlatformRolloutProps.maxSurge': { upstream: "Kubernetes' default for a Deployment", value: '25%' },
  'PlatformRolloutProps.maxUnavailable': { upstream: "Kubernetes' default for a Deployment", value: '25%' },
  'PlatformConfigProps.defaultDeploymentMode': { ours: 'Standard' },
  'InferenceServiceProps.inheritPlatformDefaults': { ours: false },
  'InferenceServiceProps.provenanceAnnotations': { ours: false },
  'InferenceServiceProps.kserve': { ours: DEFAULT_VERSIONS.kserve },
  'HeadGroupSpec.serviceType': { upstream: "Kubernetes' default for a Service, which the operator keeps", value: 'ClusterIP' },
  'HeadGroupSpec.enableIngress': { field: 'RayService spec.rayClusterConfig.headGroupSpec.enableIngress' },
  'WorkerGroupSpec.replicas': { field: 'RayService spec.rayClusterConfig.workerGroupSpecs[].replicas' },
  'WorkerGroupSpec.numOfHosts': { field: 'RayService spec.rayClusterConfig.workerGroupSpecs[].numOfHosts' },
  'WorkerGroupSpec.priority': { field: 'RayService spec.rayClusterConfig.workerGroupSpecs[].priority' },
  'AutoscalerOptions.idleTimeoutSeconds': {
    upstream: 'KubeRay 1.6.2, apis/ray/v1/raycluster_types.go: read by the autoscaler of Ray',
    value: 60,
  },
  'AutoscalerOptions.upscalingMode': {
    upstream: 'ray-project/ray, python/ray/autoscaler/_private/kuberay/autoscaling_config.py',
    value: 'Default',
  },
  'ServeAutoscalingConfig.min_replicas': { upstream: `${RAY_CONFIG}, AutoscalingConfig`, value: 1 },
  'ServeAutoscalingConfig.max_replicas': { upstream: `${RAY_CONFIG}, AutoscalingConfig`, value: 1 },
  'ServeAutoscalingConfig.target_ongoing_requests': { upstream: RAY_CONSTANTS, value: 2 },
  'ServeAutoscalingConfig.look_back_period_s': { upstream: `${RAY_CONFIG}, AutoscalingConfig`, value: 30 },
  'ServeAutoscalingConfig.metrics_interval_s': { upstream: `${RAY_CONFIG}, AutoscalingConfig`, value: 10 },
  'ServeAutoscalingConfig.upscale_delay_s': { upstream: `${RAY_CONFIG}, AutoscalingConfig`, value: 30 },
  'ServeAutoscalingConfig.downscale_delay_s': { upstream: `${RAY_CONFIG}, AutoscalingConfig`, value: 600 },
  'ServeAutoscalingConfig.smoothing_factor': { upstream: `${RAY_CONFIG}, AutoscalingConfig`, value: 1 },
  'RayActorOptions.num_cpus': { upstream: `${RAY_PRIVATE_CONFIG}, ReplicaConfig`, value: 1 },
  'RayActorOptions.num_gpus': { upstream: `${RAY_PRIVATE_CONFIG}, ReplicaConfig: an actor requests none by default`, value: 0 },
  'ServeDeploymentFields.max_ongoing_requests': { upstream: RAY_CONSTANTS, value: 5 },
  'ServeDeploymentFields.graceful_shutdown_wait_loop_s': { upstream: RAY_CONSTANTS, value: 2 },
  'ServeDeploymentFields.health_check_period_s': { upstream: RAY_CONSTANTS, value: 10 },
  'ServeDeploymentFields.health_check_timeout_s': { upstream: RAY_CONSTANTS, value: 30 },
  'ServeDeploymentFields.graceful_shutdown_timeout_s': { upstream: RAY_CONSTANTS, value: 20 },
  'ServeDeployment.num_replicas': { upstream: `${RAY_PRIVATE_CONFIG}, DeploymentConfig`, value: 1 },
  'ServeApplication.route_prefix': { upstream: RAY_SCHEMA, value: '/' },
  'ServeConfig.proxy_location': { upstream: RAY_SCHEMA, value: 'EveryNode' },
  'RayServiceSpec.rayClusterDeletionDelaySeconds': { constant: 'RayClusterDeletionDelayDuration' },
  'RayServiceSpec.excludeHeadPodFromServeSvc': { field: 'RayService spec.excludeHeadPodFromServeSvc' },
  'RayServiceSpec.suspend': { field: 'RayService spec.suspend' },
  'UpgradeProps.intervalSeconds': { ours: '60, as the guide advises, so that both autoscalers can react' },
  'ServiceUpgradeProps.kuberay': { ours: DEFAULT_VERSIONS.kuberay },
  'ServiceUpgradeProps.startupSeconds': { ours: 0 },
  'UpgradeGoal.maxStep': { ours: 100 },
  'UpgradeGoal.prefer': { ours: 'fast' },
  'OperatorUpgradeProps.ownership': { ours: 'operator' },
  'OperatorUpgradeProps.rayClusterDeletionDelaySeconds': { constant: 'RayClusterDeletionDelayDuration' },
  'OperatorUpgradeProps.excludeHeadPodFromServeSvc': { field: 'RayService spec.excludeHeadPodFromServeSvc' },
  'OperatorUpgradeProps.suspend': { field: 'RayService spec.suspend' },
  'StagedServiceProps.excludeHeadPodFromServeSvc': { field: 'RayService spec.excludeHeadPodFromServeSvc' },
  'LeaderWorkerSetRolloutProps.partition': { field: 'LeaderWorkerSet spec.rolloutStrategy.rollingUpdateConfiguration.partition' },
  'LLMInferenceServiceRolloutProps.kserve': { ours: DEFAULT_VERSIONS.kserve },
  'ApplicationSetIntent.deletionOrder': { constant: 'AllAtOnceDeletionOrder' },
  'ApplicationSetIntent.goTemplate': { field: 'ApplicationSet spec.goTemplate' },
};

/** Returns the `@default` of each prop in a file, as text (`- none`) or as a value. */
function defaultsIn(name: string): (readonly [prop: string, text: string])[] {
  const text = readFileSync(path.join(SYSTEMS, `${name}.ts`), 'utf8');
  const found: (readonly [string, string])[] = [];
  const visit = (node: ts.Node, names: readonly string[]): void => {
    const isNamed = ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isPropertySignature(node);
    const own = isNamed ? [...names, node.name.getText()] : names;
    if (ts.isPropertySignature(node)) {
      const tag = ts.getJSDocTags(node).find(({ tagName }) => tagName.text === 'default');
      const comment = tag && ts.getTextOfJSDocComment(tag.comment);
      if (comment !== undefined) found.push([own.join('.'), comment]);
    }
    ts.forEachChild(node, (child) => visit(child, own));
  };
  visit(ts.createSourceFile(name, text, ts.ScriptTarget.ES2022, true), []);
  return found;
}

const ZERO: Readonly<Record<string, unknown>> = { boolean: false, integer: 0, string: '' };

/** Evaluates a Go expression: `60 * time.Second` is 60, in seconds. */
function goValue(expression: string): unknown {
  return JSON.parse(expression.replace(' * time.Second', ''));
}

function valueOf(source: Source): unknown {
  if ('field' in source) {
    const [kind, place] = source.field.split(' ');
    const row = ROWS.find((each) => each.kind === kind && each.path === place);
    if (!row) return `no field ${source.field}`;
    return row.default ?? ZERO[row.type!];
  }
  if ('constant' in source) return goValue(ROWS.find(({ name }) => name === source.constant)!.value!);
  if ('simulated' in source) return BUNDLE[source.simulated];
  return 'ours' in source ? source.ours : source.value;
}

const SAID = FILES.flatMap(defaultsIn);
const VALUES = SAID.filter(([, text]) => !text.startsWith('- '));

test('every @default with a value is compared with the default of upstream, and no removed prop is listed', () => {
  expect(VALUES.map(([prop]) => prop).toSorted()).toEqual(Object.keys(SOURCES).toSorted());
});

test.each(VALUES)('%s is %s', (prop, text) => {
  expect(text).toBe(String(valueOf(SOURCES[prop]!)));
});

/** The path of each props interface in its CRD. */
const PLACES: Readonly<Record<string, string>> = {
  RolloutStrategy: 'Bundle spec.rolloutStrategy',
  Partition: 'Bundle spec.rolloutStrategy.partitions[]',
  BundleTarget: 'Bundle spec.targets[]',
  BundleOptions: 'Bundle spec',
  BundleSpec: 'Bundle spec',
  BundleRef: 'Bundle spec.dependsOn[]',
  DeploymentOptions: 'Bundle spec',
  HelmOptions: 'Bundle spec.helm',
  GitRepoSpec: 'GitRepo spec',
  ClusterSpec: 'Cluster spec',
  HelmOpSpec: 'HelmOp spec',
  ImageScan: 'ImageScan spec',
  ComponentExtension: 'InferenceService spec.predictor',
  HeadGroupSpec: 'RayService spec.rayClusterConfig.headGroupSpec',
  WorkerGroupSpec: 'RayService spec.rayClusterConfig.workerGroupSpecs[]',
  AutoscalerOptions: 'RayService spec.rayClusterConfig.autoscalerOptions',
  RayClusterSpec: 'RayService spec.rayClusterConfig',
  RayServiceSpec: 'RayService spec',
  LeaderWorkerSetRolloutProps: 'LeaderWorkerSet spec',
  LlmWorkloadProps: 'LLMInferenceService spec',
  ApplicationSetIntent: 'ApplicationSet spec',
};

test('no prop has a @default that differs from its CRD', () => {
  const differing = SAID.flatMap(([prop, text]) => {
    const [owner, ...names] = prop.split('.');
    const place = PLACES[owner!];
    const field = place && [...place.split(' ').slice(1), ...names].join('.');
    const row = ROWS.find(({ kind, path: at, default: value }) => at === field && place?.startsWith(`${kind} `) && Boolean(value ?? false));
    return row && !text.includes(String(row.default)) ? [`${prop}: ${text}, and the CRD has ${String(row.default)}`] : [];
  });
  expect(differing).toEqual([]);
});
