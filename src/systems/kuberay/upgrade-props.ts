import type { Preference } from '../../core/document/advice';
import type { ObjectMeta } from '../../core/manifest/manifest';
import type { DrainIntent } from '../../workloads/drain';
import type { RayClusterSpec, ServeConfig } from './types';

/** The pace and the extra capacity of an upgrade. */
export interface UpgradeProps {
  /** The GatewayClass whose controller splits the traffic: `istio`. */
  readonly gatewayClassName: string;
  /**
   * Capacity that moves in one step, in percent, 1 to 100. At the peak, this much runs in addition to one full cluster.
   * See `safeMaxSurgePercent`.
   */
  readonly maxSurgePercent: number;
  /** Traffic that moves in one step, in percent, 1 to maxSurgePercent. */
  readonly stepSizePercent: number;
  /** Minimum seconds between two traffic steps. @default 60, as the guide advises, so that both autoscalers can react */
  readonly intervalSeconds?: number;
  readonly goal?: never;
}

/** What a user wants of an upgrade. A limit that is not set is not asked for. */
export interface UpgradeGoal {
  /** Most GPUs in addition to one full cluster, those of the new head included. It holds at both limits of the autoscaler too. @default - any number */
  readonly extraGpus?: number;
  /** Longest expected time: `45m`, `2h`. @default - any time */
  readonly within?: string;
  /** Most traffic that moves in one step, in percent, 1 to 100. @default 100 */
  readonly maxStep?: number;
  /**
   * What decides among the paces that meet the limits: the time, or with `cheap` the extra GPUs. An upgrade never has less than one full
   * cluster, so `available` is the same as `fast`.
   *
   * @default fast
   */
  readonly prefer?: Preference;
  /** Seconds until a pod is ready. @default - `startupSeconds` of the upgrade, those of the annotation of the pods, else 60 */
  readonly startupSeconds?: number;
}

/** The pace of an upgrade as a goal. It is resolved at synth to the best pace, as explicit numbers. */
export interface UpgradeByGoalProps extends Pick<UpgradeProps, 'gatewayClassName'> {
  /** The goal: `{ extraGpus: 2, within: '45m', maxStep: 10 }`. */
  readonly goal: UpgradeGoal;
  /** Minimum seconds between two traffic steps. @default - 60, or the most that is in time if 60 is too slow */
  readonly intervalSeconds?: number;
  readonly maxSurgePercent?: never;
  readonly stepSizePercent?: never;
}

/** A GatewayClass to emit if the cluster's administrators have not created one. */
export interface GatewayClassProps {
  /** The controller that the class belongs to: `istio.io/gateway-controller`. */
  readonly controllerName: string;
}

/** Props of an upgrade that do not depend on what drives it. */
export interface ServiceUpgradeProps {
  /** The pace and the extra capacity of the upgrade: numbers, or a goal. */
  readonly upgrade: UpgradeProps | UpgradeByGoalProps;
  /** The GatewayClass `upgrade.gatewayClassName` to emit too. @default - none: it exists already */
  readonly gatewayClass?: GatewayClassProps;
  /** The KubeRay version in the cluster. @default 1.7 */
  readonly kuberay?: string;
  /** Seconds that a pod takes to become ready, for the plan. @default 0 */
  readonly startupSeconds?: number;
}

/** Props of an upgrade with the pace in numbers. */
export type WithPace<Props extends ServiceUpgradeProps> = Omit<Props, 'upgrade'> & {
  /** The pace. */
  readonly upgrade: UpgradeProps;
};

/** An upgrade that the KubeRay operator drives. */
export interface OperatorUpgradeProps extends ServiceUpgradeProps {
  /** The driver of the upgrade: the KubeRay operator. @default operator */
  readonly ownership?: 'operator';
  /** Name, namespace, labels, annotations. @default - the construct's id is the name */
  readonly metadata?: ObjectMeta;
  /** The Serve config of the service. */
  readonly serveConfig: ServeConfig;
  /** The Ray cluster. The in-tree autoscaler is turned on, since an incremental upgrade needs it. */
  readonly rayCluster: RayClusterSpec;
  /** Seconds that the old cluster outlives the upgrade, at least 0. @default 60 */
  readonly rayClusterDeletionDelaySeconds?: number;
  /**
   * How long requests may run while the cluster is replaced. Every Serve deployment gets that time to shut down, and the old cluster outlives the
   * upgrade by it. Each application has to list its deployments.
   *
   * @default - 20 s for a deployment, and 60 s for the old cluster
   */
  readonly drain?: DrainIntent;
  /** Whether to keep requests away from the head pod. @default false */
  readonly excludeHeadPodFromServeSvc?: boolean;
  /** Whether to delete the clusters, the Gateway and the HTTPRoute while it is set; since KubeRay 1.7. @default false */
  readonly suspend?: boolean;
}

/** One of the two services of an upgrade by Git. */
export interface StagedServiceProps {
  /** Name of the RayService. @default - the upgrade's name followed by `-current` or `-next` */
  readonly name?: string;
  /** The Serve config of the service. */
  readonly serveConfig: ServeConfig;
  /** The Ray cluster. The in-tree autoscaler is turned on and `replicas` is omitted, so pods follow the capacity of the stage. */
  readonly rayCluster: RayClusterSpec;
  /** Whether to keep requests away from the head pod. @default false */
  readonly excludeHeadPodFromServeSvc?: boolean;
}

/** An upgrade as plain manifests, stage by stage. */
export interface StagedUpgradeProps extends ServiceUpgradeProps {
  readonly ownership: 'gitops';
  /**
   * Name of the Gateway and the HTTPRoute, and namespace, labels and annotations of every object.
   *
   * @default - the construct's id is the name
   */
  readonly metadata?: ObjectMeta;
  /** The service that runs. */
  readonly current: StagedServiceProps;
  /** The service that takes over. */
  readonly next: StagedServiceProps;
  /**
   * How long requests may run while stages stop their replicas. Every Serve deployment of both services gets that time to shut down, and the README
   * of the stages says how long to wait before the last one. Each application has to list its deployments.
   *
   * @default - 20 s for a deployment
   */
  readonly drain?: DrainIntent;
}
