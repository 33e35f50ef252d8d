import type { Refusal } from '../../core/change';
import { deepEqual } from '../../core/deep-equal';
import { fieldsAt, valueAt } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import { admittedAnnotation, DEPLOYMENT_MODE_ANNOTATION, normalisedMode } from './mode';
import type { Service } from './service';
import type { DeploymentMode } from './types';
import { behaviourOf } from './versions';

/* The controller records the mode of a service in its status at the first reconcile, and that mode is for good: the webhook refuses an annotation that names
 * another one. A manifest has no status; what it says was recorded if it was applied, since OLD is taken to be at rest.
 * Source: KServe v0.15.2, v0.16.0, v0.17.0, v0.19.0, v0.20.0: inferenceservice/utils/utils.go `GetDeploymentMode`; controller.go `updateStatus`;
 * inference_service_validation.go `validateDeploymentMode`; inference_service_defaults.go `DefaultInferenceService`. */

/** A service on one side, and the default mode of its platform; undefined where nothing in view says that. */
export interface ModeSide {
  readonly service: Service;
  readonly defaultMode: DeploymentMode | '' | undefined;
}

/** What becomes of the mode of a service. */
export type ModeChange =
  | { readonly is: 'kept'; readonly mode: DeploymentMode | undefined; readonly annotations: readonly [old: unknown, next: unknown] }
  | { readonly is: 'refused'; readonly refusal: Refusal }
  /** Refused or not: what was recorded, or what the webhook adds, stands in no file. */
  | { readonly is: 'unknown' };

const OLD_NAMES: Readonly<Record<DeploymentMode, string>> = { Standard: 'RawDeployment', Knative: 'Serverless', ModelMesh: 'ModelMesh' };

function nameIn(version: string, mode: DeploymentMode): string {
  return behaviourOf(version).recordsOldModes ? OLD_NAMES[mode] : mode;
}

/** The mode that an annotation names, as it is recorded. */
function annotatedMode({ annotations, version }: Service): string | undefined {
  const text = annotations[DEPLOYMENT_MODE_ANNOTATION];
  const mode = normalisedMode(text);
  if (mode === undefined) return undefined;
  const name = nameIn(version, mode);
  return behaviourOf(version).recordsOldModes && name !== text ? undefined : name;
}

/** Did a server give the object its identity, so that a status that is not there is one that nobody wrote yet? */
function isFromServer({ metadata }: Manifest): boolean {
  return valueAt(metadata, 'uid') !== undefined || valueAt(metadata, 'resourceVersion') !== undefined;
}

/** `status.deploymentMode` of a service that runs. */
function recordedMode({ service, defaultMode }: ModeSide): string | undefined {
  const { object, version } = service;
  const status = valueAt(object, 'status', 'deploymentMode');
  if (typeof status === 'string' && status !== '') return behaviourOf(version).readsOldStatus ? (normalisedMode(status) ?? status) : status;
  if (isFromServer(object)) return undefined;
  return annotatedMode(service) ?? (defaultMode ? nameIn(version, defaultMode) : undefined);
}

/** The annotation as the webhook leaves it. */
function admitted({ service, defaultMode = '' }: ModeSide): string | undefined {
  const { annotations, version } = service;
  const text = admittedAnnotation({ annotations, defaultMode, version });
  const isAdded = text !== undefined && annotations[DEPLOYMENT_MODE_ANNOTATION] === undefined;
  return isAdded && defaultMode ? nameIn(version, defaultMode) : text;
}

/** NEW's service with the mode that was recorded of OLD's, where it names none itself. */
export function withRecordedMode(old: Manifest, next: Manifest): Manifest {
  const annotated = (object: Manifest) => normalisedMode(fieldsAt(object, 'metadata', 'annotations')[DEPLOYMENT_MODE_ANNOTATION]);
  const mode = normalisedMode(valueAt(old, 'status', 'deploymentMode')) ?? annotated(old);
  if (mode === undefined || annotated(next) !== undefined) return next;
  return { ...next, status: { ...fieldsAt(next, 'status'), deploymentMode: mode } };
}

/** Does an apply write the object at all? The webhook sees no other. */
function isWritten({ object: old }: Service, { object: next }: Service): boolean {
  const written = ({ metadata, spec }: Manifest) => [
    spec,
    fieldsAt({ metadata }, 'metadata').labels,
    fieldsAt({ metadata }, 'metadata').annotations,
  ];
  return !deepEqual(written(old), written(next));
}

/** What an apply of NEW's service over OLD's does to its mode. */
export function modeChange(old: ModeSide, next: ModeSide): ModeChange {
  const recorded = recordedMode(old);
  const mode = normalisedMode(recorded);
  const before = isFromServer(old.service.object) ? old.service.annotations[DEPLOYMENT_MODE_ANNOTATION] : admitted(old);
  if (!isWritten(old.service, next.service)) return { is: 'kept', mode, annotations: [before, before] };
  const given = next.service.annotations[DEPLOYMENT_MODE_ANNOTATION];
  if (given === undefined && next.defaultMode === undefined) {
    return before === undefined ? { is: 'kept', mode, annotations: [before, before] } : { is: 'unknown' };
  }
  // What the webhook added stands in no manifest, so that no apply takes it away.
  const isKept = given === undefined && before !== undefined && old.service.annotations[DEPLOYMENT_MODE_ANNOTATION] === undefined;
  const after = isKept ? before : admitted(next);
  if (after === undefined || after === recorded) return { is: 'kept', mode, annotations: [before, after] };
  // Nothing was recorded before the first reconcile: the mode that is named now will be.
  if (recorded === undefined)
    return before === after ? { is: 'kept', mode: normalisedMode(after), annotations: [before, after] } : { is: 'unknown' };
  return {
    is: 'refused',
    refusal: { path: '', message: `update rejected: deploymentMode cannot be changed from '${recorded}' to '${after as string}'` },
  };
}
