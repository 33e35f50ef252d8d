import type { Finding } from '../../core/finding';
import { describeValue } from '../../core/shape';
import { DEFAULT_VERSIONS, valueSince } from '../../core/versions';
import { kserveFinding } from './catalogue';
import type { DeploymentMode } from './types';

export const DEPLOYMENT_MODE_ANNOTATION = 'serving.kserve.io/deploymentMode';
export const DEPLOYMENT_MODE_PATH = `metadata.annotations[${DEPLOYMENT_MODE_ANNOTATION}]`;
/** Knative's own annotation; with the value below the webhook takes another branch and never looks at deploymentStrategy. */
const KNATIVE_CLASS_ANNOTATION = 'autoscaling.knative.dev/class';
const KNATIVE_HPA_CLASS = 'hpa.autoscaling.knative.dev';

type Annotations = Readonly<Record<string, unknown>>;

const MODES: Readonly<Record<string, DeploymentMode>> = {
  Standard: 'Standard',
  Knative: 'Knative',
  ModelMesh: 'ModelMesh',
  RawDeployment: 'Standard',
  Serverless: 'Knative',
};

/** The mode that a word names, old names included; undefined for any other word. Source: constants.go, `ParseDeploymentMode`. */
export function normalisedMode(word: unknown): DeploymentMode | undefined {
  return typeof word === 'string' && Object.hasOwn(MODES, word) ? MODES[word] : undefined;
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

/** Where the webhook rewrites the old names RawDeployment and Serverless in the annotation. 0.16.0 took them for Knative's. */
const REWRITES_OLD_NAMES = [
  ['0', false],
  ['0.17', true],
] as const;

/**
 * The mode in which KServe runs a service: its status, else its annotation if that names a mode, else the default mode. Anything but
 * Standard and ModelMesh runs in Knative.
 *
 * Source: KServe, inferenceservice/utils/utils.go, `GetDeploymentMode`; components/predictor.go, `Reconcile`.
 */
export function deploymentModeOf({ status, annotations, defaultMode }: ModeSources): DeploymentMode {
  const mode = status ? normalisedMode(status) : (normalisedMode(annotations[DEPLOYMENT_MODE_ANNOTATION]) ?? defaultMode);
  return mode || 'Knative';
}

/**
 * The annotation as the webhook leaves it: old names rewritten, and added where it is missing and the default mode is Standard or
 * ModelMesh. Source: KServe, inference_service_defaults.go, `DefaultInferenceService`.
 */
export function admittedAnnotation({ annotations, defaultMode, version = DEFAULT_VERSIONS.kserve }: ModeSources): string | undefined {
  const annotation = annotations[DEPLOYMENT_MODE_ANNOTATION];
  if (typeof annotation === 'string') {
    return valueSince<boolean>(REWRITES_OLD_NAMES, version) ? (normalisedMode(annotation) ?? annotation) : annotation;
  }
  return defaultMode === 'Standard' || defaultMode === 'ModelMesh' ? defaultMode : undefined;
}

/**
 * Does the webhook refuse a deploymentStrategy? It does wherever the annotation is not Standard, except under Knative's HPA class, where
 * the strategy is taken and then ignored. Source: KServe, inference_service_validation.go, `validateAutoScalingCompExtension`.
 */
export function refusesStrategy(sources: ModeSources): boolean {
  if (admittedAnnotation(sources) === 'Standard') return false;
  return sources.annotations[KNATIVE_CLASS_ANNOTATION] !== KNATIVE_HPA_CLASS;
}

/** What webhook and controller refuse in the mode itself: an annotation that names no mode, a mode that is not the one of the status. */
export function modeFindings(sources: ModeSources): Finding[] {
  const annotation = sources.annotations[DEPLOYMENT_MODE_ANNOTATION];
  // An empty annotation counts as none where the Deployment is made: constants.go, `ParseDeploymentMode`.
  if (typeof annotation === 'string' && annotation !== '' && normalisedMode(annotation) === undefined) {
    return [unknownMode(annotation, deploymentModeOf(sources))];
  }
  if (!sources.status || (annotation === undefined && sources.isDefaultAssumed)) return [];
  const current = normalisedMode(sources.status) ?? describeValue(sources.status);
  const admitted = admittedAnnotation(sources);
  return admitted === undefined || (normalisedMode(admitted) ?? admitted) === current
    ? []
    : [changedMode(current, admitted, annotation === undefined)];
}

function unknownMode(annotation: string, mode: DeploymentMode): Finding {
  const then =
    mode === 'Standard'
      ? `fails when it makes the Deployment: unsupported deployment mode for workload: ${annotation}`
      : `runs the service in mode ${mode}`;
  return kserveFinding('kserve/invalid-config', {
    path: DEPLOYMENT_MODE_PATH,
    message: `The annotation names no deployment mode: ${describeValue(annotation)}. KServe skips it when it looks up the mode, and ${then}.`,
    help: 'Write Standard, Knative or ModelMesh, in exactly this spelling.',
  });
}

function changedMode(current: string, admitted: string, isDefault: boolean): Finding {
  const whence = isDefault ? ', which KServe adds because it is the default mode' : '';
  return kserveFinding('kserve/invalid-service', {
    path: DEPLOYMENT_MODE_PATH,
    message:
      `The webhook refuses the update: deploymentMode cannot be changed from '${current}' to '${admitted}'${whence}; ` +
      'status.deploymentMode holds for the life of the service.',
    help: `Annotate the service with ${DEPLOYMENT_MODE_ANNOTATION}: ${current}, or delete it and create it anew.`,
  });
}
