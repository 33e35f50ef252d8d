import { toFieldPath } from '../../core/field-path';
import { DEFAULT_VERSIONS } from '../../core/versions';
import type { DeploymentMode } from './types';
import { kserveBehaviourOf } from './versions';

export const DEPLOYMENT_MODE_ANNOTATION = 'serving.kserve.io/deploymentMode';
export const DEPLOYMENT_MODE_PATH = toFieldPath`metadata.annotations[${DEPLOYMENT_MODE_ANNOTATION}]`;
/** Knative's own annotation; with the value below the webhook takes another branch and never looks at deploymentStrategy. */
export const KNATIVE_CLASS_ANNOTATION = 'autoscaling.knative.dev/class';
export const KNATIVE_HPA_CLASS = 'hpa.autoscaling.knative.dev';

type Annotations = Readonly<Record<string, unknown>>;

const MODES: Readonly<Record<string, DeploymentMode>> = {
  Standard: 'Standard',
  Knative: 'Knative',
  ModelMesh: 'ModelMesh',
  RawDeployment: 'Standard',
  Serverless: 'Knative',
};

/** The mode that a word names, old names included; undefined for any other word. Source: constants.go, `ParseDeploymentMode`. */
export function normalizeMode(text: unknown): DeploymentMode | undefined {
  return typeof text === 'string' && Object.hasOwn(MODES, text) ? MODES[text] : undefined;
}

/** The mode that a word names, upper and lower case apart, which KServe does tell apart. */
export function findModeIgnoringCase(text: unknown): DeploymentMode | undefined {
  const name = Object.keys(MODES).find((known) => known.toLowerCase() === String(text).toLowerCase());
  return name === undefined ? undefined : MODES[name];
}

/** What decides the mode of a service. */
export interface ModeSources {
  /** `status.deploymentMode`: the mode in which the service was created, for good. */
  readonly status?: unknown;
  readonly annotations: Annotations;
  /** Default mode of the ConfigMap; empty when it has no `deploy` key. */
  readonly defaultMode: DeploymentMode | '';
  /** Is the default mode a guess, for want of a ConfigMap? Then nothing is refused because of it. @default false */
  readonly isDefaultAssumed?: boolean;
  /** The KServe version. @default 0.17 */
  readonly version?: string;
}

/**
 * The mode in which KServe runs a service: its status, else its annotation if that names a mode, else the default mode.
 * Anything but Standard and ModelMesh runs in Knative.
 *
 * Source: KServe, inferenceservice/utils/utils.go, `GetDeploymentMode`; components/predictor.go, `Reconcile`.
 */
export function deploymentModeOf({ status, annotations, defaultMode }: ModeSources): DeploymentMode {
  const mode = status ? normalizeMode(status) : (normalizeMode(annotations[DEPLOYMENT_MODE_ANNOTATION]) ?? defaultMode);
  return mode || 'Knative';
}

/**
 * The annotation as the webhook leaves it: old names rewritten, and added where it is missing and the default mode is Standard
 * or ModelMesh. Source: KServe, inference_service_defaults.go, `DefaultInferenceService`.
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
 * Does the webhook refuse a deploymentStrategy? It does wherever the annotation is not Standard, except under Knative's HPA class,
 * where the strategy is taken and then ignored. Source: KServe, inference_service_validation.go, `validateAutoScalingCompExtension`.
 */
export function isStrategyRefused(sources: ModeSources): boolean {
  if (resolveAdmittedAnnotation(sources) === 'Standard') return false;
  return sources.annotations[KNATIVE_CLASS_ANNOTATION] !== KNATIVE_HPA_CLASS;
}

/** The annotation where it names no mode. An empty one counts as none where the Deployment is made. Source: constants.go, `ParseDeploymentMode`. */
export function findUnknownMode({ annotations }: ModeSources): string | undefined {
  const annotation = annotations[DEPLOYMENT_MODE_ANNOTATION];
  if (typeof annotation !== 'string' || annotation === '') return undefined;
  return normalizeMode(annotation) === undefined ? annotation : undefined;
}
