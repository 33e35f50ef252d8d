/** How Helm deploys a bundle. */
export interface HelmOptions {
  /** A chart by URL, OCI reference, or name in `repo`. @default - none: the bundle's own manifests are made into a chart */
  readonly chart?: string;
  /** The Helm repository that `chart` is looked up in. @default - none: `chart` says where it is */
  readonly repo?: string;
  /** The version of the chart, or a range of versions. @default - the newest */
  readonly version?: string;
  /** The name of the Helm release, at most 53 characters. @default - made of the GitRepo's name and the folder */
  readonly releaseName?: string;
  /** Values of the chart. @default - the chart's own */
  readonly values?: Readonly<Record<string, unknown>>;
  /** Go templates by key; they win over `values`. @default - none */
  readonly templateValues?: Readonly<Record<string, string>>;
  /** Files of values, from the bundle's folder; a later one wins. @default - none */
  readonly valuesFiles?: readonly string[];
  /** Keys of ConfigMaps and Secrets in the downstream cluster that hold values. @default - none */
  readonly valuesFrom?: readonly {
    /** Values from a ConfigMap. @default - none */
    readonly configMapKeyRef?: ValuesKey;
    /** Values from a Secret; they win over those of the ConfigMap. @default - none */
    readonly secretKeyRef?: ValuesKey;
  }[];
  /** Seconds that Helm waits until what it applied is ready; 0 does not wait. @default 0 */
  readonly timeoutSeconds?: number;
  /** Replace objects that can't be changed in place, which takes them down meanwhile. @default false */
  readonly force?: boolean;
  /** Take over objects that are there already and bear no annotations of Helm. @default false */
  readonly takeOwnership?: boolean;
  /** Revisions of the release that Helm keeps for a rollback. @default - Fleet's own limit */
  readonly maxHistory?: number;
  /** Wait until Jobs are done too, at most `timeoutSeconds`. @default false */
  readonly waitForJobs?: boolean;
  /** Undo an upgrade that fails. @default false */
  readonly atomic?: boolean;
  /** Leave Go templates in the values as they are. @default false */
  readonly disablePreProcess?: boolean;
  /** Templates may not look up host names. @default false */
  readonly disableDNS?: boolean;
  /** Take values that the chart's own schema refuses. @default false */
  readonly skipSchemaValidation?: boolean;
  /** Leave the chart's dependencies as they are in the folder. @default false */
  readonly disableDependencyUpdate?: boolean;
}

/** A key of a ConfigMap or Secret that holds Helm values. */
export interface ValuesKey {
  /** Name of the ConfigMap or Secret. */
  readonly name: string;
  /** Its namespace. @default - the namespace of the release */
  readonly namespace?: string;
  /** The key that holds the values, as YAML. @default values.yaml */
  readonly key?: string;
}

/** Fields of one object that do not count as drift. */
export interface ComparePatch {
  /** Group and version of the objects that this patch covers, such as `apps/v1`. @default - any */
  readonly apiVersion?: string;
  /** Kind of the objects that this patch covers, such as `Deployment`. @default - any */
  readonly kind?: string;
  /** Name of the object that this patch covers. @default - any */
  readonly name?: string;
  /** Namespace of the objects that this patch covers. @default - any */
  readonly namespace?: string;
  /** JSON pointers to the fields that Fleet leaves out of the comparison, such as `/spec/replicas`. @default - none */
  readonly jsonPointers?: readonly string[];
  /**
   * JSON patch operations that Fleet runs on the object before it compares; `{ op: 'ignore' }` leaves out the whole object.
   *
   * @default - none
   */
  readonly operations?: readonly {
    /** What to do: `remove` a field, or `ignore` the object. @default - none */
    readonly op?: string;
    /** JSON pointer to the field. @default - the whole object */
    readonly path?: string;
    /** What to write there, as text. @default - none */
    readonly value?: string;
  }[];
}

/** How a bundle is deployed to a cluster; a customization may set each anew. Source: rancher/fleet bundledeployment_types.go. */
export interface DeploymentOptions {
  /** The namespace for objects that name none. @default default */
  readonly defaultNamespace?: string;
  /** Puts every object into this namespace; objects that belong to none are refused. @default - each object keeps its own */
  readonly namespace?: string;
  /** Make the namespace where it is missing. @default true */
  readonly createNamespace?: boolean;
  /** Delete the namespace along with the bundle. @default false */
  readonly deleteNamespace?: boolean;
  /** Labels that Fleet adds to the namespace. @default - none */
  readonly namespaceLabels?: Readonly<Record<string, string>>;
  /** Annotations that Fleet adds to the namespace. @default - none */
  readonly namespaceAnnotations?: Readonly<Record<string, string>>;
  /** How Helm deploys the bundle, which it does for every bundle, with or without a chart. @default - Fleet's own settings */
  readonly helm?: HelmOptions;
  /** The folder with the kustomization.yaml, below the bundle's. @default - the bundle's own folder */
  readonly kustomize?: {
    /** The folder, relative to the bundle's. @default - the bundle's own */
    readonly dir?: string;
  };
  /** Folders below `overlays/` whose files replace or patch the bundle's manifests. @default - none */
  readonly yaml?: {
    /** Names of folders below `overlays/`, applied in this order. @default - none */
    readonly overlays?: readonly string[];
  };
  /** The service account of the downstream cluster that deploys it. @default - the agent's own */
  readonly serviceAccount?: string;
  /** A number that redeploys the bundle when you change it, though nothing else has changed. @default 0 */
  readonly forceSyncGeneration?: number;
  /** Fields and objects that Fleet leaves out when it looks for drift. @default - none: any difference counts */
  readonly diff?: {
    /** What to leave out, object by object. @default - none */
    readonly comparePatches?: readonly ComparePatch[];
  };
  /** Leave the objects in the cluster when the bundle goes. @default false */
  readonly keepResources?: boolean;
  /** Delete CRDs along with the bundle, and so every object of their kinds. @default false */
  readonly deleteCRDResources?: boolean;
  /** Conditions that Fleet passes over when it decides whether the bundle is ready. @default - none */
  readonly ignore?: {
    /** Conditions by the fields that they have: `{ type: 'Active', status: 'False' }`. @default - none */
    readonly conditions?: readonly Readonly<Record<string, string>>[];
  };
  /** Whether and how Fleet undoes what others change in the objects. @default - it reports drift and leaves it alone */
  readonly correctDrift?: {
    /** Undoes changes of others. @default false */
    readonly enabled?: boolean;
    /** Replaces objects that can't be changed back in place, which takes them down meanwhile. @default false */
    readonly force?: boolean;
    /** Keeps failed attempts in Helm's history. @default false */
    readonly keepFailHistory?: boolean;
  };
  /** ConfigMaps and Secrets that Fleet copies from the bundle's namespace to the downstream clusters. @default - none */
  readonly downstreamResources?: readonly {
    /** `ConfigMap` or `Secret`. @default - none: Fleet refuses it */
    readonly kind?: string;
    /** Name of the object in the bundle's namespace. @default - none: Fleet finds no such object */
    readonly name?: string;
  }[];
}
