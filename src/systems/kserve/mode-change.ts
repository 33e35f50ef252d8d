import type { ApplyRejection } from '../../core/document/change';
import { isDeepEqual } from '../../core/collections/deep-equal';
import { getFieldsAt, getValueAt } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { resolveAdmittedAnnotation, DEPLOYMENT_MODE_ANNOTATION, normalizeMode } from './mode';
import type { KserveService } from './service';
import type { DeploymentMode } from './types';
import { kserveBehaviourOf } from './versions';

/*
 * The controller records the mode of a service in its status at the first reconcile. The mode never changes: the webhook refuses an
 * annotation with another mode.
 * A manifest has no status. The mode in it counts as recorded, because OLD is assumed to be applied and at rest.
 * Source: KServe v0.15.2, v0.16.0, v0.17.0, v0.19.0, v0.20.0: inferenceservice/utils/utils.go `GetDeploymentMode`; controller.go
 * `updateStatus`; inference_service_validation.go `validateDeploymentMode`; inference_service_defaults.go `DefaultInferenceService`.
 */

/** A service on one side, and the default mode of its platform; undefined if the input does not contain it. */
export interface ModeState {
  readonly service: KserveService;
  readonly defaultMode: DeploymentMode | '' | undefined;
}

/** The outcome for the mode of a service. */
export type ModeChange =
  | { readonly is: 'kept'; readonly mode: DeploymentMode | undefined; readonly annotations: readonly [old: unknown, next: unknown] }
  | { readonly is: 'refused'; readonly refusal: ApplyRejection }
  /** It is unknown whether the change is refused: the recorded mode, or the mode that the webhook adds, is in no file. */
  | { readonly is: 'unknown' };

const LEGACY_MODE_NAMES: Readonly<Record<DeploymentMode, string>> = {
  Standard: 'RawDeployment',
  Knative: 'Serverless',
  ModelMesh: 'ModelMesh',
};

function getModeName(version: string, mode: DeploymentMode): string {
  return kserveBehaviourOf(version).recordsOldModes ? LEGACY_MODE_NAMES[mode] : mode;
}

/** Returns the mode of an annotation, as it is recorded. */
function getAnnotatedMode({ annotations, version }: KserveService): string | undefined {
  const text = annotations[DEPLOYMENT_MODE_ANNOTATION];
  const mode = normalizeMode(text);
  if (mode === undefined) return undefined;
  const name = getModeName(version, mode);
  return kserveBehaviourOf(version).recordsOldModes && name !== text ? undefined : name;
}

/** Reports whether the object was read from a server, so that a missing status has not been written yet. */
function isFromServer({ metadata }: Manifest): boolean {
  return getValueAt(metadata, 'uid') !== undefined || getValueAt(metadata, 'resourceVersion') !== undefined;
}

/** Returns `status.deploymentMode` of a running service. */
function getRecordedMode({ service, defaultMode }: ModeState): string | undefined {
  const { object, version } = service;
  const status = getValueAt(object, 'status', 'deploymentMode');
  if (typeof status === 'string' && status !== '')
    return kserveBehaviourOf(version).readsOldStatus ? (normalizeMode(status) ?? status) : status;
  if (isFromServer(object)) return undefined;
  return getAnnotatedMode(service) ?? (defaultMode ? getModeName(version, defaultMode) : undefined);
}

/** Returns the annotation after the defaulting webhook. */
function resolveAdmittedMode({ service, defaultMode = '' }: ModeState): string | undefined {
  const { annotations, version } = service;
  const text = resolveAdmittedAnnotation({ annotations, defaultMode, version });
  const isAdded = text !== undefined && annotations[DEPLOYMENT_MODE_ANNOTATION] === undefined;
  return isAdded && defaultMode ? getModeName(version, defaultMode) : text;
}

/** Returns NEW's service with the mode recorded for OLD's service, unless it has its own. */
export function recordDeploymentMode(old: Manifest, next: Manifest): Manifest {
  const annotatedModeOf = (object: Manifest) => normalizeMode(getFieldsAt(object, 'metadata', 'annotations')[DEPLOYMENT_MODE_ANNOTATION]);
  const mode = normalizeMode(getValueAt(old, 'status', 'deploymentMode')) ?? annotatedModeOf(old);
  if (mode === undefined || annotatedModeOf(next) !== undefined) return next;
  return { ...next, status: { ...getFieldsAt(next, 'status'), deploymentMode: mode } };
}

/** Reports whether an apply writes the object at all. The webhook does not see unchanged objects. */
function hasChangesToApply({ object: old }: KserveService, { object: next }: KserveService): boolean {
  const storedFields = ({ metadata, spec }: Manifest) => [
    spec,
    getFieldsAt({ metadata }, 'metadata').labels,
    getFieldsAt({ metadata }, 'metadata').annotations,
  ];
  return !isDeepEqual(storedFields(old), storedFields(next));
}

/** Resolves the effect of applying NEW's service over OLD's on its mode. */
export function resolveModeChange(old: ModeState, next: ModeState): ModeChange {
  const recorded = getRecordedMode(old);
  const mode = normalizeMode(recorded);
  const before = isFromServer(old.service.object) ? old.service.annotations[DEPLOYMENT_MODE_ANNOTATION] : resolveAdmittedMode(old);
  if (!hasChangesToApply(old.service, next.service)) return { is: 'kept', mode, annotations: [before, before] };
  const requestedMode = next.service.annotations[DEPLOYMENT_MODE_ANNOTATION];
  if (requestedMode === undefined && next.defaultMode === undefined) {
    return before === undefined ? { is: 'kept', mode, annotations: [before, before] } : { is: 'unknown' };
  }
  // The annotation that the webhook added is in no manifest, so no apply removes it.
  const keepsAddedAnnotation =
    requestedMode === undefined && before !== undefined && old.service.annotations[DEPLOYMENT_MODE_ANNOTATION] === undefined;
  const after = keepsAddedAnnotation ? before : resolveAdmittedMode(next);
  if (after === undefined || after === recorded) return { is: 'kept', mode, annotations: [before, after] };
  // Nothing is recorded before the first reconcile, which then records the current mode.
  if (recorded === undefined)
    return before === after ? { is: 'kept', mode: normalizeMode(after), annotations: [before, after] } : { is: 'unknown' };
  return {
    is: 'refused',
    refusal: { path: '', message: `update rejected: deploymentMode cannot be changed from '${recorded}' to '${after as string}'` },
  };
}
