import type { Fields, ObjectMeta } from '../../core/manifest';

/** `spec.upgradeStrategy.clusterUpgradeOptions` as the API server stores it. */
export interface ClusterUpgradeOptions {
  /** Capacity that moves in one step, in percent of the Serve replicas, 1 to 100. */
  readonly maxSurgePercent: number;
  /** Traffic that moves in one step, in percent of the requests, 1 to maxSurgePercent. */
  readonly stepSizePercent: number;
  /** Seconds between two steps of traffic at least, from 1. */
  readonly intervalSeconds: number;
  /** The GatewayClass whose controller splits the traffic. */
  readonly gatewayClassName: string;
}

/** `spec.upgradeStrategy`. */
export type UpgradeStrategy =
  | { readonly type: 'NewClusterWithIncrementalUpgrade'; readonly clusterUpgradeOptions: ClusterUpgradeOptions }
  | { readonly type: 'NewCluster' | 'None' };

/** A container as far as an upgrade touches it; the rest passes through. */
export interface RayContainer {
  readonly name: string;
  readonly image?: string;
  /** One named `serve` (or `serve-…`) is where requests go; without any port that is 8000. */
  readonly ports?: readonly Fields[];
  readonly resources?: {
    readonly limits?: Readonly<Record<string, string | number>>;
    readonly requests?: Readonly<Record<string, string | number>>;
  };
  readonly [field: string]: unknown;
}

/** A pod template as plain data. */
export interface PodTemplate {
  readonly metadata?: ObjectMeta;
  readonly spec: { readonly containers: readonly RayContainer[]; readonly [field: string]: unknown };
}

/** `headGroupSpec`. The name of its headService must stay unset. */
export interface HeadGroupSpec {
  readonly template: PodTemplate;
  readonly rayStartParams?: Readonly<Record<string, string>>;
  readonly resources?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly serviceType?: 'ClusterIP' | 'NodePort' | 'LoadBalancer' | 'ExternalName';
  readonly headService?: Fields;
  readonly enableIngress?: boolean;
}

/** One of `workerGroupSpecs`. */
export interface WorkerGroupSpec {
  readonly groupName: string;
  readonly template: PodTemplate;
  /** Workers to begin with. The autoscaler owns the number afterwards. @default 0 */
  readonly replicas?: number;
  readonly minReplicas: number;
  readonly maxReplicas: number;
  /** Pods of one replica. @default 1 */
  readonly numOfHosts?: number;
  readonly priority?: number;
  readonly idleTimeoutSeconds?: number;
  readonly rayStartParams?: Readonly<Record<string, string>>;
  readonly resources?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly scaleStrategy?: { readonly workersToDelete?: readonly string[] };
}

/** `autoscalerOptions`. */
export interface AutoscalerOptions {
  readonly version?: 'v1' | 'v2';
  /** Seconds. @default 60 */
  readonly idleTimeoutSeconds?: number;
  readonly upscalingMode?: 'Default' | 'Conservative' | 'Aggressive';
  readonly image?: string;
  readonly imagePullPolicy?: string;
  readonly resources?: Fields;
  readonly [field: string]: unknown;
}

/** `spec.rayClusterConfig`. The documents also call it rayClusterSpec, which is no field of a RayService. */
export interface RayClusterSpec {
  readonly headGroupSpec: HeadGroupSpec;
  readonly workerGroupSpecs?: readonly WorkerGroupSpec[];
  readonly rayVersion?: string;
  /** An incremental upgrade needs it: pods follow the Serve replicas. */
  readonly enableInTreeAutoscaling?: boolean;
  readonly autoscalerOptions?: AutoscalerOptions;
  readonly gcsFaultToleranceOptions?: Fields;
  readonly headServiceAnnotations?: Readonly<Record<string, string>>;
  readonly authOptions?: Fields;
}

/** `autoscaling_config` of a Serve deployment, as far as target_capacity scales it; the rest passes through. */
export interface ServeAutoscalingConfig {
  /** @default 1 */
  readonly min_replicas?: number;
  /** @default 1 */
  readonly max_replicas?: number;
  readonly initial_replicas?: number;
  readonly target_ongoing_requests?: number;
  readonly [field: string]: unknown;
}

/** What one replica asks of Ray. GPUs and CPUs have keywords of their own: Ray refuses them among `resources`. */
export interface RayActorOptions {
  readonly num_cpus?: number;
  readonly num_gpus?: number;
  readonly memory?: number;
  readonly resources?: Readonly<Record<string, number>> & { readonly CPU?: never; readonly GPU?: never };
  readonly runtime_env?: Fields;
  readonly accelerator_type?: string;
}

/** One Serve deployment without its number of replicas. */
export interface ServeDeploymentFields {
  readonly name: string;
  readonly ray_actor_options?: RayActorOptions;
  readonly max_ongoing_requests?: number;
  readonly user_config?: unknown;
  readonly graceful_shutdown_timeout_s?: number;
}

/** A fixed number of replicas, or a range for Serve's autoscaler: Ray refuses both together. */
export type ServeDeployment =
  | (ServeDeploymentFields & { readonly num_replicas?: number; readonly autoscaling_config?: never })
  | (ServeDeploymentFields & { readonly num_replicas?: 'auto'; readonly autoscaling_config: ServeAutoscalingConfig });

/** One Serve application. */
export interface ServeApplication {
  readonly name: string;
  readonly import_path: string;
  readonly route_prefix?: string | null;
  readonly runtime_env?: Fields;
  readonly args?: Fields;
  readonly deployments?: readonly ServeDeployment[];
}

/** The Serve config, which goes into `spec.serveConfigV2` as YAML text. Its target_capacity belongs to the upgrade and is not to be set. */
export interface ServeConfig {
  readonly applications: readonly ServeApplication[];
  readonly proxy_location?: 'EveryNode' | 'HeadOnly' | 'Disabled';
  readonly http_options?: Fields;
  readonly grpc_options?: Fields;
  readonly logging_config?: Fields;
}

/** `spec` of a ray.io/v1 RayService. */
export interface RayServiceSpec {
  readonly rayClusterConfig: RayClusterSpec;
  /** A Serve config as YAML text. */
  readonly serveConfigV2?: string;
  readonly upgradeStrategy?: UpgradeStrategy;
  /** Seconds that the old cluster outlives the upgrade, from 0. @default 60 */
  readonly rayClusterDeletionDelaySeconds?: number;
  /** Keep requests away from the head pod. (The guide calls it excludeHeadService.) @default false */
  readonly excludeHeadPodFromServeSvc?: boolean;
  /** A core Service; ignored in an incremental upgrade. */
  readonly serveService?: Fields;
  /** KubeRay 1.7 on: deletes the clusters, the Gateway and the HTTPRoute. @default false */
  readonly suspend?: boolean;
}

/** The pace and the price of an upgrade. */
export interface UpgradeProps {
  /** The GatewayClass whose controller splits the traffic: `istio`. */
  readonly gatewayClassName: string;
  /**
   * Capacity that moves in one step, in percent, 1 to 100; so much more than one whole cluster runs at the peak. See
   * `safeMaxSurgePercent`.
   */
  readonly maxSurgePercent: number;
  /** Traffic that moves in one step, in percent, 1 to maxSurgePercent. */
  readonly stepSizePercent: number;
  /** Seconds between two steps of traffic at least. @default 60, the guide's advice: time for both autoscalers to react */
  readonly intervalSeconds?: number;
}

/** A GatewayClass to emit along, where the cluster's administrators have not made one. */
export interface GatewayClassProps {
  /** `istio.io/gateway-controller` */
  readonly controllerName: string;
}

/** What is said of an upgrade, whoever drives it. */
export interface ServiceUpgradeProps {
  readonly upgrade: UpgradeProps;
  /** Emit the GatewayClass `upgrade.gatewayClassName` too. @default - it is there already */
  readonly gatewayClass?: GatewayClassProps;
  /** The KubeRay version of the cluster. @default 1.7 */
  readonly kuberay?: string;
  /** Seconds that a pod takes to become ready, for the plan. @default 0 */
  readonly startupSeconds?: number;
}

/** An upgrade that the KubeRay operator drives. */
export interface OperatorUpgradeProps extends ServiceUpgradeProps {
  /** @default operator */
  readonly ownership?: 'operator';
  /** Name, namespace, labels, annotations. @default - the construct's id is the name */
  readonly metadata?: ObjectMeta;
  readonly serveConfig: ServeConfig;
  /** The in-tree autoscaler is turned on, since an incremental upgrade needs it. */
  readonly rayCluster: RayClusterSpec;
  /** Seconds that the old cluster outlives the upgrade, from 0. @default 60 */
  readonly rayClusterDeletionDelaySeconds?: number;
  /** Keep requests away from the head pod. @default false */
  readonly excludeHeadPodFromServeSvc?: boolean;
  /** KubeRay 1.7 on. @default false */
  readonly suspend?: boolean;
}

/** One of the two services of an upgrade by Git. */
export interface StagedServiceProps {
  /** @default - the upgrade's name followed by `-current` or `-next` */
  readonly name?: string;
  readonly serveConfig: ServeConfig;
  /** The in-tree autoscaler is turned on and `replicas` left out, so that pods follow the capacity of the stage. */
  readonly rayCluster: RayClusterSpec;
  /** Keep requests away from the head pod. @default false */
  readonly excludeHeadPodFromServeSvc?: boolean;
}

/** The same upgrade as plain manifests, stage by stage. */
export interface StagedUpgradeProps extends ServiceUpgradeProps {
  readonly ownership: 'gitops';
  /** Name of the Gateway and the HTTPRoute; namespace, labels, annotations of every object. @default - the construct's id is the name */
  readonly metadata?: ObjectMeta;
  /** The service that runs. */
  readonly current: StagedServiceProps;
  /** The service that takes over. */
  readonly next: StagedServiceProps;
}
