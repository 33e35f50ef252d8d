import type { ApplyRejection } from '../../core/change';
import { isDeepEqual } from '../../core/deep-equal';
import { getFieldsAt, getValueAt } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import { resolveAdmittedAnnotation, DEPLOYMENT_MODE_ANNOTATION, normalizeMode } from './mode';
import type { KserveService } from './service';
import type { DeploymentMode } from './types';
import { kserveBehaviourOf } from './versions';

/* The controller records the mode of a service in its status at the first reconcile, and that mode is for good: the webhook refuses an annotation that names
 * another one. A manifest has no status; what it says was recorded if it was applied, since OLD is taken to be at rest.
 * Source: KServe v0.15.2, v0.16.0, v0.17.0, v0.19.0, v0.20.0: inferenceservice/utils/utils.go `GetDeploymentMode`; controller.go `updateStatus`;
 * inference_service_validation.go `validateDeploymentMode`; inference_service_defaults.go `DefaultInferenceService`. */

/** A service on one side, and the default mode of its platform; undefined where nothing in view says that. */
export interface ModeState {
  readonly service: KserveService;
  readonly defaultMode: DeploymentMode | '' | undefined;
}

/** What becomes of the mode of a service. */
export type ModeChange =
  | { readonly is: 'kept'; readonly mode: DeploymentMode | undefined; readonly annotations: readonly [old: unknown, next: unknown] }
  | { readonly is: 'refused'; readonly refusal: ApplyRejection }
  /** Refused or not: what was recorded, or what the webhook adds, stands in no file. */
  | { readonly is: 'unknown' };

const LEGACY_MODE_NAMES: Readonly<Record<DeploymentMode, string>> = {
  Standard: 'RawDeployment',
  Knative: 'Serverless',
  ModelMesh: 'ModelMesh',
};

function getModeName(version: string, mode: DeploymentMode): string {
  return kserveBehaviourOf(version).recordsOldModes ? LEGACY_MODE_NAMES[mode] : mode;
}

/** The mode that an annotation names, as it is recorded. */
function getAnnotatedMode({ annotations, version }: KserveService): string | undefined {
  const text = annotations[DEPLOYMENT_MODE_ANNOTATION];
  const mode = normalizeMode(text);
  if (mode === undefined) return undefined;
  const name = getModeName(version, mode);
  return kserveBehaviourOf(version).recordsOldModes && name !== text ? undefined : name;
}

/** Did a server give the object its identity, so that a status that is not there is one that nobody wrote yet? */
function isFromServer({ metadata }: Manifest): boolean {
  return getValueAt(metadata, 'uid') !== undefined || getValueAt(metadata, 'resourceVersion') !== undefined;
}

/** `status.deploymentMode` of a service that runs. */
function getRecordedMode({ service, defaultMode }: ModeState): string | undefined {
  const { object, version } = service;
  const status = getValueAt(object, 'status', 'deploymentMode');
  if (typeof status === 'string' && status !== '')
    return kserveBehaviourOf(version).readsOldStatus ? (normalizeMode(status) ?? status) : status;
  if (isFromServer(object)) return undefined;
  return getAnnotatedMode(service) ?? (defaultMode ? getModeName(version, defaultMode) : undefined);
}

/** The annotation as the webhook leaves it. */
function resolveAdmittedMode({ service, defaultMode = '' }: ModeState): string | undefined {
  const { annotations, version } = service;
  const text = resolveAdmittedAnnotation({ annotations, defaultMode, version });
  const isAdded = text !== undefined && annotations[DEPLOYMENT_MODE_ANNOTATION] === undefined;
  return isAdded && defaultMode ? getModeName(version, defaultMode) : text;
}

/** NEW's service with the mode that was recorded of OLD's, where it names none itself. */
export function recordDeploymentMode(old: Manifest, next: Manifest): Manifest {
  const annotated = (object: Manifest) => normalizeMode(getFieldsAt(object, 'metadata', 'annotations')[DEPLOYMENT_MODE_ANNOTATION]);
  const mode = normalizeMode(getValueAt(old, 'status', 'deploymentMode')) ?? annotated(old);
  if (mode === undefined || annotated(next) !== undefined) return next;
  return { ...next, status: { ...getFieldsAt(next, 'status'), deploymentMode: mode } };
}

/** Does an apply write the object at all? The webhook sees no other. */
function hasChangesToApply({ object: old }: KserveService, { object: next }: KserveService): boolean {
  const storedFields = ({ metadata, spec }: Manifest) => [
    spec,
    getFieldsAt({ metadata }, 'metadata').labels,
    getFieldsAt({ metadata }, 'metadata').annotations,
  ];
  return !isDeepEqual(storedFields(old), storedFields(next));
}

/** What an apply of NEW's service over OLD's does to its mode. */
export function resolveModeChange(old: ModeState, next: ModeState): ModeChange {
  const recorded = getRecordedMode(old);
  const mode = normalizeMode(recorded);
  const before = isFromServer(old.service.object) ? old.service.annotations[DEPLOYMENT_MODE_ANNOTATION] : resolveAdmittedMode(old);
  if (!hasChangesToApply(old.service, next.service)) return { is: 'kept', mode, annotations: [before, before] };
  const requestedMode = next.service.annotations[DEPLOYMENT_MODE_ANNOTATION];
  if (requestedMode === undefined && next.defaultMode === undefined) {
    return before === undefined ? { is: 'kept', mode, annotations: [before, before] } : { is: 'unknown' };
  }
  // What the webhook added stands in no manifest, so that no apply takes it away.
  const isKept = requestedMode === undefined && before !== undefined && old.service.annotations[DEPLOYMENT_MODE_ANNOTATION] === undefined;
  const after = isKept ? before : resolveAdmittedMode(next);
  if (after === undefined || after === recorded) return { is: 'kept', mode, annotations: [before, after] };
  // Nothing was recorded before the first reconcile: the mode that is named now will be.
  if (recorded === undefined)
    return before === after ? { is: 'kept', mode: normalizeMode(after), annotations: [before, after] } : { is: 'unknown' };
  return {
    is: 'refused',
    refusal: { path: '', message: `update rejected: deploymentMode cannot be changed from '${recorded}' to '${after as string}'` },
  };
}
