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
  | {
      readonly type: 'NewClusterWithIncrementalUpgrade';
      /** The pace of the upgrade, and who splits the traffic. */
      readonly clusterUpgradeOptions: ClusterUpgradeOptions;
    }
  | {
      /** NewCluster moves all traffic once the new cluster is ready; None makes no new cluster. */
      readonly type: 'NewCluster' | 'None';
    };

/** A container as far as an upgrade touches it; the rest passes through. */
export interface RayContainer {
  /** Name of the container, unique within the pod; Ray runs in the pod's first. */
  readonly name: string;
  /** The image, with Ray in it; head and workers need the same version of Ray. @default - none: the API server refuses the pod */
  readonly image?: string;
  /** Ports of the container. Requests go to the one named `serve` (or `serve-…`). @default - Serve listens on 8000 */
  readonly ports?: readonly Fields[];
  /** Requests and limits. Ray takes the limits as its logical CPUs, GPUs and memory. @default - none */
  readonly resources?: {
    /** What the container gets at most, by resource. @default - none */
    readonly limits?: Readonly<Record<string, string | number>>;
    /** What the scheduler keeps free for it, by resource. @default - the limits */
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
    /** Ray's container, and then any beside it. */
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
  /** Logical resources for Ray to count, instead of those of the container. @default - the container's */
  readonly resources?: Readonly<Record<string, string>>;
  /** Labels of the Ray node, which work is scheduled by, and of its pod. @default - none */
  readonly labels?: Readonly<Record<string, string>>;
  /** Type of the head's Service. @default ClusterIP */
  readonly serviceType?: 'ClusterIP' | 'NodePort' | 'LoadBalancer' | 'ExternalName';
  /** The head's Service, for fields that the operator leaves open. @default - made by the operator */
  readonly headService?: Fields;
  /** Make an Ingress to the head. @default false */
  readonly enableIngress?: boolean;
}

/** One of `workerGroupSpecs`. */
export interface WorkerGroupSpec {
  /** Unique within the cluster. */
  readonly groupName: string;
  /** A worker pod. */
  readonly template: PodTemplate;
  /** Workers to begin with. The autoscaler owns the number afterwards. @default 0 */
  readonly replicas?: number;
  /** Workers at least, from 0. */
  readonly minReplicas: number;
  /** Workers at most, from `minReplicas` on. */
  readonly maxReplicas: number;
  /** Pods of one replica. @default 1 */
  readonly numOfHosts?: number;
  /** Groups of a higher one are scaled up first. @default 0 */
  readonly priority?: number;
  /** Seconds that a worker of this group is idle before the autoscaler takes it away; autoscaler v2. @default - autoscalerOptions.idleTimeoutSeconds */
  readonly idleTimeoutSeconds?: number;
  /** Flags of `ray start` without dashes. @default - none */
  readonly rayStartParams?: Readonly<Record<string, string>>;
  /** Logical resources for Ray to count, instead of those of the container. @default - the container's */
  readonly resources?: Readonly<Record<string, string>>;
  /** Labels of the Ray nodes, which work is scheduled by, and of their pods. @default - none */
  readonly labels?: Readonly<Record<string, string>>;
  /** Names of pods that go first when the group shrinks. The autoscaler writes them. @default - none */
  readonly scaleStrategy?: {
    /** Names of the pods. @default - none */
    readonly workersToDelete?: readonly string[];
  };
}

/** `autoscalerOptions`. */
export interface AutoscalerOptions {
  /** Which of the two autoscalers of Ray runs. @default - Ray's own choice */
  readonly version?: 'v1' | 'v2';
  /** Seconds that a worker is idle before the autoscaler takes it away. @default 60 */
  readonly idleTimeoutSeconds?: number;
  /** How fast workers are added: `Conservative` keeps starting workers to the number that runs. @default Default */
  readonly upscalingMode?: 'Default' | 'Conservative' | 'Aggressive';
  /** Image of the autoscaler's container. @default - the head's */
  readonly image?: string;
  /** When the kubelet pulls the autoscaler's image: Always, IfNotPresent or Never. @default - Kubernetes' own */
  readonly imagePullPolicy?: string;
  /** Requests and limits of the autoscaler's container, which is in the head pod. @default - 500m CPU, 512Mi memory */
  readonly resources?: Fields;
  readonly [field: string]: unknown;
}

/** `spec.rayClusterConfig`. The documents also call it rayClusterSpec, which is not a field of a RayService. */
export interface RayClusterSpec {
  /** The head, of which there is one. */
  readonly headGroupSpec: HeadGroupSpec;
  /** Groups of equal workers. @default - none */
  readonly workerGroupSpecs?: readonly WorkerGroupSpec[];
  /** The version of Ray in the images, such as `2.46.0`. @default - not told */
  readonly rayVersion?: string;
  /** Whether Ray's autoscaler runs. Pods then follow the Serve replicas. @default - off; an incremental upgrade needs it */
  readonly enableInTreeAutoscaling?: boolean;
  /** Settings of the in-tree autoscaler. @default - KubeRay's */
  readonly autoscalerOptions?: AutoscalerOptions;
  /** A Redis that outlives the head, so that a restarted one finds its cluster again. @default - none */
  readonly gcsFaultToleranceOptions?: Fields;
  /** Annotations of the head's Service. @default - none */
  readonly headServiceAnnotations?: Readonly<Record<string, string>>;
  /** Token authentication of the cluster. @default - none */
  readonly authOptions?: Fields;
}

/** `autoscaling_config` of a Serve deployment, as far as target_capacity scales it; the rest passes through. */
export interface ServeAutoscalingConfig {
  /** Replicas at least, from 0. @default 1 */
  readonly min_replicas?: number;
  /** Replicas at most, from `min_replicas` on; beside `num_replicas: 'auto'` 100 unless given. @default 1 */
  readonly max_replicas?: number;
  /** Replicas to begin with. @default - min_replicas */
  readonly initial_replicas?: number;
  /** Requests in flight that the autoscaler aims at for one replica. @default 2 */
  readonly target_ongoing_requests?: number;
  /** Seconds over which requests are averaged. @default 30 */
  readonly look_back_period_s?: number;
  /** Seconds between two reports of requests; deprecated for variables of Serve's own. @default 10 */
  readonly metrics_interval_s?: number;
  /** Seconds that more replicas have to be wanted before they come. @default 30 */
  readonly upscale_delay_s?: number;
  /** Seconds that fewer replicas have to be wanted before they go. @default 600 */
  readonly downscale_delay_s?: number;
  /** The same for the last replica. @default - downscale_delay_s */
  readonly downscale_to_zero_delay_s?: number;
  /** How much of a lack of replicas one decision makes up for. @default - all of it */
  readonly upscaling_factor?: number;
  /** How much of a surplus of replicas one decision takes away. @default - all of it */
  readonly downscaling_factor?: number;
  /** Both factors in one; deprecated. @default 1 */
  readonly smoothing_factor?: number;
  /** Deprecated for `upscaling_factor`. @default - smoothing_factor */
  readonly upscale_smoothing_factor?: number;
  /** Deprecated for `downscaling_factor`. @default - smoothing_factor */
  readonly downscale_smoothing_factor?: number;
  /** The function that decides, by its name or import path. @default - by requests in flight */
  readonly policy?: Fields;
  /** Fields that are not listed here, such as those of a later Ray: they are written as they are. @default - none */
  readonly others?: Fields;
}

/** What one replica asks of Ray. GPUs and CPUs have keywords of their own: Ray refuses them among `resources`. */
export interface RayActorOptions {
  /** CPUs of one replica; fractions are fine. @default 1 */
  readonly num_cpus?: number;
  /** GPUs of one replica; fractions below 1 share a GPU. @default 0 */
  readonly num_gpus?: number;
  /** Bytes of memory of one replica, for scheduling alone. @default - not counted */
  readonly memory?: number;
  /** Bytes of the object store of one replica. @default - not counted */
  readonly object_store_memory?: number;
  /** Custom resources by name. @default - none */
  readonly resources?: Readonly<Record<string, number>> & { readonly CPU?: never; readonly GPU?: never };
  /** Packages, files and variables that the replicas need. @default - the application's */
  readonly runtime_env?: Fields;
  /** The make of accelerator that a node must have: `A100`. @default - any */
  readonly accelerator_type?: string;
  /** Fields that are not listed here, such as those of a later Ray: they are written as they are. @default - none */
  readonly others?: Fields;
}

/** One Serve deployment without its number of replicas. */
export interface ServeDeploymentFields {
  /** The class or function of the application that is configured. */
  readonly name: string;
  /** What one replica asks of Ray. @default - 1 CPU */
  readonly ray_actor_options?: RayActorOptions;
  /** Requests that one replica takes at once. @default 5 */
  readonly max_ongoing_requests?: number;
  /** Handed to the deployment's `reconfigure`; a change of it alone restarts nothing. @default - none */
  readonly user_config?: unknown;
  /** Requests that wait for a replica before further ones are refused; -1 is no limit. @default - no limit */
  readonly max_queued_requests?: number;
  /** Seconds between two looks at whether a replica that stops has work left. @default 2 */
  readonly graceful_shutdown_wait_loop_s?: number;
  /** Seconds that a replica may take to stop. @default 20 */
  readonly graceful_shutdown_timeout_s?: number;
  /** Seconds between two health checks of a replica. @default 10 */
  readonly health_check_period_s?: number;
  /** Seconds that a health check may take. @default 30 */
  readonly health_check_timeout_s?: number;
  /** Resources by name of each bundle of a replica's placement group, the first of them the replica's own. @default - no placement group */
  readonly placement_group_bundles?: readonly Readonly<Record<string, number>>[];
  /** How the bundles are spread over nodes. @default - as near together as can be */
  readonly placement_group_strategy?: 'PACK' | 'STRICT_PACK' | 'SPREAD' | 'STRICT_SPREAD';
  /** Replicas of this deployment on one node, 1 to 100. @default - any number */
  readonly max_replicas_per_node?: number;
  /** Logging of this deployment. @default - that of the application */
  readonly logging_config?: Fields;
  /** How requests are given to replicas. @default - Ray's own */
  readonly request_router_config?: Fields;
  /** Fields that are not listed here, such as those of a later Ray: they are written as they are. @default - none */
  readonly others?: Fields;
}

/** A fixed number of replicas, or a range for Serve's autoscaler: Ray refuses both together. */
export type ServeDeployment =
  | (ServeDeploymentFields & {
      /** A fixed number of replicas. @default 1 */
      readonly num_replicas?: number;
      readonly autoscaling_config?: never;
    })
  | (ServeDeploymentFields & {
      readonly num_replicas?: 'auto';
      /** The range in which Serve's autoscaler chooses the number of replicas. */
      readonly autoscaling_config: ServeAutoscalingConfig;
    });

/** One Serve application. */
export interface ServeApplication {
  /** Unique within the Serve config. */
  readonly name: string;
  /** Where Ray finds the application: `module:variable`. */
  readonly import_path: string;
  /** The path of its requests; null for an application that is called by others alone. @default / */
  readonly route_prefix?: string | null;
  /** Packages, files and variables that the application needs. @default - none */
  readonly runtime_env?: Fields;
  /** Arguments of the application's builder. @default - none */
  readonly args?: Fields;
  /** Deployments whose settings differ from those in the code. @default - none: the code decides */
  readonly deployments?: readonly ServeDeployment[];
}

/** The Serve config, which goes into `spec.serveConfigV2` as YAML text. Its target_capacity belongs to the upgrade and is not to be set. */
export interface ServeConfig {
  /** The applications, each with a name and a route prefix of its own. */
  readonly applications: readonly ServeApplication[];
  /** Which nodes take requests. @default EveryNode */
  readonly proxy_location?: 'EveryNode' | 'HeadOnly' | 'Disabled';
  /** Settings of the HTTP proxies: `port`, `request_timeout_s`. @default - Ray's own */
  readonly http_options?: Fields;
  /** Settings of the gRPC proxies. @default - Ray's own */
  readonly grpc_options?: Fields;
  /** Logging of all of Serve. @default - Ray's own */
  readonly logging_config?: Fields;
}

/** `spec` of a ray.io/v1 RayService. */
export interface RayServiceSpec {
  /** The cluster that the service runs on; a change of it makes a new one. */
  readonly rayClusterConfig: RayClusterSpec;
  /** A Serve config as YAML text. @default - none */
  readonly serveConfigV2?: string;
  /** How the service moves to a new cluster. @default - NewCluster: at once, when the new one is ready */
  readonly upgradeStrategy?: UpgradeStrategy;
  /** Seconds that the old cluster outlives the upgrade, from 0. @default 60 */
  readonly rayClusterDeletionDelaySeconds?: number;
  /** Keep requests away from the head pod. (The guide calls it excludeHeadService.) @default false */
  readonly excludeHeadPodFromServeSvc?: boolean;
  /** A core Service; ignored in an incremental upgrade. @default - made by the operator */
  readonly serveService?: Fields;
  /** KubeRay 1.7 on: deletes the clusters, the Gateway and the HTTPRoute. @default false */
  readonly suspend?: boolean;
}

/** The pace and the price of an upgrade. */
export interface UpgradeProps {
  /** The GatewayClass whose controller splits the traffic: `istio`. */
  readonly gatewayClassName: string;
  /**
   * Capacity that moves in one step, in percent, 1 to 100; so much more than one whole cluster runs at the peak. See `safeMaxSurgePercent`.
   */
  readonly maxSurgePercent: number;
  /** Traffic that moves in one step, in percent, 1 to maxSurgePercent. */
  readonly stepSizePercent: number;
  /** Seconds between two steps of traffic at least. @default 60, the guide's advice: time for both autoscalers to react */
  readonly intervalSeconds?: number;
}

/** A GatewayClass to emit along, where the cluster's administrators have not made one. */
export interface GatewayClassProps {
  /** The controller that the class belongs to: `istio.io/gateway-controller`. */
  readonly controllerName: string;
}

/** What is said of an upgrade, whoever drives it. */
export interface ServiceUpgradeProps {
  /** The pace and the price. */
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
  /** Leaves the steps of the upgrade to the KubeRay operator. @default operator */
  readonly ownership?: 'operator';
  /** Name, namespace, labels, annotations. @default - the construct's id is the name */
  readonly metadata?: ObjectMeta;
  /** What is served. */
  readonly serveConfig: ServeConfig;
  /** The in-tree autoscaler is turned on, since an incremental upgrade needs it. */
  readonly rayCluster: RayClusterSpec;
  /** Seconds that the old cluster outlives the upgrade, from 0. @default 60 */
  readonly rayClusterDeletionDelaySeconds?: number;
  /** Keep requests away from the head pod. @default false */
  readonly excludeHeadPodFromServeSvc?: boolean;
  /** Deletes the clusters, the Gateway and the HTTPRoute for as long as it is set; KubeRay 1.7 on. @default false */
  readonly suspend?: boolean;
}

/** One of the two services of an upgrade by Git. */
export interface StagedServiceProps {
  /** Name of the RayService. @default - the upgrade's name followed by `-current` or `-next` */
  readonly name?: string;
  /** What the service serves. */
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
