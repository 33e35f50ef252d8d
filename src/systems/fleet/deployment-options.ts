/** Options for how Helm deploys a bundle. */
export interface HelmOptions {
  /** A chart by URL, OCI reference, or name in `repo`. @default - none: Fleet creates a chart from the bundle's manifests */
  readonly chart?: string;
  /** The Helm repository of `chart`. @default - none: `chart` is a URL or path */
  readonly repo?: string;
  /** The version of the chart, or a range of versions. @default - the newest version */
  readonly version?: string;
  /** The name of the Helm release, at most 53 characters. @default - derived from the GitRepo's name and the folder */
  readonly releaseName?: string;
  /** Values of the chart. @default - the chart's default values */
  readonly values?: Readonly<Record<string, unknown>>;
  /** Go templates by key; they take precedence over `values`. @default - none */
  readonly templateValues?: Readonly<Record<string, string>>;
  /** Value files in the bundle's folder; later files take precedence. @default - none */
  readonly valuesFiles?: readonly string[];
  /** Keys of ConfigMaps and Secrets in the downstream cluster that contain values. @default - none */
  readonly valuesFrom?: readonly {
    /** Values from a ConfigMap. @default - none */
    readonly configMapKeyRef?: ValuesKey;
    /** Values from a Secret; they take precedence over the ConfigMap. @default - none */
    readonly secretKeyRef?: ValuesKey;
  }[];
  /** Seconds that Helm waits until the applied objects are ready; with 0 it does not wait. @default 0 */
  readonly timeoutSeconds?: number;
  /** Whether to replace objects that can't be changed in place, which makes them unavailable meanwhile. @default false */
  readonly force?: boolean;
  /** Whether to take over existing objects without Helm annotations. @default false */
  readonly takeOwnership?: boolean;
  /** Number of revisions of the release that Helm keeps for a rollback. @default - Fleet's limit */
  readonly maxHistory?: number;
  /** Whether to wait for Jobs too, at most `timeoutSeconds`. @default false */
  readonly waitForJobs?: boolean;
  /** Whether to roll back a failed upgrade. @default false */
  readonly atomic?: boolean;
  /** Whether to leave Go templates in the values unprocessed. @default false */
  readonly disablePreProcess?: boolean;
  /** Whether to forbid DNS lookups in templates. @default false */
  readonly disableDNS?: boolean;
  /** Whether to accept values that the chart's schema refuses. @default false */
  readonly skipSchemaValidation?: boolean;
  /** Whether to use the chart's dependencies in the folder without an update. @default false */
  readonly disableDependencyUpdate?: boolean;
}

/** A key of a ConfigMap or Secret that contains Helm values. */
export interface ValuesKey {
  /** Name of the ConfigMap or Secret. */
  readonly name: string;
  /** Its namespace. @default - the namespace of the release */
  readonly namespace?: string;
  /** The key that contains the values as YAML. @default values.yaml */
  readonly key?: string;
}

/** Fields of an object that do not count as drift. */
export interface ComparePatch {
  /** Group and version of the objects that this patch applies to, such as `apps/v1`. @default - any */
  readonly apiVersion?: string;
  /** Kind of the objects that this patch applies to, such as `Deployment`. @default - any */
  readonly kind?: string;
  /** Name of the object that this patch applies to. @default - any */
  readonly name?: string;
  /** Namespace of the objects that this patch applies to. @default - any */
  readonly namespace?: string;
  /** JSON pointers to the fields that Fleet excludes from the comparison, such as `/spec/replicas`. @default - none */
  readonly jsonPointers?: readonly string[];
  /**
   * JSON patch operations that Fleet applies to the object before the comparison. `{ op: 'ignore' }` excludes the entire object.
   *
   * @default - none
   */
  readonly operations?: readonly {
    /** The operation: `remove` a field, or `ignore` the object. @default - none */
    readonly op?: string;
    /** JSON pointer to the field. @default - the entire object */
    readonly path?: string;
    /** The value to set, as text. @default - none */
    readonly value?: string;
  }[];
}

/**
 * Options for how a bundle is deployed to a cluster. A customization can override each one.
 *
 * Source: rancher/fleet bundledeployment_types.go.
 */
export interface DeploymentOptions {
  /** The namespace for objects without a namespace. @default default */
  readonly defaultNamespace?: string;
  /** The namespace for every object; cluster-scoped objects are refused. @default - each object keeps its own namespace */
  readonly namespace?: string;
  /** Whether to create the namespace if it is missing. @default true */
  readonly createNamespace?: boolean;
  /** Whether to delete the namespace together with the bundle. @default false */
  readonly deleteNamespace?: boolean;
  /** Labels that Fleet adds to the namespace. @default - none */
  readonly namespaceLabels?: Readonly<Record<string, string>>;
  /** Annotations that Fleet adds to the namespace. @default - none */
  readonly namespaceAnnotations?: Readonly<Record<string, string>>;
  /** Helm options. Helm deploys every bundle, with or without a chart. @default - Fleet's defaults */
  readonly helm?: HelmOptions;
  /** The folder with the kustomization.yaml, below the bundle's folder. @default - the bundle's folder */
  readonly kustomize?: {
    /** The folder, relative to the bundle's folder. @default - the bundle's folder */
    readonly dir?: string;
  };
  /** Folders below `overlays/` whose files replace or patch the bundle's manifests. @default - none */
  readonly yaml?: {
    /** Names of folders below `overlays/`, applied in this order. @default - none */
    readonly overlays?: readonly string[];
  };
  /** The service account in the downstream cluster that deploys the bundle. @default - the agent's service account */
  readonly serviceAccount?: string;
  /** A number that redeploys the bundle when it changes, even if nothing else has changed. @default 0 */
  readonly forceSyncGeneration?: number;
  /** Fields and objects that do not count as drift. @default - none: any difference counts */
  readonly diff?: {
    /** The exclusions, object by object. @default - none */
    readonly comparePatches?: readonly ComparePatch[];
  };
  /** Whether to keep the objects in the cluster when the bundle is deleted. @default false */
  readonly keepResources?: boolean;
  /** Whether to delete CRDs, and so every object of their kinds, together with the bundle. @default false */
  readonly deleteCRDResources?: boolean;
  /** Conditions that Fleet ignores when it decides whether the bundle is ready. @default - none */
  readonly ignore?: {
    /** Conditions, by the values of their fields: `{ type: 'Active', status: 'False' }`. @default - none */
    readonly conditions?: readonly Readonly<Record<string, string>>[];
  };
  /** Whether and how Fleet corrects drift. @default - it reports drift without correcting it */
  readonly correctDrift?: {
    /** Whether to undo changes that others made. @default false */
    readonly enabled?: boolean;
    /** Whether to replace objects that can't be changed back in place, which makes them unavailable meanwhile. @default false */
    readonly force?: boolean;
    /** Whether to keep failed attempts in Helm's history. @default false */
    readonly keepFailHistory?: boolean;
  };
  /** ConfigMaps and Secrets that Fleet copies from the bundle's namespace to the downstream clusters. @default - none */
  readonly downstreamResources?: readonly {
    /** Kind of the object: `ConfigMap` or `Secret`. @default - none: Fleet refuses it */
    readonly kind?: string;
    /** Name of the object in the bundle's namespace. @default - none: Fleet finds no such object */
    readonly name?: string;
  }[];
}
