import type { Finding } from '../../core/findings/finding';
import type { IntOrPercent } from '../../core/values/int-or-percent';
import type { Fields, Manifest, ObjectMeta } from '../../core/manifest/manifest';
import type { Provenance } from '../../core/document/provenance';
import type { RolloutIntent } from '../../workloads/deployment/intent';
import type { DrainIntent } from '../../workloads/drain';
import type { DeploymentStrategy, DeploymentStrategySpec } from '../../workloads/deployment/types';
import type { ComponentFields, ContainerFields, FrameworkFields, ModelFields, PodFields } from './passthrough-fields';

/** The mode in which KServe runs a service. Only Standard creates Deployments; Knative and ModelMesh have their own rollouts. */
export type DeploymentMode = 'Standard' | 'Knative' | 'ModelMesh';

/** The old mode names, which KServe still accepts: RawDeployment is Standard, Serverless is Knative. */
export type LegacyDeploymentMode = 'RawDeployment' | 'Serverless';

/** The parts of an InferenceService that become Deployments. In a multinode service, the predictor is the head. */
export type ComponentName = 'predictor' | 'worker' | 'transformer' | 'explainer';

/** A container. Fields that a rollout does not read are passed through. */
export interface ServiceContainer extends ContainerFields {
  /** The name of the container. The container `kserve-container` serves the model. @default - KServe names the serving container */
  readonly name?: string;
  /** The image. @default - from the runtime */
  readonly image?: string;
  /** The environment variables. According to the guide, RAY_NODE_COUNT in a predictor makes the service multinode. @default - none */
  readonly env?: readonly Fields[];
  /** The requests and limits, which the plan counts against quotas and nodes. @default - from the runtime */
  readonly resources?: Fields;
}

/** The fields that predictor, transformer and explainer share (KServe `ComponentExtensionSpec`) and that affect a rollout. */
export interface ComponentExtension {
  /** The minimum number of pods. @default 1 */
  readonly minReplicas?: number;
  /** The maximum number of pods; 0 is no limit. @default 0 */
  readonly maxReplicas?: number;
  /** The target of the autoscaler, in units of `scaleMetric`. @default - the defaults of KServe and Knative */
  readonly scaleTarget?: number;
  /** The metric of the autoscaler. @default - cpu in Standard mode, concurrency in Knative mode */
  readonly scaleMetric?: 'cpu' | 'memory' | 'concurrency' | 'rps';
  /** Whether `scaleTarget` is a utilization of the requests, a total, or an average over the pods. @default - the default of KServe */
  readonly scaleMetricType?: 'Utilization' | 'Value' | 'AverageValue';
  /** Several metrics for the autoscaler, instead of `scaleMetric`. @default - only `scaleMetric` */
  readonly autoScaling?: Fields;
  /** The percentage of requests to the new revision, 0 to 100. Knative only: silently ignored in Standard mode. @default - all requests */
  readonly canaryTrafficPercent?: number;
  /** The timeout of a request in seconds. @default - the defaults of KServe and Knative */
  readonly timeout?: number;
  /** The maximum number of concurrent requests per pod; 0 is no limit. @default 0 */
  readonly containerConcurrency?: number;
  /** The labels of the component's pods, in addition to those of the service. @default - none */
  readonly labels?: Readonly<Record<string, string>>;
  /** The annotations of the component's pods, in addition to those of the service. @default - none */
  readonly annotations?: Readonly<Record<string, string>>;
  /**
   * The strategy by which pods are replaced, only in Standard mode. It replaces every lower level entirely, even if it is `{}`.
   *
   * @default - the lower levels decide
   */
  readonly deploymentStrategy?: DeploymentStrategySpec;
  /** The containers of the pod. The container `kserve-container` serves the model. @default - from the runtime */
  readonly containers?: readonly ServiceContainer[];
}

/** The model of a predictor: its format and storage location. */
export interface ModelSpec extends ServiceContainer, ModelFields {
  /** The format of the model, by which KServe selects a runtime. @default - `runtime` decides */
  readonly modelFormat?: {
    /** The framework of the model: `sklearn`. */
    readonly name: string;
    /** The version of the framework, as named by the runtimes: `1`. @default - any */
    readonly version?: string;
  };
  /** The ServingRuntime or ClusterServingRuntime. @default - one that supports the format */
  readonly runtime?: string;
  /** The location of the model: `s3://…`, `pvc://…`, `hf://…`. @default - the image contains the model */
  readonly storageUri?: string;
  /** The inference protocol: `v1`, `v2`, `grpc-v2`. @default - the default of the runtime */
  readonly protocolVersion?: string;
}

/** The additional nodes of a multinode predictor. Pod fields are passed through. */
export interface WorkerSpec extends PodFields {
  /** The number of nodes in a pipeline, from 1. @default 1 */
  readonly pipelineParallelSize?: number;
  /** The number of GPUs that share one layer, from 1. @default 1 */
  readonly tensorParallelSize?: number;
  /** At most one container, named `worker-container`. @default - from the runtime */
  readonly containers?: readonly ServiceContainer[];
}

/** The fields that predictor, transformer and explainer share. */
export interface ComponentSpec extends ComponentExtension, ComponentFields {
  /** Fields of the component's pods, such as `nodeSelector`, `tolerations` and `volumes`. They are written into the component. @default - none */
  readonly podSpec?: PodFields;
  /**
   * Fields that are not listed here, such as those of a later KServe. They are written into the component unchanged. Listed fields are not
   * allowed here.
   *
   * @default - none
   */
  readonly others?: Fields;
}

/** The type of `spec.explainer`. */
export interface ExplainerSpec extends ComponentSpec {
  /** The settings of the Adversarial Robustness Toolbox, as in KServe. @default - none: `containers` explain */
  readonly art?: Fields;
}

/** The type of `spec.predictor`. */
export interface PredictorSpec extends ComponentSpec, FrameworkFields {
  /**
   * The name of the predictor, which becomes part of the Deployment's name. KServe 0.20 or later. @default - only the name of the service
   * is used
   */
  readonly name?: string;
  /** The model, served by a runtime. @default - none: `containers` serve */
  readonly model?: ModelSpec;
  /** The additional nodes, which make the predictor multinode. @default - one node */
  readonly workerSpec?: WorkerSpec;
}

/** A canary of `spec.canary`. KServe 0.20 or later, Standard mode only. Its Deployment ignores every `deploymentStrategy`. */
export interface CanarySpec {
  /** The percentage of requests, 0 to 100; at most 100 over all canaries. */
  readonly trafficPercent: number;
  /** The predictor that gets these requests. */
  readonly predictor: PredictorSpec;
}

/** The `spec` of a serving.kserve.io/v1beta1 InferenceService. */
export interface InferenceServiceSpec {
  readonly predictor: PredictorSpec;
  readonly transformer?: ComponentSpec;
  readonly explainer?: ExplainerSpec;
  readonly canary?: readonly CanarySpec[];
}

/** The values that the guide documents for `mode` in the ConfigMap. No released KServe reads them. */
export type DocumentedMode = 'Availability' | 'ResourceAware';

/** The platform's rollout defaults: `deploymentRolloutStrategy.defaultRollout` of the ConfigMap's `deploy` key. */
export interface PlatformRolloutProps {
  /**
   * Sets one limit to 0 as documented: Availability sets maxUnavailable, ResourceAware sets maxSurge.
   *
   * @default - none: both limits are used as written
   */
  readonly mode?: DocumentedMode;
  /** The pods beyond the replicas, as a number or a percentage, which is rounded up. @default 25% */
  readonly maxSurge?: IntOrPercent;
  /** The replicas that may be unavailable, as a number or a percentage, which is rounded down. @default 25% */
  readonly maxUnavailable?: IntOrPercent;
}

/** The props of KServe's platform level. */
export interface PlatformConfigProps {
  /** The mode of services that do not set their own. @default Standard */
  readonly defaultDeploymentMode?: DeploymentMode | LegacyDeploymentMode;
  /** The limits for services without their own strategy, applied if the default mode is Standard. @default - 25% and 25% */
  readonly defaultRollout?: PlatformRolloutProps;
}

/** The rollout defaults of a platform as read. Only their shape was checked. */
export interface PlatformRollout {
  /** The mode as read; no released KServe uses it. @default - not set */
  readonly mode?: string;
  /** The pods beyond the replicas, as written. KServe accepts only strings. @default - not set */
  readonly maxSurge?: number | string;
  /** The replicas that may be unavailable, as written. KServe accepts only strings. @default - not set */
  readonly maxUnavailable?: number | string;
}

/** KServe's platform level as parsed by the controller. */
export interface PlatformConfig {
  /** The default mode, with old names normalised. Empty if the ConfigMap has no `deploy` key, which KServe treats like Knative. */
  readonly defaultDeploymentMode: DeploymentMode | '';
  /** The limits for services without their own strategy, read if the default mode is Standard. @default - none */
  readonly defaultRollout?: PlatformRollout;
}

/** The props of a component: its upstream fields, and the intent for its rollout. */
export interface ComponentProps extends ComponentSpec {
  /** The intent for replacing pods: the user level. Not together with `deploymentStrategy`. @default - the lower levels decide */
  readonly rollout?: RolloutIntent;
  /**
   * How long requests may run while their pod is replaced. The drain writes a preStop hook, the grace period and, if the server of the model has
   * one, its own flag. Refused if the server cannot finish such a request.
   *
   * @default - the runtime decides
   */
  readonly drain?: DrainIntent;
}

/** The props of the explainer. */
export interface ExplainerProps extends ExplainerSpec, ComponentProps {}

/** The props of the predictor. */
export interface PredictorProps extends PredictorSpec, ComponentProps {}

/** The props of an InferenceService. */
export interface InferenceServiceProps {
  /** The metadata. @default - the construct's id is the name */
  readonly metadata?: ObjectMeta;
  /** The platform level. @default - default mode Standard without rollout defaults */
  readonly platform?: PlatformConfig;
  /** The predictor, which every service has. */
  readonly predictor: PredictorProps;
  /** The transformer, which processes requests and responses. @default - none */
  readonly transformer?: ComponentProps;
  /** The explainer, which serves requests for explanations. @default - none */
  readonly explainer?: ExplainerProps;
  /** Additional predictors that get a share of the requests. KServe 0.20 or later. @default - none */
  readonly canary?: readonly CanarySpec[];
  /** Whether components without their own strategy are written without one, so that the cluster's ConfigMap decides. @default false */
  readonly inheritPlatformDefaults?: boolean;
  /**
   * Whether to record which level decided, in annotations `rolloutkit/<component>.<field>`. KServe copies annotations to the pod template,
   * so a changed level replaces the pods.
   *
   * @default false
   */
  readonly provenanceAnnotations?: boolean;
  /** The KServe version of the cluster. @default 0.17 */
  readonly kserve?: string;
}

/** The strategy of one component, and the level that decided it. */
export interface ResolvedComponent {
  /** The component. In a multinode service, the predictor is the head. */
  readonly component: ComponentName;
  /** The strategy as the API server stores it; null if it is refused, which a finding reports. */
  readonly strategy: DeploymentStrategy | null;
  /** The level that decided each field; empty if the strategy is null. */
  readonly provenance: readonly Provenance[];
}

/** The result of resolving an intent. */
export interface ResolvedInferenceService {
  /** The object to emit, with the resolved strategy of every component. */
  readonly manifest: Manifest;
  /** The components in the order predictor, worker, transformer, explainer. */
  readonly components: readonly ResolvedComponent[];
  /** The findings about the intent. If one is an error, the object must not be emitted. */
  readonly findings: readonly Finding[];
  /** The findings that only the intent shows, so a plan of the object does not report them. */
  readonly notes: readonly Finding[];
}

/** A platform level as read: the parsed config, and the findings about it. */
export interface PlatformConfigResult {
  /** The config; null if KServe's parser refuses it, which blocks every InferenceService of the cluster. */
  readonly config: PlatformConfig | null;
  readonly findings: readonly Finding[];
}
