import { at, childPath } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import { isInt32 } from '../../core/int-or-percent';
import { isFields, listAt, valueAt } from '../../core/manifest';
import type { Fields } from '../../core/manifest';
import { describeValue, seen } from '../../core/seen';
import { canaryFindings } from './canary-validation';
import { fieldFindings } from './field-findings';
import { admittedAnnotation, DEPLOYMENT_MODE_ANNOTATION, DEPLOYMENT_MODE_PATH, normalisedMode, unknownModeOf } from './mode';
import type { ModeSources } from './mode';
import { multinodeFindings, nodeFindings } from './multinode-validation';
import { unknownAnnotationFindings } from './rules/invalid-config';
import { invalidService } from './rules/invalid-service';
import { strategyOutsideStandardFindings } from './rules/strategy-outside-standard';
import { AUTOSCALER_CLASS_ANNOTATION, AUTOSCALER_CLASS_PATH, implementationsOf, modelOf } from './service';
import type { Service } from './service';

const AUTOSCALER_CLASSES = ['hpa', 'external', 'keda', 'none'] as const;
const NAME = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;

/** Everything for which a service is refused as a whole, so that none of its Deployments is made, and what the API server drops of it. */
export interface ServiceFindings {
  /** Why its strategies can't be told: fields of another type, its mode. */
  readonly ofStrategy: readonly Finding[];
  /** Why it is refused for something else: its strategies are what holds once the rest is mended. */
  readonly ofService: readonly Finding[];
  /** Fields that this KServe does not know. */
  readonly dropped: readonly Finding[];
}

/**
 * Everything for which the API server, KServe's webhook or its controller refuses a service as a whole.
 *
 * A service without any model or container is let pass, though the webhook refuses it: the input may be a patch, as the guide prints them.
 *
 * Source: KServe 0.16 to 0.20, inference_service_validation.go, components/predictor.go; the CRD.
 *
 * @param runtime spec of the serving runtime, as far as it is in view
 */
export function serviceFindings(service: Service, sources: ModeSources, runtime: Fields): ServiceFindings {
  const { refused, dropped } = fieldFindings(service);
  const ofNodes = nodeFindings(service, runtime);
  if (refused.length > 0) return { ofStrategy: refused, ofService: ofNodes, dropped };
  return {
    ofStrategy: [...unknownAnnotationFindings(sources), ...strategyOutsideStandardFindings(service, sources)],
    ofService: [...webhookFindings(service, sources), ...ofNodes],
    dropped,
  };
}

/** What the webhook refuses, strategies apart. */
function webhookFindings(service: Service, sources: ModeSources): Finding[] {
  return [
    ...nameFindings(service.object.metadata?.name),
    ...changedModeFindings(sources),
    ...autoscalerFindings(service.annotations[AUTOSCALER_CLASS_ANNOTATION]),
    ...predictorFindings(service),
    ...service.components.flatMap(({ path, spec }) => [...customFindings(spec, path), ...replicaFindings(spec, path)]),
    ...multinodeFindings(service),
    ...canaryFindings(service, admittedAnnotation(sources)),
  ];
}

function nameFindings(name: unknown): Finding[] {
  if (typeof name !== 'string' || NAME.test(name)) return [];
  return [invalidService.finding('name', { path: at`metadata.name`, data: { value: seen(name) } })];
}

/** A mode that is not the one of the status. An annotation that names no mode is a finding of its own. */
function changedModeFindings(sources: ModeSources): Finding[] {
  const isDefault = sources.annotations[DEPLOYMENT_MODE_ANNOTATION] === undefined;
  if (!sources.status || unknownModeOf(sources) !== undefined || (isDefault && sources.isDefaultAssumed)) return [];
  const current = normalisedMode(sources.status) ?? describeValue(sources.status);
  const admitted = admittedAnnotation(sources);
  if (admitted === undefined || (normalisedMode(admitted) ?? admitted) === current) return [];
  return [invalidService.finding('changedMode', { path: DEPLOYMENT_MODE_PATH, data: { current, admitted, isDefault } })];
}

function autoscalerFindings(value: unknown): Finding[] {
  if (value === undefined || AUTOSCALER_CLASSES.some((name) => name === value)) return [];
  const data = { value: seen(value), choices: AUTOSCALER_CLASSES };
  return [invalidService.finding('autoscalerClass', { path: AUTOSCALER_CLASS_PATH, data })];
}

function predictorFindings({ object, predictor }: Service): Finding[] {
  const path = at`spec.predictor`;
  if (valueAt(object, 'spec', 'predictor') === undefined) return [invalidService.finding('noPredictor', { path, data: {} })];
  const data = implementationsOf(predictor);
  if (data.fields.length + data.containers < 2) return [];
  return [invalidService.finding('severalImplementations', { path, data })];
}

/** `custom`, which the guide prints, is not in v1beta1: what stands below it is pruned, and the component is left without a container. */
function customFindings(spec: Fields, path: FieldPath): Finding[] {
  if (!isFields(spec.custom) || listAt(spec, 'containers').length > 0 || modelOf(spec)) return [];
  return [invalidService.finding('custom', { path: childPath(path, 'custom'), data: { component: path } })];
}

function replicaFindings({ minReplicas = 1, maxReplicas = 0 }: Fields, path: FieldPath): Finding[] {
  const minimumPath = childPath(path, 'minReplicas');
  if (isInt32(minReplicas) && minReplicas < 0) {
    return [invalidService.finding('negativeReplicas', { path: minimumPath, data: { field: 'minReplicas', value: minReplicas } })];
  }
  if (isInt32(maxReplicas) && maxReplicas < 0) {
    const data = { field: 'maxReplicas', value: maxReplicas } as const;
    return [invalidService.finding('negativeReplicas', { path: childPath(path, 'maxReplicas'), data })];
  }
  if (!isInt32(minReplicas) || !isInt32(maxReplicas) || maxReplicas === 0 || minReplicas <= maxReplicas) return [];
  return [invalidService.finding('emptyRange', { path: minimumPath, data: { minReplicas, maxReplicas } })];
}
