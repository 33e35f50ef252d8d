/** How Helm deploys a bundle. */
export interface HelmOptions {
  /** A chart by URL, OCI reference, or name in `repo`. */
  readonly chart?: string;
  /** The Helm repository that `chart` is looked up in. */
  readonly repo?: string;
  /** The version of the chart, or a range of versions. @default - the newest */
  readonly version?: string;
  /** At most 53 characters. */
  readonly releaseName?: string;
  /** Values of the chart. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** Go templates by key; they win over `values`. */
  readonly templateValues?: Readonly<Record<string, string>>;
  /** Files of values, from the bundle's folder; a later one wins. */
  readonly valuesFiles?: readonly string[];
  /** Keys of ConfigMaps and Secrets in the downstream cluster that hold values. */
  readonly valuesFrom?: readonly { readonly configMapKeyRef?: ValuesKey; readonly secretKeyRef?: ValuesKey }[];
  /** Seconds that Helm waits for an operation. */
  readonly timeoutSeconds?: number;
  /** Replace objects that can't be changed in place, which takes them down meanwhile. @default false */
  readonly force?: boolean;
  /** Take over objects that are there already and bear no annotations of Helm. @default false */
  readonly takeOwnership?: boolean;
  /** Revisions of the release that Helm keeps. */
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
  /** Of the object, such as `apps/v1`. */
  readonly apiVersion?: string;
  /** Of the object, such as `Deployment`. */
  readonly kind?: string;
  /** Of the object. */
  readonly name?: string;
  /** Of the object. */
  readonly namespace?: string;
  /** Fields that do not count, such as `/spec/replicas`. */
  readonly jsonPointers?: readonly string[];
  /** JSON patch operations on the object before it is compared; `{ op: 'ignore' }` leaves out the whole object. */
  readonly operations?: readonly { readonly op?: string; readonly path?: string; readonly value?: string }[];
}

/** How a bundle is deployed to a cluster; a customization may set each anew. Source: rancher/fleet bundledeployment_types.go. */
export interface DeploymentOptions {
  /** For objects that name no namespace. */
  readonly defaultNamespace?: string;
  /** Puts every object into this namespace. */
  readonly namespace?: string;
  /** Make the namespace where it is missing. @default true */
  readonly createNamespace?: boolean;
  /** Delete the namespace along with the bundle. @default false */
  readonly deleteNamespace?: boolean;
  /** Labels added to the namespace. */
  readonly namespaceLabels?: Readonly<Record<string, string>>;
  /** Annotations added to the namespace. */
  readonly namespaceAnnotations?: Readonly<Record<string, string>>;
  /** How Helm deploys it, which it does for every bundle, with or without a chart. */
  readonly helm?: HelmOptions;
  /** The folder with the kustomization.yaml, below the bundle's. */
  readonly kustomize?: { readonly dir?: string };
  /** Folders below `overlays/` whose files replace or patch the bundle's manifests. */
  readonly yaml?: { readonly overlays?: readonly string[] };
  /** The service account of the downstream cluster that deploys it. @default - the agent's own */
  readonly serviceAccount?: string;
  /** A changed number deploys the bundle anew, though nothing else has changed. */
  readonly forceSyncGeneration?: number;
  /** What does not count as drift. */
  readonly diff?: { readonly comparePatches?: readonly ComparePatch[] };
  /** Leave the objects in the cluster when the bundle goes. @default false */
  readonly keepResources?: boolean;
  /** Delete CRDs along with the bundle, and so every object of their kinds. @default false */
  readonly deleteCRDResources?: boolean;
  /** Conditions that do not count when Fleet looks whether the bundle is ready. */
  readonly ignore?: { readonly conditions?: readonly Readonly<Record<string, string>>[] };
  /** Whether Fleet undoes changes that others make, by what force, and whether failed attempts stay in Helm's history. */
  readonly correctDrift?: { readonly enabled?: boolean; readonly force?: boolean; readonly keepFailHistory?: boolean };
  /** ConfigMaps and Secrets of the bundle's namespace that are copied to the downstream clusters. */
  readonly downstreamResources?: readonly { readonly kind?: string; readonly name?: string }[];
}
