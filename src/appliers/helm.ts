import type { HookRun } from '../core/document/change';
import { annotationOf, hasAnnotationValue } from '../core/manifest/manifest';
import type { Manifest } from '../core/manifest/manifest';
import { listAnnotationWords } from './annotations';
import type { Applier } from './applier';
import { HELM_MARKS } from './tool-marks';

/*
 * Helm 3.20.2 and 4.2.4. The last deployed release decides which fields are removed. Objects that a new release lacks are deleted.
 * `--force` and `--force-replace` are a PUT: Helm never recreates an object. Source: pkg/kube/client.go, pkg/action/upgrade.go.
 */

/** The annotation that makes an object a hook. */
const HOOK_ANNOTATION = 'helm.sh/hook';

/** Events of hooks. An object with any other event is skipped. Source: pkg/release/util/manifest_sorter.go. */
const HOOK_EVENTS: ReadonlySet<string> = new Set([
  'pre-install',
  'post-install',
  'pre-upgrade',
  'post-upgrade',
  'pre-rollback',
  'post-rollback',
  'pre-delete',
  'post-delete',
  'test',
  'test-success',
]);

const UPGRADE_EVENTS: ReadonlySet<string> = new Set(['pre-upgrade', 'post-upgrade']);

const DELETE_POLICIES: ReadonlySet<string> = new Set(['before-hook-creation', 'hook-succeeded', 'hook-failed']);

/** Returns the order of a hook. Helm treats a weight that is no integer as 0. */
export function parseHookWeight(weight: string | undefined): number {
  return weight !== undefined && /^[+-]?[0-9]+$/.test(weight) ? Number(weight) : 0;
}

/** Returns when the object of a hook is deleted. Without a policy Helm deletes the object of that name before each run. */
export function parseHelmDeletePolicy(object: Manifest): readonly string[] {
  const policies = listAnnotationWords(object, 'helm.sh/hook-delete-policy').map((word) => word.toLowerCase());
  const known = policies.filter((policy) => DELETE_POLICIES.has(policy));
  return known.length > 0 ? known : ['before-hook-creation'];
}

/** Returns how Helm runs an object as a hook. A hook is no part of the release: it is created for each run and never compared. */
export function findHelmHook(object: Manifest): HookRun | undefined {
  if (annotationOf(object, HOOK_ANNOTATION) === undefined) return undefined;
  const events = listAnnotationWords(object, HOOK_ANNOTATION).map((word) => word.toLowerCase());
  const phases = events.every((event) => HOOK_EVENTS.has(event)) ? events : [];
  return {
    phases,
    runsOnUpgrade: phases.some((phase) => UPGRADE_EVENTS.has(phase)),
    weight: parseHookWeight(annotationOf(object, 'helm.sh/hook-weight')),
    deletePolicy: parseHelmDeletePolicy(object),
  };
}

/** Reports whether Helm keeps an object that the new release lacks. */
export function isKeptByHelm(object: Manifest): boolean {
  return hasAnnotationValue(object, 'helm.sh/resource-policy', 'keep');
}

/** Helm 3, and Helm 4 for a release that was last applied client-side: a three-way merge with the manifest of the last release. */
export const HELM_3: Applier = {
  tool: 'helm-3',
  title: 'Helm',
  mode: 'helm',
  method: 'helm',
  marks: HELM_MARKS,
  keepsAllOnRefusal: true,
  hookOf: findHelmHook,
  keeps: isKeptByHelm,
};

/** Helm 4 for new releases: a server-side apply that fails on conflicts. A client-side release that it takes over is migrated first. */
export const HELM_4: Applier = {
  tool: 'helm-4',
  title: 'Helm 4',
  mode: 'helm4',
  method: 'server',
  marks: HELM_MARKS,
  keepsAllOnRefusal: true,
  serverSide: {
    manager: 'helm',
    forcesConflicts: false,
    takesOver: ({ name, operation, subresource }) => name === 'helm' && operation === 'Update' && subresource === undefined,
  },
  hookOf: findHelmHook,
  keeps: isKeptByHelm,
};
