import type { ApplyMode } from '../core/document/change';
import { getFieldsAt, getListAt, getOwnValue, isFields } from '../core/manifest/manifest';
import type { Fields, Manifest } from '../core/manifest/manifest';
import type { Applier } from './applier';
import { ARGO_CD, ARGO_CD_SERVER_SIDE, hasSyncOption } from './argo-cd';
import type { DeploySource } from './deploy-source';
import { FLEET, FLEET_CLIENT_SIDE } from './fleet';
import { FLUX, FLUX_HELM, FLUX_HELM_CLIENT_SIDE } from './flux';
import { HELM_3, HELM_4 } from './helm';
import { hasLastApplied } from './live-object';
import { KUBECTL, KUBECTL_REPLACE, KUBECTL_SERVER_SIDE } from './kubectl';
import { PULUMI } from './pulumi';

/** The tool that each value of `--apply` names. */
export const APPLIER_BY_MODE: Readonly<Record<ApplyMode, Applier>> = {
  client: KUBECTL,
  server: KUBECTL_SERVER_SIDE,
  helm: HELM_3,
  helm4: HELM_4,
  flux: FLUX,
  argocd: ARGO_CD,
  fleet: FLEET,
  pulumi: PULUMI,
  replace: KUBECTL_REPLACE,
};

/** The tool that is assumed to write an object. */
export interface DetectedApplier {
  readonly applier: Applier;
  /** What shows it. Unset for the default of kubectl. */
  readonly because?: string;
  /** The object in view that makes the tool apply it. */
  readonly source?: DeploySource;
}

/** Labels and annotations that tools put on what they apply, in the order in which they decide. */
const MARKS: readonly {
  readonly applier: Applier;
  readonly field: 'labels' | 'annotations';
  readonly name: string;
  readonly value?: string;
}[] = [
  { applier: FLUX, field: 'labels', name: 'kustomize.toolkit.fluxcd.io/name' },
  { applier: FLUX_HELM, field: 'labels', name: 'helm.toolkit.fluxcd.io/name' },
  { applier: ARGO_CD, field: 'annotations', name: 'argocd.argoproj.io/tracking-id' },
  { applier: FLEET, field: 'annotations', name: 'objectset.rio.cattle.io/id' },
  { applier: PULUMI, field: 'annotations', name: 'pulumi.com/autonamed' },
];

/** Marks of Helm. Argo CD and kubectl leave them on what `helm template` printed, so they decide last. */
const HELM_RELEASE_MARKS: typeof MARKS = [
  { applier: HELM_3, field: 'annotations', name: 'meta.helm.sh/release-name' },
  { applier: HELM_3, field: 'labels', name: 'app.kubernetes.io/managed-by', value: 'Helm' },
];

/** Annotations that only a manifest for one tool has. */
const INTENDED_MARKS: typeof MARKS = [
  { applier: ARGO_CD, field: 'annotations', name: 'argocd.argoproj.io/hook' },
  { applier: ARGO_CD, field: 'annotations', name: 'argocd.argoproj.io/sync-options' },
  { applier: FLUX, field: 'annotations', name: 'kustomize.toolkit.fluxcd.io/force' },
  { applier: HELM_3, field: 'annotations', name: 'helm.sh/hook' },
];

/** Managers under which tools apply server-side, by the beginning of their names. */
const APPLY_MANAGERS: readonly (readonly [prefix: string, applier: Applier])[] = [
  ['kustomize-controller', FLUX],
  ['helm-controller', FLUX_HELM],
  ['argocd-controller', ARGO_CD_SERVER_SIDE],
  ['pulumi-kubernetes', PULUMI],
  ['fleetagent', FLEET],
  ['helm', HELM_4],
];

/** Managers of client-side applies, by the beginning of their names. Helm stays client-side for a release that it last applied so. */
const UPDATE_MANAGERS: typeof APPLY_MANAGERS = [
  ['kustomize-controller', FLUX],
  ['helm-controller', FLUX_HELM_CLIENT_SIDE],
  ['argocd-controller', ARGO_CD],
  ['pulumi-kubernetes', PULUMI],
  ['fleetagent', FLEET_CLIENT_SIDE],
];

function findMark(object: Manifest, marks: typeof MARKS): DetectedApplier | undefined {
  for (const { applier, field, name, value } of marks) {
    const found = getOwnValue(getFieldsAt(object, 'metadata', field), name);
    if (typeof found !== 'string' || (value !== undefined && found !== value)) continue;
    return { applier, because: `${field === 'labels' ? 'label' : 'annotation'} "${name}"` };
  }
  return undefined;
}

function isOwnEntry({ subresource }: Fields): boolean {
  return subresource === undefined || subresource === '';
}

/** Lists the managers of an object that wrote it with an operation, without those of its subresources. */
function listManagers(live: Manifest, operation: 'Apply' | 'Update'): readonly string[] {
  return getListAt(live, 'metadata', 'managedFields')
    .filter(isFields)
    .filter((entry) => isOwnEntry(entry) && entry.operation === operation)
    .flatMap(({ manager }) => (typeof manager === 'string' ? [manager] : []));
}

function findByManager(managers: readonly string[], appliers: typeof APPLY_MANAGERS): DetectedApplier | undefined {
  for (const [prefix, applier] of appliers) {
    const manager = managers.find((name) => name.startsWith(prefix));
    if (manager !== undefined) return { applier, because: `field manager "${manager}"` };
  }
  return undefined;
}

/** Returns the tool that applied an object, by its field managers. */
function findManagerApplier(live: Manifest): DetectedApplier | undefined {
  const updaters = listManagers(live, 'Update');
  return (
    findByManager(listManagers(live, 'Apply'), APPLY_MANAGERS) ??
    findByManager(updaters, UPDATE_MANAGERS) ??
    (updaters.includes('helm') ? { applier: HELM_3, because: 'field manager "helm"' } : undefined)
  );
}

/** Reports whether two ways of writing are of one tool. A Kustomization and a HelmRelease of Flux are two tools. */
function isSameTool(one: Applier, other: Applier): boolean {
  return one.mode === other.mode && (one.mode === 'argocd' || one.tool === other.tool);
}

/** Returns how the tool of a label or annotation writes an object, which its field managers show: client-side or server-side. */
function refineByManager(detected: DetectedApplier, live: Manifest): DetectedApplier {
  const byManager = findManagerApplier(live);
  if (!byManager || byManager.applier === detected.applier || !isSameTool(byManager.applier, detected.applier)) return detected;
  return { ...byManager, because: `${detected.because} and ${byManager.because}` };
}

/** Returns the tool that a live object shows: by its labels and annotations, else by its field managers. */
function detectByLiveObject(live: Manifest): DetectedApplier | undefined {
  const byMark = findMark(live, MARKS);
  return byMark ? refineByManager(byMark, live) : findManagerApplier(live);
}

/** Returns Argo CD's way of writing an object, by the options that the object names. */
function refineArgoCd(detected: DetectedApplier, next: Manifest): DetectedApplier {
  const { applier } = detected;
  if (applier.mode !== 'argocd') return detected;
  if (hasSyncOption(next, 'Replace=true')) return { ...detected, applier: { ...applier, method: 'replace' } };
  const isServerSide = hasSyncOption(next, 'ServerSideApply=true') && applier.method === 'client';
  return isServerSide ? { ...detected, applier: ARGO_CD_SERVER_SIDE } : detected;
}

/** What is known of an object whose tool is asked for. */
export interface ApplierQuery {
  readonly next: Manifest;
  /** The object of OLD. @default - it is new */
  readonly old?: Manifest;
  /** Whether OLD's object was read from a cluster. */
  readonly isLive: boolean;
  /** The source in view that applies it, and why. */
  readonly source?: { readonly source: DeploySource; readonly because: string };
  /** What is applied with it, by the files around it. @default - no tool is known to apply its folder */
  readonly folder?: DetectedApplier;
}

/**
 * Returns the tool that is assumed to write an object, if the user names none. What the live object shows decides, then what the manifest
 * and the repository show. Otherwise it is kubectl, client-side unless the live object has field managers and no last-applied annotation.
 */
export function detectApplier({ next, old, isLive, source, folder }: ApplierQuery): DetectedApplier {
  const live = isLive ? old : undefined;
  const byLiveMark = live && detectByLiveObject(live);
  const bySource = source && { applier: source.source.applier, because: source.because, source: source.source };
  const isAppliedByKubectl = live !== undefined && hasLastApplied(live);
  const byIntent = isAppliedByKubectl ? undefined : (findMark(next, INTENDED_MARKS) ?? findMark(live ?? next, HELM_RELEASE_MARKS));
  const detected = mergeSource(byLiveMark, bySource) ?? (isAppliedByKubectl ? undefined : folder) ?? byIntent;
  if (detected) return refineArgoCd(detected, next);
  const hasManagers = live !== undefined && !isAppliedByKubectl && getListAt(live, 'metadata', 'managedFields').length > 0;
  return { applier: hasManagers ? KUBECTL_SERVER_SIDE : KUBECTL };
}

/** Returns what the live object shows, with the options of the source in view if that is of the same tool. */
function mergeSource(byMark: DetectedApplier | undefined, bySource: DetectedApplier | undefined): DetectedApplier | undefined {
  if (!byMark || !bySource) return byMark ?? bySource;
  if (!isSameTool(bySource.applier, byMark.applier)) return byMark;
  // Helm keeps the method of the last release, unless the HelmRelease names one.
  return bySource.applier === FLUX_HELM ? { ...bySource, applier: byMark.applier } : bySource;
}

/** Returns the tool that writes an object: the one that the user names, with the options of its source in view, else the detected one. */
export function resolveApplier(mode: ApplyMode | undefined, query: ApplierQuery): DetectedApplier {
  const detected = detectApplier(query);
  if (mode === undefined) return detected;
  if (detected.applier.mode !== mode) return refineArgoCd({ applier: APPLIER_BY_MODE[mode] }, query.next);
  const { applier, source } = detected;
  return { applier, ...(source && { source }) };
}
