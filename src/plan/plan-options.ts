import type { Fields } from '../core/manifest';
import type { Product } from '../core/versions';
import type { PlanBudget } from '../input/read-budget';

/** What a plan may be told besides the objects. */
export interface PlanOptions {
  /** The versions of the cluster, by product. @default - of each product the version that `DEFAULT_VERSIONS` of core/versions.ts names */
  readonly versions?: Readonly<Partial<Record<Product, string>>>;
  /**
   * KServe's ConfigMap, or the JSON of its `deploy` key; wins over a ConfigMap among the objects.
   *
   * @default - the ConfigMap among the objects; without one, default mode Standard and no rollout defaults
   */
  readonly kserveConfig?: Fields;
  /**
   * Fleet's inventory: Cluster and ClusterGroup objects, Lists of them, or `{clusters: […], groups: […]}`, one or several.
   *
   * @default - the Cluster and ClusterGroup objects among those that are planned
   */
  readonly clusters?: readonly unknown[] | Fields;
  /** Names of clusters that never get ready, to see where a rollout would halt. @default - none */
  readonly neverReady?: readonly string[];
  /** Names of clusters that are down now: they hold a place from the start, and are released first. @default - none, but for what the objects say */
  readonly notReadyNow?: readonly string[];
  /** Seconds that a pod takes to become ready, from 0 to 2147483647; an annotation of its template (`rolloutkit/startup-seconds`) wins. @default 0 */
  readonly startupSeconds?: number;
  /**
   * What the cluster has for the workloads: `{ total?, free?, nodePools? }`, or the list of its Nodes.
   *
   * @default - ResourceQuotas among the objects alone limit them
   */
  readonly capacity?: unknown;
  /**
   * What planning may take: seconds, after which nothing is planned, and megabytes of the plan as JSON without blanks,
   * beyond which rollouts and findings are left out. A finding says what was exceeded. @default 300 seconds and 200 megabytes
   */
  readonly budget?: Partial<PlanBudget>;
}
