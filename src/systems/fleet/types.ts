import type { IntOrPercent } from '../../core/int-or-percent';
import type { DeploymentOptions } from './deployment-options';

/** One requirement on a label. `values` is for In and NotIn, which need one at least; Exists and DoesNotExist take none. */
export interface LabelSelectorRequirement {
  /** The label. */
  readonly key: string;
  /** How the label's value must stand to `values`; its case counts. */
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  /** The values to compare with: one at least for In and NotIn, none for Exists and DoesNotExist. @default - none */
  readonly values?: readonly string[];
}

/** Selects by labels; all of it must hold. `{}` selects everything, an absent selector is not a criterion. */
export interface LabelSelector {
  /** Labels with these very values. @default - none */
  readonly matchLabels?: Readonly<Record<string, string>>;
  /** Requirements on labels; all of them must hold. @default - none */
  readonly matchExpressions?: readonly LabelSelectorRequirement[];
}

/** Which clusters are meant. Criteria that are given are ANDed; none at all matches no cluster. */
export interface ClusterCriteria {
  /** The Cluster's name, or (from Fleet 0.15) its label `management.cattle.io/cluster-display-name`. @default - not a criterion */
  readonly clusterName?: string;
  /** Labels of the Cluster; `{}` is every cluster. @default - not a criterion */
  readonly clusterSelector?: LabelSelector;
  /** The name of a ClusterGroup that the cluster is in. @default - not a criterion */
  readonly clusterGroup?: string;
  /** Labels of a ClusterGroup that the cluster is in. @default - not a criterion */
  readonly clusterGroupSelector?: LabelSelector;
}

/** A set of clusters that is rolled out together, in the order in which the partitions are written. */
export interface Partition extends ClusterCriteria {
  /** What the status calls the partition; it has no other use. @default - none */
  readonly name?: string;
  /**
   * How many of the partition's clusters may be updating or not ready at once; 0 would keep an update from ever starting.
   * @default - rolloutStrategy.maxUnavailable (the CRD's text says 10%, which is not so)
   */
  readonly maxUnavailable?: IntOrPercent;
}

/** How a bundle is rolled out over its clusters. Source: rancher/fleet v0.16.1 bundle_types.go, `RolloutStrategy`. */
export interface RolloutStrategy {
  /** How many clusters may be updating or not ready at once; a percentage is rounded down and at least 1. @default 100% */
  readonly maxUnavailable?: IntOrPercent;
  /** How many partitions may be over their limit before later partitions have to wait. @default 0 */
  readonly maxUnavailablePartitions?: IntOrPercent;
  /** Clusters in one partition that Fleet forms by name, where `partitions` is empty; 0 turns that off. @default 25% */
  readonly autoPartitionSize?: IntOrPercent;
  /** Clusters from which on Fleet forms partitions; 0 turns that off. From Fleet 0.15. @default 200 */
  readonly autoPartitionThreshold?: number;
  /**
   * BundleDeployments that one reconcile creates; the next reconcile follows at once, so it holds nothing back. From Fleet 0.16.
   *
   * @default 50
   */
  readonly maxNew?: number;
  /**
   * Clusters that roll out together, in this order; a cluster that no partition matches is never installed and never updated.
   *
   * @default - Fleet forms them by name
   */
  readonly partitions?: readonly Partition[];
}

/** A cluster, or cluster group, that a GitRepo deploys to. */
export interface GitTarget extends ClusterCriteria {
  /** For display and logs. @default - target000 and so on */
  readonly name?: string;
}

/** A target of a bundle, or a customization: what is deployed differently on the clusters that it matches. */
export interface BundleTarget extends GitTarget, DeploymentOptions {
  /** Leaves out the clusters that match. @default false */
  readonly doNotDeploy?: boolean;
}

/** The states of a bundle that a dependency may accept. */
export const BUNDLE_STATES = ['Ready', 'NotReady', 'Pending', 'OutOfSync', 'Modified', 'WaitApplied', 'ErrApplied'] as const;

/** A bundle that must be in one of the accepted states first; by name, or by selector, one of which is needed. */
export interface BundleRef {
  /** Name of the bundle, in the same namespace. @default - `selector` decides */
  readonly name?: string;
  /** Labels of the bundles, in the same namespace. @default - `name` decides */
  readonly selector?: LabelSelector;
  /** States of the bundle that let this one go ahead. @default [Ready] */
  readonly acceptedStates?: readonly (typeof BUNDLE_STATES)[number][];
}

/** FirstMatch applies the first customization that matches a cluster, AllMatches all of them in order (from Fleet 0.16). */
export const CUSTOMIZATION_MODES = ['FirstMatch', 'AllMatches'] as const;

/** What Bundle, HelmOp and fleet.yaml have in common. */
export interface BundleOptions extends DeploymentOptions {
  /** Holds back every release to every cluster while it is set. @default false */
  readonly paused?: boolean;
  /** In which order clusters get a change, and when that halts. @default - all at once */
  readonly rolloutStrategy?: RolloutStrategy;
  /** Bundles that must be in an accepted state before Fleet deploys this one. @default - none */
  readonly dependsOn?: readonly BundleRef[];
  /** Whether the first customization that matches a cluster applies, or all that match, in order (from Fleet 0.16). @default FirstMatch */
  readonly targetCustomizationMode?: (typeof CUSTOMIZATION_MODES)[number];
}

/** A file of a bundle: a manifest, a chart file. */
export interface BundleResource {
  /** The file's path in the bundle. @default - Fleet names it by its position */
  readonly name?: string;
  /** The file's text, in the encoding. @default - empty */
  readonly content?: string;
  /** Plain, or gzipped and in base64. @default - plain */
  readonly encoding?: '' | 'base64+gz';
}

/** `spec` of a Bundle. */
export interface BundleSpec extends BundleOptions {
  /** The files that Fleet deploys. @default - none */
  readonly resources?: readonly BundleResource[];
  /** Whom Fleet deploys to, tried in order; the first that matches a cluster counts. @default - no cluster */
  readonly targets?: readonly BundleTarget[];
  /**
   * An allow-list that Fleet fills from the GitRepo's targets; with it, the first targets are customizations.
   *
   * @default - none: every target counts
   */
  readonly targetRestrictions?: readonly GitTarget[];
}

/** A tag of an image to watch for in the folder's manifests. */
export interface ImageScan {
  /** A name for the scan, which Fleet does not use. @default - none */
  readonly name?: string;
  /** The marker behind an image in the manifests: `# {"$imagescan": "web"}`. */
  readonly tagName: string;
  /** The image without a tag: `registry.example.com/web`. */
  readonly image: string;
  /** Time between two looks at the registry, as a Go duration such as `5m`. @default - Fleet's own */
  readonly interval?: string;
  /** The GitRepo whose repository Fleet writes new tags to. @default - the one that the bundle comes from */
  readonly gitrepoName?: string;
  /** The Secret with the registry's credentials. @default - none: the registry is read without */
  readonly secretRef?: {
    /** Name of the Secret, in the GitRepo's namespace. @default - none */
    readonly name?: string;
  };
  /** Stops looking at the registry. @default false */
  readonly suspend?: boolean;
  /** Which tag counts as the newest; one of the two. */
  readonly policy: {
    /** By semantic version. @default - `alphabetical` decides */
    readonly semver?: {
      /** Versions that come into question, such as `1.x`; the highest wins. */
      readonly range: string;
    };
    /** By the alphabet. @default - `semver` decides */
    readonly alphabetical?: {
      /**
       * `desc` takes the last tag of the alphabet, any other text the first, whatever the CRD says of the two.
       * Source: rancher/fleet internal/cmd/controller/imagescan/tagscan_job.go, `latestTag`.
       *
       * @default desc
       */
      readonly order?: string;
    };
  };
}

/** The file `fleet.yaml`, which makes its folder a bundle. Unknown fields are ignored in silence. Source: rancher/fleet fleetyaml.go. */
export interface FleetYaml extends BundleOptions {
  /** The bundle's name. @default - made of the GitRepo's name and the folder */
  readonly name?: string;
  /** Labels of the bundle, for `dependsOn`. @default - none */
  readonly labels?: Readonly<Record<string, string>>;
  /** Older name of targetCustomizations, which come after these. @default - none */
  readonly targets?: readonly BundleTarget[];
  /** What is deployed differently on the clusters that they match. They never add a cluster. @default - none */
  readonly targetCustomizations?: readonly BundleTarget[];
  /** Images whose new tags Fleet writes into the repository. @default - none */
  readonly imageScans?: readonly ImageScan[];
  /** Targets that take the place of the GitRepo's. @default - the GitRepo's targets */
  readonly overrideTargets?: readonly GitTarget[];
}

/** `spec` of a GitRepo. */
export interface GitRepoSpec {
  /** The URL of the repository, by https or ssh. */
  readonly repo: string;
  /** The branch that Fleet watches. @default master */
  readonly branch?: string;
  /** A commit or tag; it wins over `branch`. @default - the head of `branch` */
  readonly revision?: string;
  /** Folders that are searched for bundles. @default - the whole repository */
  readonly paths?: readonly string[];
  /** The clusters and cluster groups that Fleet deploys the repository to. @default - the cluster group "default" */
  readonly targets?: readonly GitTarget[];
  /** Puts every object into this namespace; objects that belong to none are refused. @default - each object keeps its own */
  readonly targetNamespace?: string;
  /** The service account of the downstream clusters that deploys it. @default - the agent's own */
  readonly serviceAccount?: string;
  /** The Secret with the repository's credentials. @default - the Secret `gitcredential`, if there is one */
  readonly clientSecretName?: string;
  /** Time between two looks at the repository, such as `15s`. @default 15s */
  readonly pollingInterval?: string;
  /** Nothing is released to any cluster while it is set. @default false */
  readonly paused?: boolean;
  /** Leave the objects in the clusters when the GitRepo goes. @default false */
  readonly keepResources?: boolean;
  /** Delete the namespace along with the GitRepo. @default false */
  readonly deleteNamespace?: boolean;
}

/** `spec` of a ClusterGroup. */
export interface ClusterGroupSpec {
  /** Labels of the group's clusters, in its own namespace; `{}` takes all of them. @default - no members */
  readonly selector?: LabelSelector;
}

/** `spec` of a Cluster. */
export interface ClusterSpec {
  /** Holds back every release to the cluster while it is set. @default false */
  readonly paused?: boolean;
  /** Values for the Go templates of fleet.yaml, `.ClusterValues` there. @default - none */
  readonly templateValues?: Readonly<Record<string, unknown>>;
}

/** `spec` of a HelmOp, which deploys a chart without Git. */
export interface HelmOpSpec extends BundleSpec {
  /** Labels of the bundle that it makes, for `dependsOn`. @default - none */
  readonly labels?: Readonly<Record<string, string>>;
  /** Time between two looks for a newer chart, as a Go duration such as `5m`. @default - never looks again */
  readonly pollingInterval?: string;
  /** The Secret with the chart repository's credentials. @default - none */
  readonly helmSecretName?: string;
  /** Take any certificate of the chart repository. @default false */
  readonly insecureSkipTLSVerify?: boolean;
}
