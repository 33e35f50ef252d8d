import { resolveApplier } from '../appliers/detect-applier';
import type { DetectedApplier } from '../appliers/detect-applier';
import { collectDeploySources } from '../appliers/deploy-source';
import { DeploySourceLookup } from '../appliers/deploy-source-lookup';
import type { DeletionReason } from '../appliers/applier';
import { FLEET } from '../appliers/fleet';
import { HELM_3 } from '../appliers/helm';
import { isLive } from '../appliers/live-object';
import type { ApplyUnit } from '../core/sources/apply-unit';
import type { ApplyMode } from '../core/document/change';
import type { Manifest } from '../core/manifest/manifest';
import { getValueAtVersion } from '../core/values/versions';
import type { Versions } from '../core/values/versions';
import type { PlanInput } from './plan-input';

/** The releases of Fleet from which on it applies new releases server-side, with Helm 4. */
const FLEET_APPLIERS = [
  ['0', HELM_3],
  ['0.15', FLEET],
] as const;

/** Returns the tool that applies a folder, by the files that mark it. Fleet also applies the folders below that of a fleet.yaml. */
export function detectByFolder(unit: ApplyUnit | undefined, versions: Versions): DetectedApplier | undefined {
  for (let current = unit; current; current = current.parent) {
    const marker = current.markers?.find((name) => name.startsWith('fleet.'));
    if (marker !== undefined) return { applier: getValueAtVersion(FLEET_APPLIERS, versions.fleet), because: `${marker} in its folder` };
  }
  return unit?.markers?.includes('Chart.yaml') === true ? { applier: HELM_3, because: 'Chart.yaml in its folder' } : undefined;
}

/** An object that is applied, and the existing one. */
export interface AppliedPair {
  readonly next: Manifest;
  readonly old?: Manifest;
}

/** Creates a function that returns the tool that writes an object: the one that the user names, else the one that the objects in view show. */
export function createApplierLookup(
  mode: ApplyMode | undefined,
  old: readonly Manifest[],
  next: Pick<PlanInput, 'objects' | 'textOf'>,
  versions: Versions,
): (pair: AppliedPair) => DetectedApplier {
  const inNext = collectDeploySources(next.objects);
  const sources = inNext.length > 0 ? inNext : collectDeploySources(old);
  const files = () => [...new Set(next.objects.flatMap((object) => next.textOf?.(object)?.file ?? []))];
  const lookup = new DeploySourceLookup(sources, files);
  return ({ next: object, old: before }) => {
    const source = next.textOf?.(object);
    const live = before && isLive(before) ? before : undefined;
    const bySource = lookup.find({ next: object, ...(live && { live }), ...(source && { file: source.file }) });
    const folder = detectByFolder(source?.unit, versions);
    return resolveApplier(mode, {
      next: object,
      ...(before && { old: before }),
      isLive: live !== undefined,
      ...(bySource && { source: bySource }),
      ...(folder && { folder }),
    });
  };
}

/** Reports whether the tool keeps an object that it would delete. It never deletes a hook so. */
export function isKeptByApplier(object: Manifest, { applier }: DetectedApplier, because: DeletionReason): boolean {
  return applier.keeps?.(object, because) === true || applier.hookOf?.(object) !== undefined;
}
