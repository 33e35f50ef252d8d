import type { Fields } from '../core/manifest/manifest';
import type { OperatorResourceMap } from '../core/sources/operator-resource-map';
import type { Product } from '../core/values/versions';
import type { PlanBudget } from '../input/read-budget';

/** Options of a plan. */
export interface PlanOptions {
  /** Versions of the cluster, by product. @default - the versions in `DEFAULT_VERSIONS` of core/versions.ts */
  readonly versions?: Readonly<Partial<Record<Product, string>>>;
  /**
   * KServe's ConfigMap, or the JSON of its `deploy` key. It takes precedence over a ConfigMap among the objects.
   *
   * @default - the ConfigMap among the objects; without one, default mode Standard and no rollout defaults
   */
  readonly kserveConfig?: Fields;
  /**
   * Fleet's inventory: Cluster and ClusterGroup objects, Lists of them, or `{clusters: […], groups: […]}`; one or several of these.
   *
   * @default - the Cluster and ClusterGroup objects of the input
   */
  readonly clusters?: readonly unknown[] | Fields;
  /** Names of clusters that never become ready, to see where a rollout would halt. @default - none */
  readonly neverReady?: readonly string[];
  /**
   * Names of clusters that are down now. They count as unavailable from the start, and are updated first.
   *
   * @default - the clusters that are not ready according to their objects
   */
  readonly notReadyNow?: readonly string[];
  /** Seconds that a pod takes to become ready, from 0 to 2147483647. The annotation `rolloutkit/startup-seconds` of a pod template overrides it. @default 0 */
  readonly startupSeconds?: number;
  /** Measured seconds until pods are ready, by `Deployment/shop/web`. They take precedence over `startupSeconds`. @default - none */
  readonly measuredStartupSeconds?: Readonly<Record<string, number>>;
  /** Number of nodes that the pods of a DaemonSet run on, by `DaemonSet/shop/agent`. Nodes of the input and of `capacity` take precedence. @default - unknown */
  readonly daemonSetNodes?: Readonly<Record<string, number>>;
  /** Custom resources whose pods roll like those of a known kind. Their rollouts are mapped, not verified. @default - none */
  readonly operatorResources?: readonly OperatorResourceMap[];
  /**
   * Capacity of the cluster: `{ total?, free?, nodePools? }`, or the list of its Nodes.
   *
   * @default - unlimited, except for the ResourceQuotas of the input
   */
  readonly capacity?: unknown;
  /**
   * Budget for planning. After the time limit in seconds, nothing is planned. Beyond the size limit of the plan, in megabytes of JSON
   * without whitespace, rollouts and findings are omitted. A finding reports the exceeded limit. @default 300 seconds and 200 megabytes
   */
  readonly budget?: Partial<PlanBudget>;
}
