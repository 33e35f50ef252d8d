import type { Finding } from '../../core/finding';
import type { IntOrPercent } from '../../core/int-or-percent';
import type { Fields, Manifest, ObjectMeta } from '../../core/manifest';
import type { Provenance } from '../../core/provenance';
import type { RolloutIntent } from '../../workloads/deployment/intent';
import type { DeploymentStrategy, DeploymentStrategySpec } from '../../workloads/deployment/types';
import type { ComponentFields, ContainerFields, FrameworkFields, ModelFields, PodFields } from './passthrough-fields';

/** How KServe runs a service. Only Standard makes Deployments; Knative and ModelMesh roll out by themselves. */
export type DeploymentMode = 'Standard' | 'Knative' | 'ModelMesh';

/** The old names, which KServe still takes: RawDeployment is Standard, Serverless is Knative. */
export type LegacyDeploymentMode = 'RawDeployment' | 'Serverless';

/** The parts of an InferenceService that become Deployments; a multinode predictor is its head. */
export type ComponentName = 'predictor' | 'worker' | 'transformer' | 'explainer';

/** A container; what a rollout does not touch passes through. */
export interface ServiceContainer extends ContainerFields {
  /** Name of the container; `kserve-container` is the one that serves. @default - KServe names the one that serves */
  readonly name?: string;
  /** What it runs. @default - the runtime's */
  readonly image?: string;
  /** Environment variables. RAY_NODE_COUNT among a predictor's makes the service multinode, as the guide says. @default - none */
  readonly env?: readonly Fields[];
  /** Requests and limits; the plan counts them against quotas and nodes. @default - the runtime's */
  readonly resources?: Fields;
}

/** Fields that predictor, transformer and explainer share (KServe `ComponentExtensionSpec`), as far as a rollout touches them. */
export interface ComponentExtension {
  /** Pods at least. @default 1 */
  readonly minReplicas?: number;
  /** Pods at most; 0 is no limit. @default 0 */
  readonly maxReplicas?: number;
  /** What the autoscaler aims at, in units of `scaleMetric`. @default - KServe's and Knative's own */
  readonly scaleTarget?: number;
  /** What the autoscaler measures. @default - cpu in Standard mode, concurrency in Knative mode */
  readonly scaleMetric?: 'cpu' | 'memory' | 'concurrency' | 'rps';
  /** Whether `scaleTarget` is a share of the requests, a total, or an average over the pods. @default - KServe's own */
  readonly scaleMetricType?: 'Utilization' | 'Value' | 'AverageValue';
  /** Several metrics for the autoscaler, instead of `scaleMetric`. @default - `scaleMetric` alone */
  readonly autoScaling?: Fields;
  /** Share of requests to the new revision, 0 to 100. Knative only: silently ignored in Standard mode. @default - all requests */
  readonly canaryTrafficPercent?: number;
  /** Seconds that a request may take. @default - KServe's and Knative's own */
  readonly timeout?: number;
  /** Requests that one pod takes at once; 0 is no limit. @default 0 */
  readonly containerConcurrency?: number;
  /** Labels of the component's pods, beside those of the service. @default - none */
  readonly labels?: Readonly<Record<string, string>>;
  /** Annotations of the component's pods, beside those of the service. @default - none */
  readonly annotations?: Readonly<Record<string, string>>;
  /**
   * How the pods may be replaced, in Standard mode alone. It replaces every lower level as a whole, `{}` too.
   *
   * @default - the levels below decide
   */
  readonly deploymentStrategy?: DeploymentStrategySpec;
  /** Containers of the pod; `kserve-container` serves. @default - the runtime's */
  readonly containers?: readonly ServiceContainer[];
}

/** A model for a predictor: `modelFormat` and where it is stored. */
export interface ModelSpec extends ServiceContainer, ModelFields {
  /** What the model is, by which KServe picks a runtime. @default - `runtime` decides */
  readonly modelFormat?: {
    /** The framework that wrote it: `sklearn`. */
    readonly name: string;
    /** The framework's version, as the runtimes name it: `1`. @default - any */
    readonly version?: string;
  };
  /** The ServingRuntime or ClusterServingRuntime. @default - one that supports the format */
  readonly runtime?: string;
  /** Where the model lies: `s3://…`, `pvc://…`, `hf://…`. @default - the image holds the model */
  readonly storageUri?: string;
  /** The inference protocol: `v1`, `v2`, `grpc-v2`. @default - the runtime's own */
  readonly protocolVersion?: string;
}

/** The further nodes of a multinode predictor; pod fields pass through. */
export interface WorkerSpec extends PodFields {
  /** Nodes in a pipeline, from 1. @default 1 */
  readonly pipelineParallelSize?: number;
  /** GPUs that share one layer, from 1. @default 1 */
  readonly tensorParallelSize?: number;
  /** At most one, named `worker-container`. @default - the runtime's */
  readonly containers?: readonly ServiceContainer[];
}

/** What predictor, transformer and explainer share; pod fields pass through. */
export interface ComponentSpec extends ComponentExtension, PodFields, ComponentFields {
  /**
   * Fields that are not listed here, such as those of a later KServe: they are written into the component as they are.
   * A field that is listed has no place in it.
   *
   * @default - none
   */
  readonly others?: Fields;
}

/** `spec.explainer`. */
export interface ExplainerSpec extends ComponentSpec {
  /** Settings of the Adversarial Robustness Toolbox, as KServe takes them. @default - none: `containers` explain */
  readonly art?: Fields;
}

/** `spec.predictor`. */
export interface PredictorSpec extends ComponentSpec, FrameworkFields {
  /** Becomes part of the Deployment's name; KServe 0.20 on. @default - the service alone names it */
  readonly name?: string;
  /** The model, served by a runtime. @default - none: `containers` serve */
  readonly model?: ModelSpec;
  /** The further nodes, which make the predictor multinode. @default - one node */
  readonly workerSpec?: WorkerSpec;
}

/** One of `spec.canary`: KServe 0.20 on, Standard mode only. Its Deployment ignores every `deploymentStrategy`. */
export interface CanarySpec {
  /** Share of requests, 0 to 100; at most 100 over all canaries. */
  readonly trafficPercent: number;
  /** The predictor that takes that share of the requests. */
  readonly predictor: PredictorSpec;
}

/** `spec` of a serving.kserve.io/v1beta1 InferenceService. */
export interface InferenceServiceSpec {
  readonly predictor: PredictorSpec;
  readonly transformer?: ComponentSpec;
  readonly explainer?: ExplainerSpec;
  readonly canary?: readonly CanarySpec[];
}

/** The words that the guide documents for `mode` in the ConfigMap. No released KServe reads them. */
export type DocumentedMode = 'Availability' | 'ResourceAware';

/** The platform's rollout defaults, typed: `deploymentRolloutStrategy.defaultRollout` of the ConfigMap's `deploy` key. */
export interface PlatformRolloutProps {
  /**
   * Sets one limit to 0 as the guide says: Availability maxUnavailable, ResourceAware maxSurge.
   *
   * @default - none: both limits stand as they are
   */
  readonly mode?: DocumentedMode;
  /** Pods above the replicas, as a number or a percentage of them, which is rounded up. @default 25% */
  readonly maxSurge?: IntOrPercent;
  /** Pods of the replicas that may be unavailable, as a number or a percentage of them, which is rounded down. @default 25% */
  readonly maxUnavailable?: IntOrPercent;
}

/** KServe's platform level, typed. */
export interface PlatformConfigProps {
  /** The mode of services that name none of their own. @default Standard */
  readonly defaultDeploymentMode?: DeploymentMode | LegacyDeploymentMode;
  /** Applies to services without a strategy of their own, while the default mode is Standard. @default - 25% and 25% */
  readonly defaultRollout?: PlatformRolloutProps;
}

/** The rollout defaults of a platform as found: nothing but the shape was checked. */
export interface PlatformRollout {
  /** The guide's word as found; no released KServe reads it. @default - not set */
  readonly mode?: string;
  /** Pods above the replicas, as written; KServe takes text alone. @default - not set */
  readonly maxSurge?: number | string;
  /** Pods of the replicas that may be unavailable, as written; KServe takes text alone. @default - not set */
  readonly maxUnavailable?: number | string;
}

/** KServe's platform level as the controller holds it after parsing. */
export interface PlatformConfig {
  /** Legacy names are normalised; empty when the ConfigMap has no `deploy` key, which KServe treats like Knative. */
  readonly defaultDeploymentMode: DeploymentMode | '';
  /** Limits for services without a strategy of their own; read while the default mode is Standard. @default - none */
  readonly defaultRollout?: PlatformRollout;
}

/** What a user may say of one component: its upstream fields, and how its pods may be replaced. */
export interface ComponentProps extends ComponentSpec {
  /** How the pods may be replaced: the user level. Not together with `deploymentStrategy`. @default - the levels below decide */
  readonly rollout?: RolloutIntent;
}

/** What a user may say of the explainer. */
export interface ExplainerProps extends ExplainerSpec, ComponentProps {}

/** What a user may say of the predictor. */
export interface PredictorProps extends PredictorSpec, ComponentProps {}

/** A whole InferenceService by intent. */
export interface InferenceServiceProps {
  /** Name, namespace, labels, annotations. @default - the construct's id is the name */
  readonly metadata?: ObjectMeta;
  /** The platform level. @default - default mode Standard without rollout defaults */
  readonly platform?: PlatformConfig;
  /** The component that every service has. */
  readonly predictor: PredictorProps;
  /** Works on requests and answers on their way. @default - none */
  readonly transformer?: ComponentProps;
  /** Answers requests for explanations. @default - none */
  readonly explainer?: ExplainerProps;
  /** Predictors that take a share of the requests beside the main one; KServe 0.20 on. @default - none */
  readonly canary?: readonly CanarySpec[];
  /** Write no strategy for components without one of their own, so that the cluster's ConfigMap decides. @default false */
  readonly inheritPlatformDefaults?: boolean;
  /**
   * Write down which level decided, as annotations `rolloutkit/<component>.<field>`.
   * KServe copies annotations to the pod template, so a changed winner replaces the pods.
   *
   * @default false
   */
  readonly provenanceAnnotations?: boolean;
  /** The KServe version of the cluster. @default 0.17 */
  readonly kserve?: string;
}

/** The strategy of one component, and who decided it. */
export interface ResolvedComponent {
  /** Which component; a multinode predictor is its head. */
  readonly component: ComponentName;
  /** As the API server stores it; null when a finding says that it is refused. */
  readonly strategy: DeploymentStrategy | null;
  /** Who decided each field; empty where the strategy is null. */
  readonly provenance: readonly Provenance[];
}

/** What an intent becomes. */
export interface ResolvedInferenceService {
  /** The object to emit: the settled strategy of every component is explicit in it. */
  readonly manifest: Manifest;
  /** In the order predictor, worker, transformer, explainer. */
  readonly components: readonly ResolvedComponent[];
  /** What is wrong with the intent; an error among them means that the object must not be emitted. */
  readonly findings: readonly Finding[];
  /** Of these, what the intent alone shows, and so no plan of the object says. */
  readonly notes: readonly Finding[];
}

/** A platform level as read: what the parser made of it, and what is to be said of it. */
export interface PlatformConfigResult {
  /** Null when KServe's parser refuses it, which blocks every InferenceService of the cluster. */
  readonly config: PlatformConfig | null;
  readonly findings: readonly Finding[];
}
