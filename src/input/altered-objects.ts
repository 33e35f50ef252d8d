import { getFieldsAt, getOwnValue, getValueAt, isFields, kindKeyOf } from '../core/manifest/manifest';
import type { Fields, Manifest } from '../core/manifest/manifest';
import { isFalse, isFieldUnset, listUnknownFields } from './known-fields';
import type { KnownFields } from './known-fields';

/** Reports whether no map at any level has a field `template`, with which a generator of Argo CD overrides that of its ApplicationSet. */
function hasNoTemplate(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return !Object.hasOwn(value, 'template') && Object.values(value).every(hasNoTemplate);
}

/** Reports whether metadata does not make Argo CD leave an Application as it is. Source: argo-cd v3.2 controller/appcontroller.go. */
function isReconciled(metadata: unknown): boolean {
  return getFieldsAt(metadata, 'annotations')['argocd.argoproj.io/skip-reconcile'] === undefined;
}

/** Defines the fields of an object with this spec. */
function withSpec(spec: KnownFields): KnownFields {
  return { apiVersion: true, kind: true, metadata: isReconciled, status: true, spec };
}

/** Charts are counted as not planned, and so are their values. */
const APPLICATION_SOURCE: KnownFields = {
  repoURL: true,
  path: true,
  targetRevision: true,
  chart: true,
  ref: true,
  name: true,
  helm: true,
  kustomize: { version: true },
  directory: { recurse: true, jsonnet: {} },
};

const APPLICATION: KnownFields = {
  project: true,
  destination: true,
  source: APPLICATION_SOURCE,
  sources: APPLICATION_SOURCE,
  syncPolicy: { automated: true, syncOptions: true, retry: true },
  ignoreDifferences: true,
  info: true,
  revisionHistoryLimit: true,
};

/** Where a source of Flux gets its files from. Another address or revision is a change of the object. */
const FLUX_SOURCE: KnownFields = {
  url: true,
  ref: true,
  bucketName: true,
  endpoint: true,
  region: true,
  interval: true,
  timeout: true,
  provider: true,
  insecure: true,
  serviceAccountName: true,
  secretRef: true,
  certSecretRef: true,
  proxySecretRef: true,
  sts: true,
  verify: true,
  layerSelector: true,
  suspend: isFalse,
};

/** Options for clusters of Fleet. Namespaces are read from them, and a chart of elsewhere and its values are not. */
const FLEET_OPTIONS: KnownFields = {
  namespace: true,
  defaultNamespace: true,
  serviceAccount: true,
  forceSyncGeneration: true,
  createNamespace: true,
  keepResources: true,
  correctDrift: true,
  diff: true,
  ignore: true,
  kustomize: {},
  yaml: {},
  helm: {
    releaseName: true,
    timeoutSeconds: true,
    maxHistory: true,
    takeOwnership: true,
    force: true,
    atomic: true,
    waitForJobs: true,
    skipSchemaValidation: true,
  },
};

const FLEET_TARGET: KnownFields = {
  ...FLEET_OPTIONS,
  name: true,
  clusterName: true,
  clusterSelector: true,
  clusterGroup: true,
  clusterGroupSelector: true,
  doNotDeploy: isFalse,
};

const FLEET_BUNDLE: KnownFields = {
  ...FLEET_OPTIONS,
  paused: isFalse,
  rolloutStrategy: true,
  dependsOn: true,
  targets: FLEET_TARGET,
  targetCustomizations: FLEET_TARGET,
  targetCustomizationMode: true,
  targetRestrictions: true,
};

/** The fields with which an object makes its tool apply what the files of a folder show, by the group and kind of what deploys a folder. */
const KNOWN_FIELDS: Readonly<Record<string, KnownFields>> = {
  'kustomize.toolkit.fluxcd.io/Kustomization': withSpec({
    path: true,
    sourceRef: true,
    interval: true,
    retryInterval: true,
    timeout: true,
    prune: true,
    force: true,
    wait: true,
    healthChecks: true,
    healthCheckExprs: true,
    dependsOn: true,
    targetNamespace: true,
    serviceAccountName: true,
    kubeConfig: true,
    decryption: true,
    deletionPolicy: true,
    suspend: isFalse,
  }),
  'helm.toolkit.fluxcd.io/HelmRelease': withSpec({
    chart: true,
    chartRef: true,
    interval: true,
    timeout: true,
    releaseName: true,
    targetNamespace: true,
    storageNamespace: true,
    values: true,
    valuesFrom: true,
    install: true,
    upgrade: true,
    test: true,
    rollback: true,
    uninstall: true,
    driftDetection: true,
    maxHistory: true,
    persistentClient: true,
    dependsOn: true,
    serviceAccountName: true,
    kubeConfig: true,
    suspend: isFalse,
  }),
  'source.toolkit.fluxcd.io/GitRepository': withSpec(FLUX_SOURCE),
  'source.toolkit.fluxcd.io/OCIRepository': withSpec(FLUX_SOURCE),
  'source.toolkit.fluxcd.io/Bucket': withSpec(FLUX_SOURCE),
  // What they contain is copied from other sources, or made by a controller that is not known.
  'source.extensions.fluxcd.io/ArtifactGenerator': withSpec({}),
  'source.toolkit.fluxcd.io/ExternalArtifact': withSpec({}),
  'argoproj.io/Application': withSpec(APPLICATION),
  'argoproj.io/ApplicationSet': withSpec({
    generators: hasNoTemplate,
    goTemplate: true,
    goTemplateOptions: true,
    applyNestedSelectors: true,
    strategy: true,
    syncPolicy: true,
    preservedFields: true,
    template: { metadata: isReconciled, spec: APPLICATION },
  }),
  'fleet.cattle.io/Bundle': withSpec({ ...FLEET_BUNDLE, resources: true }),
  'fleet.cattle.io/HelmOp': withSpec(FLEET_BUNDLE),
  // What Fleet writes for a cluster: packed files, and where to deploy them.
  'fleet.cattle.io/Content': { apiVersion: true, kind: true, metadata: true },
  'fleet.cattle.io/BundleDeployment': withSpec({}),
  'fleet.cattle.io/GitRepo': withSpec({
    repo: true,
    branch: true,
    revision: true,
    paths: true,
    targets: FLEET_TARGET,
    paused: isFalse,
    pollingInterval: true,
    disablePolling: true,
    clientSecretName: true,
    caBundle: true,
    insecureSkipTLSVerify: true,
    helmSecretName: true,
    helmSecretNameForPaths: true,
    helmRepoURLRegex: true,
    serviceAccount: true,
    forceSyncGeneration: true,
    imageScanInterval: true,
    imageScanCommit: true,
    keepResources: true,
    correctDrift: true,
    webhookSecret: true,
  }),
  // The object of a fleet.yaml.
  'fleet.cattle.io/FleetYaml': { ...FLEET_BUNDLE, name: true, labels: true, overrideTargets: true, imageScans: true },
};

/** Returns the chart of another repository in an ApplicationSet with steps, which is planned, so that the chart is not counted. */
function findPlannedChart(object: Manifest): string | undefined {
  if (kindKeyOf(object) !== 'argoproj.io/ApplicationSet' || getValueAt(object, 'spec', 'strategy', 'type') !== 'RollingSync')
    return undefined;
  const { source, sources } = getFieldsAt(object, 'spec', 'template', 'spec');
  if (!isFieldUnset(getValueAt(source, 'chart'))) return 'spec.template.spec.source.chart';
  const isChart = Array.isArray(sources) && sources.some((each) => !isFieldUnset(getValueAt(each, 'chart')));
  return isChart ? 'spec.template.spec.sources.chart' : undefined;
}

/** Returns the first field with which an object may make its tool apply other objects than the files of a folder; undefined if there is none. */
export function findAlteringField(object: Manifest): string | undefined {
  const known = getOwnValue(KNOWN_FIELDS, kindKeyOf(object));
  if (!known) return undefined;
  return listUnknownFields(object.kind === 'FleetYaml' ? object.content : object, known)[0] ?? findPlannedChart(object);
}

/** What the names of the annotations begin with in which kustomize keeps what it needs during a build. */
const BUILD_ANNOTATIONS = 'internal.config.kubernetes.io/';

/**
 * Returns the first annotation that makes kustomize build an object under another name, or other objects with references to it; undefined if there is none.
 *
 * Kustomize reads its own annotations from the files too: `needsHashSuffix: enabled` adds a hash to the name of a Deployment,
 * and with `previousNames` references to another object become references to this one. Source: kustomize api v0.20.1 internal/utils/annotations.go.
 */
function findBuildAnnotation(object: Manifest): string | undefined {
  const name = Object.keys(getFieldsAt(object, 'metadata', 'annotations')).find((key) => key.startsWith(BUILD_ANNOTATIONS));
  return name && `metadata.annotations["${name}"]`;
}

/** What the names of the annotations of Helm begin with. */
const HELM_ANNOTATIONS = 'helm.sh/';

/** Reports whether Go's decoder of JSON takes a name for that of a field: in any case, with the long s and the sign for kelvin as letters. */
function isDecodedAs(field: string, name: string): boolean {
  return name === field || (name.length === field.length && name.toUpperCase().toLowerCase() === field);
}

/**
 * Returns the first map in which Helm finds annotations that the API server does not: `Metadata.annotations`, since Helm decodes the names of these
 * two fields in any case. With `helm.sh/hook` the object is then no part of the release. Undefined if there is none.
 *
 * @param includesOwn - whether the annotations that the API server finds count too
 *
 * Source: Helm v3.20 pkg/releaseutil/manifest.go, `SimpleHead`.
 */
function findHelmAnnotations(object: Fields, includesOwn: boolean): string | undefined {
  for (const name of Object.keys(object)) {
    const metadata = object[name];
    if (!isDecodedAs('metadata', name) || !isFields(metadata)) continue;
    for (const inner of Object.keys(metadata)) {
      const annotations = metadata[inner];
      const isOwn = name === 'metadata' && inner === 'annotations';
      if ((isOwn && !includesOwn) || !isDecodedAs('annotations', inner) || !isFields(annotations)) continue;
      if (Object.keys(annotations).some((key) => key.startsWith(HELM_ANNOTATIONS))) return `${name}.${inner}`;
    }
  }
  return undefined;
}

/** Returns the first annotation of an object with which a tool applies it in another way than the files show; undefined if there is none. */
export function findToolAnnotation(object: Manifest): string | undefined {
  return findBuildAnnotation(object) ?? findHelmAnnotations(object, false);
}

/** Returns the annotations of a list that Helm takes for those of all of its items; undefined if there are none. */
export function findListAnnotations(list: Fields): string | undefined {
  return findHelmAnnotations(list, true);
}
