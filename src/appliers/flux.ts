import { isLocalConfig } from '../core/sources/local-config';
import { hasMetadataValue } from '../core/manifest/manifest';
import type { Manifest } from '../core/manifest/manifest';
import { isInvalidOrConflict } from './applier';
import type { Applier, FieldManager } from './applier';
import { findHelmHook, HELM_3, isKeptByHelm } from './helm';
import { HELM_MARKS, mergeToolMarks } from './tool-marks';

/*
 * Flux. Both controllers apply server-side and force conflicts, so each reconcile takes replicas back from an autoscaler.
 * The kustomize-controller prunes only once all objects are applied, and Helm deletes only then.
 * Sources: fluxcd/pkg/ssa 0.76.1 manager_apply.go, kustomize-controller 1.9.4, helm-controller 1.6.3 with Helm 4.2.2.
 */

const FORCE_MARK = 'kustomize.toolkit.fluxcd.io/force';

/**
 * Reports whether the kustomize-controller makes the fields of a manager its own before it applies: what `kubectl` set by hand and the
 * manifest does not name is removed. Entries of subresources, such as the `scale` of an autoscaler, stay.
 */
function isTakenOver({ name, operation, subresource }: FieldManager): boolean {
  if (subresource !== undefined) return false;
  return (
    name.startsWith('kubectl') ||
    name.startsWith('before-first-apply') ||
    (name.startsWith('kustomize-controller') && operation === 'Update')
  );
}

function isIgnored(object: Manifest): boolean {
  return (
    hasMetadataValue(object, 'kustomize.toolkit.fluxcd.io/ssa', 'ignore') ||
    hasMetadataValue(object, 'kustomize.toolkit.fluxcd.io/reconcile', 'disabled')
  );
}

/** A Kustomization of Flux. With `force` it deletes and recreates an object that is invalid or in conflict, before it knows whether the new one is valid. */
export const FLUX: Applier = {
  tool: 'flux',
  title: 'Flux',
  mode: 'flux',
  method: 'server',
  marks: { labels: ['kustomize.toolkit.fluxcd.io/name', 'kustomize.toolkit.fluxcd.io/namespace'] },
  keepsAllOnRefusal: true,
  serverSide: {
    manager: 'kustomize-controller',
    forcesConflicts: true,
    takesOver: isTakenOver,
    // ApplyAll: the dry run precedes the cleanup of managedFields.
    triesFirst: true,
    // normalize.UnstructuredList
    convertsToTypes: true,
  },
  recreatesOnRefusal: (next, live, refusal) =>
    isInvalidOrConflict(refusal) && [next, live].some((object) => object && hasMetadataValue(object, FORCE_MARK, 'enabled')),
  // It builds with kustomize, also a folder without a kustomization.
  skips: (next, live) =>
    isLocalConfig(next) || hasMetadataValue(next, 'kustomize.toolkit.fluxcd.io/ssa', 'ifnotpresent') || isIgnored(next) || isIgnored(live),
  keeps: (live) => hasMetadataValue(live, 'kustomize.toolkit.fluxcd.io/prune', 'disabled') || isIgnored(live),
};

/** A HelmRelease of Flux: Helm 4 that forces conflicts. */
export const FLUX_HELM: Applier = {
  tool: 'flux-helm',
  title: "Flux's HelmRelease",
  mode: 'flux',
  method: 'server',
  marks: mergeToolMarks(HELM_MARKS, { labels: ['helm.toolkit.fluxcd.io/name', 'helm.toolkit.fluxcd.io/namespace'] }),
  keepsAllOnRefusal: true,
  serverSide: { manager: 'helm-controller', forcesConflicts: true },
  hookOf: findHelmHook,
  keeps: isKeptByHelm,
};

/** A HelmRelease whose last release was applied client-side, such as by a helm-controller before 1.5: `serverSideApply: auto` keeps that. */
export const FLUX_HELM_CLIENT_SIDE: Applier = {
  ...HELM_3,
  tool: FLUX_HELM.tool,
  title: FLUX_HELM.title,
  mode: FLUX_HELM.mode,
  marks: FLUX_HELM.marks!,
};
