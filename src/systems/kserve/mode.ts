import { KNATIVE_CLASS_ANNOTATION, KNATIVE_HPA_CLASS } from '../../workloads/revision/scale';
import { toFieldPath } from '../../core/manifest/field-path';
import { DEFAULT_VERSIONS } from '../../core/values/versions';
import type { DeploymentMode } from './types';
import { kserveBehaviourOf } from './versions';
import { toSafeText } from '../../core/text/value-text';

export const DEPLOYMENT_MODE_ANNOTATION = 'serving.kserve.io/deploymentMode';
export const DEPLOYMENT_MODE_PATH = toFieldPath`metadata.annotations[${DEPLOYMENT_MODE_ANNOTATION}]`;
/** Knative's own annotation. With the value below, the webhook takes another branch and does not check deploymentStrategy. */

type Annotations = Readonly<Record<string, unknown>>;

const MODES: Readonly<Record<string, DeploymentMode>> = {
  Standard: 'Standard',
  Knative: 'Knative',
  ModelMesh: 'ModelMesh',
  RawDeployment: 'Standard',
  Serverless: 'Knative',
};

/** Returns the mode for a name, including old names; undefined for any other text. Source: constants.go, `ParseDeploymentMode`. */
export function normalizeMode(text: unknown): DeploymentMode | undefined {
  return typeof text === 'string' && Object.hasOwn(MODES, text) ? MODES[text] : undefined;
}

/** Returns the mode for a name, ignoring case. KServe itself is case-sensitive. */
export function findModeIgnoringCase(text: unknown): DeploymentMode | undefined {
  const name = Object.keys(MODES).find((modeName) => modeName.toLowerCase() === toSafeText(text).toLowerCase());
  return name === undefined ? undefined : MODES[name];
}

/** The sources that decide the mode of a service. */
export interface ModeSources {
  /** `status.deploymentMode`: the mode in which the service was created, which never changes. */
  readonly status?: unknown;
  readonly annotations: Annotations;
  /** The default mode of the ConfigMap; empty if it has no `deploy` key. */
  readonly defaultMode: DeploymentMode | '';
  /** Whether the default mode is assumed because there is no ConfigMap. Then nothing is refused because of it. @default false */
  readonly isDefaultAssumed?: boolean;
  /** The KServe version. @default 0.17 */
  readonly version?: string;
}

/**
 * Returns the mode in which KServe runs a service: its status, otherwise its annotation if that is a mode, otherwise the default mode. Any
 * mode except Standard and ModelMesh runs in Knative.
 *
 * Source: KServe, inferenceservice/utils/utils.go, `GetDeploymentMode`; components/predictor.go, `Reconcile`.
 */
export function deploymentModeOf({ status, annotations, defaultMode }: ModeSources): DeploymentMode {
  const mode = status ? normalizeMode(status) : (normalizeMode(annotations[DEPLOYMENT_MODE_ANNOTATION]) ?? defaultMode);
  return mode || 'Knative';
}

/**
 * Returns the annotation after the defaulting webhook: old names are rewritten, and it is added if it is missing and the default mode is
 * Standard or ModelMesh. Source: KServe, inference_service_defaults.go, `DefaultInferenceService`.
 */
export function resolveAdmittedAnnotation({
  annotations,
  defaultMode,
  version = DEFAULT_VERSIONS.kserve,
}: ModeSources): string | undefined {
  const annotation = annotations[DEPLOYMENT_MODE_ANNOTATION];
  if (typeof annotation === 'string') {
    return kserveBehaviourOf(version).rewritesOldModes ? (normalizeMode(annotation) ?? annotation) : annotation;
  }
  return defaultMode === 'Standard' || defaultMode === 'ModelMesh' ? defaultMode : undefined;
}

/**
 * Reports whether the webhook refuses a deploymentStrategy. It does unless the annotation is Standard, except with Knative's HPA class,
 * where the strategy is accepted and ignored. Source: KServe, inference_service_validation.go, `validateAutoScalingCompExtension`.
 */
export function isStrategyRefused(sources: ModeSources): boolean {
  if (resolveAdmittedAnnotation(sources) === 'Standard') return false;
  return sources.annotations[KNATIVE_CLASS_ANNOTATION] !== KNATIVE_HPA_CLASS;
}

/**
 * Returns the annotation if it is not a mode. An empty annotation counts as none when the Deployment is created. Source: constants.go,
 * `ParseDeploymentMode`.
 */
export function findUnknownMode({ annotations }: ModeSources): string | undefined {
  const annotation = annotations[DEPLOYMENT_MODE_ANNOTATION];
  if (typeof annotation !== 'string' || annotation === '') return undefined;
  return normalizeMode(annotation) === undefined ? annotation : undefined;
}
