import type { IntOrPercent } from '../../core/values/int-or-percent';
import type { DeploymentOptions } from './deployment-options';

/** One requirement on a label. In and NotIn need at least one of `values`; Exists and DoesNotExist allow none. */
export interface LabelSelectorRequirement {
  /** The label key. */
  readonly key: string;
  /** The relation between the label's value and `values`; case-sensitive. */
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  /** The values to compare with: at least one for In and NotIn, none for Exists and DoesNotExist. @default - none */
  readonly values?: readonly string[];
}

/** Selects by labels; all requirements must match. `{}` selects everything; an unset selector is not a criterion. */
export interface LabelSelector {
  /** Labels that must have exactly these values. @default - none */
  readonly matchLabels?: Readonly<Record<string, string>>;
  /** Requirements on labels; all of them must match. @default - none */
  readonly matchExpressions?: readonly LabelSelectorRequirement[];
}

/** Criteria that select clusters. They are ANDed; without any criterion no cluster matches. */
export interface ClusterCriteria {
  /** The Cluster's name, or (since Fleet 0.15) its label `management.cattle.io/cluster-display-name`. @default - not a criterion */
  readonly clusterName?: string;
  /** Labels of the Cluster; `{}` matches every cluster. @default - not a criterion */
  readonly clusterSelector?: LabelSelector;
  /** The name of a ClusterGroup that the cluster is in. @default - not a criterion */
  readonly clusterGroup?: string;
  /** Labels of a ClusterGroup that the cluster is in. @default - not a criterion */
  readonly clusterGroupSelector?: LabelSelector;
}

/** A set of clusters that roll out together. Partitions roll out in order. */
export interface Partition extends ClusterCriteria {
  /** Name of the partition in the status; it has no other use. @default - none */
  readonly name?: string;
  /**
   * Maximum number of the partition's clusters that may be updating or not ready at once. With 0 no update ever starts.
   *
   * @default - rolloutStrategy.maxUnavailable (the description in the CRD says 10%, which is wrong)
   */
  readonly maxUnavailable?: IntOrPercent;
}

/** The strategy for how a bundle is rolled out to its clusters. Source: rancher/fleet v0.16.1 bundle_types.go, `RolloutStrategy`. */
export interface RolloutStrategy {
  /** Maximum number of clusters that may be updating or not ready at once. A percentage is rounded down to at least 1. @default 100% */
  readonly maxUnavailable?: IntOrPercent;
  /** Maximum number of partitions that may exceed their limit before later partitions wait. @default 0 */
  readonly maxUnavailablePartitions?: IntOrPercent;
  /** Size of the partitions that Fleet forms by name if `partitions` is empty; 0 turns that off. @default 25% */
  readonly autoPartitionSize?: IntOrPercent;
  /** Minimum number of clusters for Fleet to form partitions; 0 turns that off. Since Fleet 0.15. @default 200 */
  readonly autoPartitionThreshold?: number;
  /**
   * Number of BundleDeployments that one reconcile creates. The next reconcile follows at once, so it delays nothing. Since Fleet 0.16.
   *
   * @default 50
   */
  readonly maxNew?: number;
  /**
   * Partitions, in rollout order. A bundle is never installed or updated on a cluster that no partition matches.
   *
   * @default - Fleet forms them by name
   */
  readonly partitions?: readonly Partition[];
}

/** A cluster, or cluster group, that a GitRepo deploys to. */
export interface GitTarget extends ClusterCriteria {
  /** Name for display and logs. @default - target000 and so on */
  readonly name?: string;
}

/** A target of a bundle, or a customization with different options for the clusters that it matches. */
export interface BundleTarget extends GitTarget, DeploymentOptions {
  /** Whether to exclude the matching clusters. @default false */
  readonly doNotDeploy?: boolean;
}

/** The states of a bundle that a dependency may accept. */
export const BUNDLE_STATES = ['Ready', 'NotReady', 'Pending', 'OutOfSync', 'Modified', 'WaitApplied', 'ErrApplied'] as const;

/** A bundle that must first be in one of the accepted states. It needs a name or a selector. */
export interface BundleRef {
  /** Name of the bundle, in the same namespace. @default - `selector` decides */
  readonly name?: string;
  /** Labels of the bundles, in the same namespace. @default - `name` decides */
  readonly selector?: LabelSelector;
  /** States of the bundle in which Fleet deploys this one. @default [Ready] */
  readonly acceptedStates?: readonly (typeof BUNDLE_STATES)[number][];
}

/** FirstMatch applies the first matching customization; AllMatches applies all of them in order (since Fleet 0.16). */
export const CUSTOMIZATION_MODES = ['FirstMatch', 'AllMatches'] as const;

/** Options that Bundle, HelmOp and fleet.yaml share. */
export interface BundleOptions extends DeploymentOptions {
  /** Whether the bundle is paused: nothing is released to any cluster. @default false */
  readonly paused?: boolean;
  /** The order in which clusters get a change, and when the rollout halts. @default - all at once */
  readonly rolloutStrategy?: RolloutStrategy;
  /** Bundles that must be in an accepted state before Fleet deploys this one. @default - none */
  readonly dependsOn?: readonly BundleRef[];
  /** Whether the first matching customization applies, or all of them in order (since Fleet 0.16). @default FirstMatch */
  readonly targetCustomizationMode?: (typeof CUSTOMIZATION_MODES)[number];
}

/** A file of a bundle, such as a manifest or a chart file. */
export interface BundleResource {
  /** The file's path in the bundle. @default - derived from its position */
  readonly name?: string;
  /** The file's content, encoded. @default - empty */
  readonly content?: string;
  /** Encoding of the content: plain, or gzip and base64. @default - plain */
  readonly encoding?: '' | 'base64+gz';
}

/** `spec` of a Bundle. */
export interface BundleSpec extends BundleOptions {
  /** The files that Fleet deploys. @default - none */
  readonly resources?: readonly BundleResource[];
  /** Targets, in order of precedence: the first match for a cluster applies. @default - no cluster */
  readonly targets?: readonly BundleTarget[];
  /**
   * Allow-list that Fleet copies from the GitRepo's targets. If it is set, the first targets are customizations.
   *
   * @default - none: every target counts
   */
  readonly targetRestrictions?: readonly GitTarget[];
}

/** A scan for new tags of an image in the folder's manifests. */
export interface ImageScan {
  /** Name of the scan; Fleet does not use it. @default - none */
  readonly name?: string;
  /** The marker after an image in the manifests: `# {"$imagescan": "web"}`. */
  readonly tagName: string;
  /** The image without a tag: `registry.example.com/web`. */
  readonly image: string;
  /** Time between two scans of the registry, as a Go duration such as `5m`. @default - Fleet's default */
  readonly interval?: string;
  /** The GitRepo of the repository that Fleet writes new tags to. @default - the bundle's GitRepo */
  readonly gitrepoName?: string;
  /** The Secret with the registry's credentials. @default - none: the registry is read without credentials */
  readonly secretRef?: {
    /** Name of the Secret, in the GitRepo's namespace. @default - none */
    readonly name?: string;
  };
  /** Whether to stop scanning the registry. @default false */
  readonly suspend?: boolean;
  /** The policy that selects the newest tag. Set one of the two. */
  readonly policy: {
    /** Selects by semantic version. @default - `alphabetical` applies */
    readonly semver?: {
      /** Range of accepted versions, such as `1.x`. The highest one is selected. */
      readonly range: string;
    };
    /** Selects by alphabetical order. @default - `semver` applies */
    readonly alphabetical?: {
      /**
       * `desc` selects the last tag in alphabetical order, and any other text selects the first. The CRD describes it differently.
       *
       * Source: rancher/fleet internal/cmd/controller/imagescan/tagscan_job.go, `latestTag`.
       *
       * @default desc
       */
      readonly order?: string;
    };
  };
}

/** The file `fleet.yaml`, which makes its folder a bundle. Unknown fields are silently ignored. Source: rancher/fleet fleetyaml.go. */
export interface FleetYaml extends BundleOptions {
  /** The bundle's name. @default - derived from the GitRepo's name and the folder */
  readonly name?: string;
  /** Labels of the bundle, for `dependsOn`. @default - none */
  readonly labels?: Readonly<Record<string, string>>;
  /** Older name of targetCustomizations. These come first. @default - none */
  readonly targets?: readonly BundleTarget[];
  /** Options that differ on the clusters that they match. A customization never adds a cluster. @default - none */
  readonly targetCustomizations?: readonly BundleTarget[];
  /** Scans for images. Fleet writes new tags to the repository. @default - none */
  readonly imageScans?: readonly ImageScan[];
  /** Targets that replace the GitRepo's targets. @default - the GitRepo's targets */
  readonly overrideTargets?: readonly GitTarget[];
}

/** `spec` of a GitRepo. */
export interface GitRepoSpec {
  /** The URL of the repository, with https or ssh. */
  readonly repo: string;
  /** The branch that Fleet watches. @default master */
  readonly branch?: string;
  /** A commit or tag; it takes precedence over `branch`. @default - the head of `branch` */
  readonly revision?: string;
  /** Folders that are searched for bundles. @default - the entire repository */
  readonly paths?: readonly string[];
  /** The clusters and cluster groups that Fleet deploys the repository to. @default - the cluster group "default" */
  readonly targets?: readonly GitTarget[];
  /** The namespace for every object; cluster-scoped objects are refused. @default - each object keeps its own namespace */
  readonly targetNamespace?: string;
  /** The service account in the downstream clusters that deploys it. @default - the agent's service account */
  readonly serviceAccount?: string;
  /** The Secret with the repository's credentials. @default - the Secret `gitcredential`, if there is one */
  readonly clientSecretName?: string;
  /** Time between two polls of the repository, such as `15s`. @default 15s */
  readonly pollingInterval?: string;
  /** Whether the GitRepo is paused: nothing is released to any cluster. @default false */
  readonly paused?: boolean;
  /** Whether to keep the objects in the clusters when the GitRepo is deleted. @default false */
  readonly keepResources?: boolean;
  /** Whether to delete the namespace together with the GitRepo. @default false */
  readonly deleteNamespace?: boolean;
}

/** `spec` of a ClusterGroup. */
export interface ClusterGroupSpec {
  /** Selector for the group's clusters in its namespace; `{}` selects all of them. @default - no members */
  readonly selector?: LabelSelector;
}

/** `spec` of a Cluster. */
export interface ClusterSpec {
  /** Whether the cluster is paused: nothing is released to it. @default false */
  readonly paused?: boolean;
  /** Values for the Go templates of fleet.yaml, as `.ClusterValues`. @default - none */
  readonly templateValues?: Readonly<Record<string, unknown>>;
}

/** `spec` of a HelmOp, which deploys a chart without Git. */
export interface HelmOpSpec extends BundleSpec {
  /** Labels of the bundle that it creates, for `dependsOn`. @default - none */
  readonly labels?: Readonly<Record<string, string>>;
  /** Time between two polls for a newer chart, as a Go duration such as `5m`. @default - no polling */
  readonly pollingInterval?: string;
  /** The Secret with the chart repository's credentials. @default - none */
  readonly helmSecretName?: string;
  /** Whether to accept any certificate of the chart repository. @default false */
  readonly insecureSkipTLSVerify?: boolean;
}
