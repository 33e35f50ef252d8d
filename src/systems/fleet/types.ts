import type { IntOrPercent } from '../../core/int-or-percent';
import type { DeploymentOptions } from './deployment-options';

/** One requirement on a label. `values` is for In and NotIn, which need one at least; Exists and DoesNotExist take none. */
export interface LabelSelectorRequirement {
  /** The label. */
  readonly key: string;
  /** How the label's value must stand to `values`; its case counts. */
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  /** For In and NotIn at least one; none for Exists and DoesNotExist. */
  readonly values?: readonly string[];
}

/** Selects by labels; all of it must hold. `{}` selects everything, an absent selector is not a criterion. */
export interface LabelSelector {
  /** Labels with these very values. */
  readonly matchLabels?: Readonly<Record<string, string>>;
  /** Requirements on labels; all of them must hold. */
  readonly matchExpressions?: readonly LabelSelectorRequirement[];
}

/** Which clusters are meant. Criteria that are given are ANDed; none at all matches no cluster. */
export interface ClusterCriteria {
  /** The Cluster's name, or (from Fleet 0.15) its label `management.cattle.io/cluster-display-name`. */
  readonly clusterName?: string;
  /** Labels of the Cluster; `{}` is every cluster. */
  readonly clusterSelector?: LabelSelector;
  /** The name of a ClusterGroup that the cluster is in. */
  readonly clusterGroup?: string;
  /** Labels of a ClusterGroup that the cluster is in. */
  readonly clusterGroupSelector?: LabelSelector;
}

/** A set of clusters that is rolled out together, in the order in which the partitions are written. */
export interface Partition extends ClusterCriteria {
  /** Shown in the status only. */
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
   * BundleDeployments that one reconcile creates; the next reconcile follows at once, so it holds nothing back. From Fleet 0.16. @default
   * 50
   */
  readonly maxNew?: number;
  /** Where given, a cluster that none of them matches is never installed and never updated. */
  readonly partitions?: readonly Partition[];
}

/** A cluster, or cluster group, that a GitRepo deploys to. */
export interface GitTarget extends ClusterCriteria {
  /** For display and logs. @default - target000 and so on */
  readonly name?: string;
}

/** A target of a bundle, or a customization: what is deployed differently on the clusters that it matches. */
export interface BundleTarget extends GitTarget, DeploymentOptions {
  /** Leave out the clusters that match. */
  readonly doNotDeploy?: boolean;
}

/** The states of a bundle that a dependency may accept. */
export const BUNDLE_STATES = ['Ready', 'NotReady', 'Pending', 'OutOfSync', 'Modified', 'WaitApplied', 'ErrApplied'] as const;

/** A bundle that must be in one of the accepted states first; by name, or by selector, one of which is needed. */
export interface BundleRef {
  /** Name of the bundle, in the same namespace. */
  readonly name?: string;
  /** Labels of the bundles. */
  readonly selector?: LabelSelector;
  /** @default [Ready] */
  readonly acceptedStates?: readonly (typeof BUNDLE_STATES)[number][];
}

/** FirstMatch applies the first customization that matches a cluster, AllMatches all of them in order (from Fleet 0.16). */
export const CUSTOMIZATION_MODES = ['FirstMatch', 'AllMatches'] as const;

/** What Bundle, HelmOp and fleet.yaml have in common. */
export interface BundleOptions extends DeploymentOptions {
  /** Nothing is released to any cluster while it is set. */
  readonly paused?: boolean;
  /** In which order clusters get a change, and when that halts. @default - all at once */
  readonly rolloutStrategy?: RolloutStrategy;
  /** Bundles that are waited for first. */
  readonly dependsOn?: readonly BundleRef[];
  /** @default FirstMatch */
  readonly targetCustomizationMode?: (typeof CUSTOMIZATION_MODES)[number];
}

/** A file of a bundle: a manifest, a chart file. */
export interface BundleResource {
  /** The file's path in the bundle. */
  readonly name?: string;
  /** The file's text, in the encoding. */
  readonly content?: string;
  /** Plain, or gzipped and in base64. @default - plain */
  readonly encoding?: '' | 'base64+gz';
}

/** `spec` of a Bundle. */
export interface BundleSpec extends BundleOptions {
  /** The files that are deployed. */
  readonly resources?: readonly BundleResource[];
  /** Evaluated in order; the first that matches a cluster counts. */
  readonly targets?: readonly BundleTarget[];
  /** An allow-list that Fleet fills from the GitRepo's targets; with it, the first targets are customizations. */
  readonly targetRestrictions?: readonly GitTarget[];
}

/** A tag of an image to watch for in the folder's manifests. */
export interface ImageScan {
  /** Unused by Fleet. */
  readonly name?: string;
  /** The marker behind an image in the manifests: `# {"$imagescan": "web"}`. */
  readonly tagName: string;
  /** The image without a tag: `registry.example.com/web`. */
  readonly image: string;
  /** Time between two looks at the registry, such as `5m`. */
  readonly interval?: string;
  /** The GitRepo whose repository is written to. */
  readonly gitrepoName?: string;
  /** The Secret with the registry's credentials. */
  readonly secretRef?: { readonly name?: string };
  /** Look no more. @default false */
  readonly suspend?: boolean;
  /** Which tag is the newest: by semantic version within a range, or by the alphabet (`asc` or `desc`). */
  readonly policy: { readonly semver?: { readonly range: string }; readonly alphabetical?: { readonly order?: string } };
}

/** The file `fleet.yaml`, which makes its folder a bundle. Unknown fields are ignored in silence. Source: rancher/fleet fleetyaml.go. */
export interface FleetYaml extends BundleOptions {
  /** The bundle's name. @default - made of the GitRepo's name and the folder */
  readonly name?: string;
  /** Labels of the bundle, for `dependsOn`. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Older name of targetCustomizations, which come after these. */
  readonly targets?: readonly BundleTarget[];
  /** What is deployed differently on the clusters that they match. They never add a cluster. */
  readonly targetCustomizations?: readonly BundleTarget[];
  /** Images whose new tags are written into the repository. */
  readonly imageScans?: readonly ImageScan[];
  /** Takes the place of the GitRepo's targets. */
  readonly overrideTargets?: readonly GitTarget[];
}

/** `spec` of a GitRepo. */
export interface GitRepoSpec {
  /** The URL of the repository, by https or ssh. */
  readonly repo: string;
  /** @default master */
  readonly branch?: string;
  /** A commit or tag; it wins over `branch`. */
  readonly revision?: string;
  /** Folders that are searched for bundles. @default - the whole repository */
  readonly paths?: readonly string[];
  /** @default - the cluster group "default" */
  readonly targets?: readonly GitTarget[];
  /** Puts every object into this namespace; objects that belong to none are refused. */
  readonly targetNamespace?: string;
  /** The service account of the downstream clusters that deploys it. @default - the agent's own */
  readonly serviceAccount?: string;
  /** The Secret with the repository's credentials. */
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
  /** Clusters of the group's namespace with these labels; an absent selector has no members, `{}` all. */
  readonly selector?: LabelSelector;
}

/** `spec` of a Cluster. */
export interface ClusterSpec {
  /** Nothing is released to the cluster while it is set. */
  readonly paused?: boolean;
  /** Values for the Go templates of fleet.yaml, `.ClusterValues` there. */
  readonly templateValues?: Readonly<Record<string, unknown>>;
}

/** `spec` of a HelmOp, which deploys a chart without Git. */
export interface HelmOpSpec extends BundleSpec {
  /** Labels of the bundle that it makes, for `dependsOn`. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Time between two looks for a newer chart, such as `5m`. */
  readonly pollingInterval?: string;
  /** The Secret with the chart repository's credentials. */
  readonly helmSecretName?: string;
  /** Take any certificate of the chart repository. @default false */
  readonly insecureSkipTLSVerify?: boolean;
}
