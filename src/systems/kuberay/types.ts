import type { Fields, ObjectMeta } from '../../core/manifest/manifest';

/** `spec.upgradeStrategy.clusterUpgradeOptions` as the API server stores it. */
export interface ClusterUpgradeOptions {
  /** Capacity that moves in one step, as a percentage of the Serve replicas, 1 to 100. */
  readonly maxSurgePercent: number;
  /** Traffic that moves in one step, as a percentage of the requests, 1 to maxSurgePercent. */
  readonly stepSizePercent: number;
  /** Minimum seconds between two traffic steps, at least 1. */
  readonly intervalSeconds: number;
  /** The GatewayClass whose controller splits the traffic. */
  readonly gatewayClassName: string;
}

/** `spec.upgradeStrategy`. */
export type UpgradeStrategy =
  | {
      readonly type: 'NewClusterWithIncrementalUpgrade';
      /** The pace of the upgrade, and the class of the Gateway that splits the traffic. */
      readonly clusterUpgradeOptions: ClusterUpgradeOptions;
    }
  | {
      /** NewCluster moves all traffic once the new cluster is ready. None creates no new cluster. */
      readonly type: 'NewCluster' | 'None';
    };

/** The fields of a container that an upgrade uses. Other fields are passed through. */
export interface RayContainer {
  /** Name of the container, unique within the pod. Ray runs in the first container. */
  readonly name: string;
  /** Image that contains Ray. The head and the workers need the same version of Ray. @default - none: the API server refuses the pod */
  readonly image?: string;
  /** Ports of the container. Requests go to the one named `serve` (or `serve-…`). @default - Serve listens on 8000 */
  readonly ports?: readonly Fields[];
  /** Requests and limits. Ray uses the limits as its logical CPUs, GPUs and memory. @default - none */
  readonly resources?: {
    /** Maximum amounts for the container, by resource. @default - none */
    readonly limits?: Readonly<Record<string, string | number>>;
    /** Amounts that the scheduler reserves for the container, by resource. @default - the limits */
    readonly requests?: Readonly<Record<string, string | number>>;
  };
  readonly [field: string]: unknown;
}

/** A pod template as plain data. */
export interface PodTemplate {
  /** Labels and annotations of the pods. @default - none */
  readonly metadata?: ObjectMeta;
  /** The pod; its first container is Ray's. */
  readonly spec: {
    /** Ray's container, followed by any other containers. */
    readonly containers: readonly RayContainer[];
    readonly [field: string]: unknown;
  };
}

/** `headGroupSpec`. The name of its headService must stay unset. */
export interface HeadGroupSpec {
  /** The head pod. */
  readonly template: PodTemplate;
  /** Flags of `ray start` without dashes; `{ 'num-cpus': '0' }` keeps work off the head. @default - none */
  readonly rayStartParams?: Readonly<Record<string, string>>;
  /** Logical resources that Ray counts instead of the container's resources. @default - the container's resources */
  readonly resources?: Readonly<Record<string, string>>;
  /** Labels of the pod and of the Ray node, which Ray uses to schedule work. @default - none */
  readonly labels?: Readonly<Record<string, string>>;
  /** Type of the head's Service. @default ClusterIP */
  readonly serviceType?: 'ClusterIP' | 'NodePort' | 'LoadBalancer' | 'ExternalName';
  /** The head's Service, for fields that the operator does not set. @default - created by the operator */
  readonly headService?: Fields;
  /** Whether the operator creates an Ingress to the head. @default false */
  readonly enableIngress?: boolean;
}

/** One of `workerGroupSpecs`. */
export interface WorkerGroupSpec {
  /** Name of the group, unique within the cluster. */
  readonly groupName: string;
  /** A worker pod. */
  readonly template: PodTemplate;
  /** Initial number of workers. The autoscaler changes the number afterwards. @default 0 */
  readonly replicas?: number;
  /** Minimum number of workers, at least 0. */
  readonly minReplicas: number;
  /** Maximum number of workers, at least `minReplicas`. */
  readonly maxReplicas: number;
  /** Number of pods of one replica. @default 1 */
  readonly numOfHosts?: number;
  /** Priority of the group. Groups with a higher priority are scaled up first. @default 0 */
  readonly priority?: number;
  /**
   * Seconds that a worker of this group is idle before the autoscaler removes it; needs autoscaler v2.
   *
   * @default - autoscalerOptions.idleTimeoutSeconds
   */
  readonly idleTimeoutSeconds?: number;
  /** Flags of `ray start` without dashes. @default - none */
  readonly rayStartParams?: Readonly<Record<string, string>>;
  /** Logical resources that Ray counts instead of the container's resources. @default - the container's resources */
  readonly resources?: Readonly<Record<string, string>>;
  /** Labels of the pods and of the Ray nodes, which Ray uses to schedule work. @default - none */
  readonly labels?: Readonly<Record<string, string>>;
  /** Pods that are deleted first when the group shrinks. The autoscaler sets them. @default - none */
  readonly scaleStrategy?: {
    /** Names of the pods. @default - none */
    readonly workersToDelete?: readonly string[];
  };
}

/** `autoscalerOptions`. */
export interface AutoscalerOptions {
  /** The version of Ray's autoscaler. @default - Ray's default */
  readonly version?: 'v1' | 'v2';
  /** Seconds that a worker is idle before the autoscaler removes it. @default 60 */
  readonly idleTimeoutSeconds?: number;
  /** How fast workers are added: `Conservative` limits starting workers to the number of running workers. @default Default */
  readonly upscalingMode?: 'Default' | 'Conservative' | 'Aggressive';
  /** Image of the autoscaler's container. @default - the head's image */
  readonly image?: string;
  /** When the kubelet pulls the autoscaler's image: Always, IfNotPresent or Never. @default - the default of Kubernetes */
  readonly imagePullPolicy?: string;
  /** Requests and limits of the autoscaler's container, which is in the head pod. @default - 500m CPU, 512Mi memory */
  readonly resources?: Fields;
  readonly [field: string]: unknown;
}

/** `spec.rayClusterConfig`. The KubeRay docs also call it rayClusterSpec, which is not a field of a RayService. */
export interface RayClusterSpec {
  /** The only head of the cluster. */
  readonly headGroupSpec: HeadGroupSpec;
  /** Groups of identical workers. @default - none */
  readonly workerGroupSpecs?: readonly WorkerGroupSpec[];
  /** The version of Ray in the images, such as `2.46.0`. @default - not set */
  readonly rayVersion?: string;
  /** Whether Ray's autoscaler runs. The number of pods then follows the Serve replicas. @default - off; an incremental upgrade needs it */
  readonly enableInTreeAutoscaling?: boolean;
  /** Settings of the in-tree autoscaler. @default - KubeRay's defaults */
  readonly autoscalerOptions?: AutoscalerOptions;
  /** A Redis that outlives the head, so that a restarted head recovers its cluster. @default - none */
  readonly gcsFaultToleranceOptions?: Fields;
  /** Annotations of the head's Service. @default - none */
  readonly headServiceAnnotations?: Readonly<Record<string, string>>;
  /** Token authentication of the cluster. @default - none */
  readonly authOptions?: Fields;
}

/** `autoscaling_config` of a Serve deployment. Fields without a prop are set with `others`. */
export interface ServeAutoscalingConfig {
  /** Minimum number of replicas, at least 0. @default 1 */
  readonly min_replicas?: number;
  /** Maximum number of replicas, at least `min_replicas`. With `num_replicas: 'auto'` the default is 100. @default 1 */
  readonly max_replicas?: number;
  /** Initial number of replicas. @default - min_replicas */
  readonly initial_replicas?: number;
  /** Number of ongoing requests per replica that the autoscaler targets. @default 2 */
  readonly target_ongoing_requests?: number;
  /** Seconds over which the number of requests is averaged. @default 30 */
  readonly look_back_period_s?: number;
  /** Seconds between two reports of request metrics; deprecated in favour of environment variables of Serve. @default 10 */
  readonly metrics_interval_s?: number;
  /** Seconds that more replicas must be needed before they are added. @default 30 */
  readonly upscale_delay_s?: number;
  /** Seconds that fewer replicas must be needed before replicas are removed. @default 600 */
  readonly downscale_delay_s?: number;
  /** Seconds that no replica must be needed before the last one is removed. @default - downscale_delay_s */
  readonly downscale_to_zero_delay_s?: number;
  /** Share of the missing replicas that one decision adds. @default - all of them */
  readonly upscaling_factor?: number;
  /** Share of the surplus replicas that one decision removes. @default - all of them */
  readonly downscaling_factor?: number;
  /** Value of both factors; deprecated. @default 1 */
  readonly smoothing_factor?: number;
  /** Deprecated in favour of `upscaling_factor`. @default - smoothing_factor */
  readonly upscale_smoothing_factor?: number;
  /** Deprecated in favour of `downscaling_factor`. @default - smoothing_factor */
  readonly downscale_smoothing_factor?: number;
  /** Autoscaling function, by name or import path. @default - scales by ongoing requests */
  readonly policy?: Fields;
  /** Fields without a prop, such as fields of a later Ray version. They are written unchanged. @default - none */
  readonly others?: Fields;
}

/** Resources that one replica requests from Ray. Set GPUs and CPUs with their own fields: Ray refuses them in `resources`. */
export interface RayActorOptions {
  /** CPUs of one replica; fractions are allowed. @default 1 */
  readonly num_cpus?: number;
  /** GPUs of one replica; fractions below 1 share a GPU. @default 0 */
  readonly num_gpus?: number;
  /** Bytes of memory of one replica, used only for scheduling. @default - not counted */
  readonly memory?: number;
  /** Bytes of object store memory of one replica. @default - not counted */
  readonly object_store_memory?: number;
  /** Custom resources by name. @default - none */
  readonly resources?: Readonly<Record<string, number>> & { readonly CPU?: never; readonly GPU?: never };
  /** Packages, files and variables that the replicas need. @default - the application's runtime_env */
  readonly runtime_env?: Fields;
  /** The accelerator model that a node must have: `A100`. @default - any */
  readonly accelerator_type?: string;
  /** Fields without a prop, such as fields of a later Ray version. They are written unchanged. @default - none */
  readonly others?: Fields;
}

/** The fields of a Serve deployment, without its number of replicas. */
export interface ServeDeploymentFields {
  /** Name of the class or function of the application that this configures. */
  readonly name: string;
  /** Resources that one replica requests from Ray. @default - 1 CPU */
  readonly ray_actor_options?: RayActorOptions;
  /** Maximum number of requests that one replica handles at once. @default 5 */
  readonly max_ongoing_requests?: number;
  /** Value that is passed to the deployment's `reconfigure`. If only this changes, nothing restarts. @default - none */
  readonly user_config?: unknown;
  /** Maximum number of requests that wait for a replica before more are refused; -1 means no limit. @default - no limit */
  readonly max_queued_requests?: number;
  /** Seconds between two checks whether a stopping replica has work left. @default 2 */
  readonly graceful_shutdown_wait_loop_s?: number;
  /** Maximum seconds that a replica takes to stop. @default 20 */
  readonly graceful_shutdown_timeout_s?: number;
  /** Seconds between two health checks of a replica. @default 10 */
  readonly health_check_period_s?: number;
  /** Timeout of a health check in seconds. @default 30 */
  readonly health_check_timeout_s?: number;
  /**
   * Resources of each bundle of a replica's placement group, by name.
   *
   * The first bundle is for the replica itself.
   *
   * @default - no placement group
   */
  readonly placement_group_bundles?: readonly Readonly<Record<string, number>>[];
  /** How the bundles are spread over nodes. @default - on as few nodes as possible */
  readonly placement_group_strategy?: 'PACK' | 'STRICT_PACK' | 'SPREAD' | 'STRICT_SPREAD';
  /** Maximum number of replicas of this deployment on one node, 1 to 100. @default - no limit */
  readonly max_replicas_per_node?: number;
  /** Logging of this deployment. @default - the application's logging */
  readonly logging_config?: Fields;
  /** How requests are routed to replicas. @default - Ray's default */
  readonly request_router_config?: Fields;
  /** Fields without a prop, such as fields of a later Ray version. They are written unchanged. @default - none */
  readonly others?: Fields;
}

/** A Serve deployment with a fixed number of replicas or with a range for Serve's autoscaler. Ray refuses both together. */
export type ServeDeployment =
  | (ServeDeploymentFields & {
      /** A fixed number of replicas. @default 1 */
      readonly num_replicas?: number;
      readonly autoscaling_config?: never;
    })
  | (ServeDeploymentFields & {
      readonly num_replicas?: 'auto';
      /** The range within which Serve's autoscaler chooses the number of replicas. */
      readonly autoscaling_config: ServeAutoscalingConfig;
    });

/** One Serve application. */
export interface ServeApplication {
  /** Name of the application, unique within the Serve config. */
  readonly name: string;
  /** Import path of the application: `module:variable`. */
  readonly import_path: string;
  /** Path prefix of its requests; null if only other applications call it. @default / */
  readonly route_prefix?: string | null;
  /** Packages, files and variables that the application needs. @default - none */
  readonly runtime_env?: Fields;
  /** Arguments of the application's builder. @default - none */
  readonly args?: Fields;
  /** Deployments with settings that override those in the code. @default - none: the code sets them */
  readonly deployments?: readonly ServeDeployment[];
}

/** The Serve config, which is written to `spec.serveConfigV2` as YAML text. The upgrade sets its target_capacity, so do not set it. */
export interface ServeConfig {
  /** The applications, each with a unique name and route prefix. */
  readonly applications: readonly ServeApplication[];
  /** The nodes that receive requests. @default EveryNode */
  readonly proxy_location?: 'EveryNode' | 'HeadOnly' | 'Disabled';
  /** Settings of the HTTP proxies: `port`, `request_timeout_s`. @default - Ray's defaults */
  readonly http_options?: Fields;
  /** Settings of the gRPC proxies. @default - Ray's defaults */
  readonly grpc_options?: Fields;
  /** Logging of all of Serve. @default - Ray's defaults */
  readonly logging_config?: Fields;
}

/** `spec` of a ray.io/v1 RayService. */
export interface RayServiceSpec {
  /** The cluster that the service runs on. A change of it creates a new cluster. */
  readonly rayClusterConfig: RayClusterSpec;
  /** A Serve config as YAML text. @default - none */
  readonly serveConfigV2?: string;
  /** How the service moves to a new cluster. @default - NewCluster: at once, when the new cluster is ready */
  readonly upgradeStrategy?: UpgradeStrategy;
  /** Seconds that the old cluster outlives the upgrade, at least 0. @default 60 */
  readonly rayClusterDeletionDelaySeconds?: number;
  /** Whether to keep requests away from the head pod. (The guide calls it excludeHeadService.) @default false */
  readonly excludeHeadPodFromServeSvc?: boolean;
  /** A core Service; ignored by an incremental upgrade. @default - created by the operator */
  readonly serveService?: Fields;
  /** Whether to delete the clusters, the Gateway and the HTTPRoute; since KubeRay 1.7. @default false */
  readonly suspend?: boolean;
}
