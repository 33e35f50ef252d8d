/** How Helm deploys a bundle. */
export interface HelmOptions {
  readonly chart?: string;
  readonly repo?: string;
  readonly version?: string;
  /** At most 53 characters. */
  readonly releaseName?: string;
  readonly values?: Readonly<Record<string, unknown>>;
  /** Go templates by key; they win over `values`. */
  readonly templateValues?: Readonly<Record<string, string>>;
  readonly valuesFiles?: readonly string[];
  readonly valuesFrom?: readonly { readonly configMapKeyRef?: ValuesKey; readonly secretKeyRef?: ValuesKey }[];
  readonly timeoutSeconds?: number;
  readonly force?: boolean;
  readonly takeOwnership?: boolean;
  readonly maxHistory?: number;
  readonly waitForJobs?: boolean;
  readonly atomic?: boolean;
  readonly disablePreProcess?: boolean;
  readonly disableDNS?: boolean;
  readonly skipSchemaValidation?: boolean;
  readonly disableDependencyUpdate?: boolean;
}

/** A key of a ConfigMap or Secret that holds Helm values. */
export interface ValuesKey {
  readonly name: string;
  readonly namespace?: string;
  readonly key?: string;
}

/** Fields of one object that do not count as drift. */
export interface ComparePatch {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly jsonPointers?: readonly string[];
  readonly operations?: readonly { readonly op?: string; readonly path?: string; readonly value?: string }[];
}

/** How a bundle is deployed to a cluster; a customization may set each anew. Source: rancher/fleet bundledeployment_types.go. */
export interface DeploymentOptions {
  /** For objects that name no namespace. */
  readonly defaultNamespace?: string;
  /** Puts every object into this namespace. */
  readonly namespace?: string;
  readonly createNamespace?: boolean;
  readonly deleteNamespace?: boolean;
  readonly namespaceLabels?: Readonly<Record<string, string>>;
  readonly namespaceAnnotations?: Readonly<Record<string, string>>;
  readonly helm?: HelmOptions;
  readonly kustomize?: { readonly dir?: string };
  readonly yaml?: { readonly overlays?: readonly string[] };
  readonly serviceAccount?: string;
  readonly forceSyncGeneration?: number;
  readonly diff?: { readonly comparePatches?: readonly ComparePatch[] };
  readonly keepResources?: boolean;
  readonly deleteCRDResources?: boolean;
  readonly ignore?: { readonly conditions?: readonly Readonly<Record<string, string>>[] };
  readonly correctDrift?: { readonly enabled?: boolean; readonly force?: boolean; readonly keepFailHistory?: boolean };
  readonly downstreamResources?: readonly { readonly kind?: string; readonly name?: string }[];
}
