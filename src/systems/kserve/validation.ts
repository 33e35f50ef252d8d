import type { Finding } from '../../core/finding';
import { isInt32 } from '../../core/int-or-percent';
import { isFields, listAt, valueAt } from '../../core/manifest';
import type { Fields } from '../../core/manifest';
import { describeValue } from '../../core/shape';
import { canaryFindings } from './canary';
import { kserveFinding } from './catalogue';
import { admittedAnnotation, DEPLOYMENT_MODE_ANNOTATION, modeFindings, refusesStrategy } from './mode';
import type { ModeSources } from './mode';
import { GPU_TYPES_ANNOTATION, gpuTypesOf, unknownResourcesOf } from './nodes';
import { isGiven } from './precedence';
import { implementationsOf, MODEL_CONTAINER, modelOf, serviceTypeFindings, variableOf } from './service';
import type { Service } from './service';

export const AUTOSCALER_CLASS_ANNOTATION = 'serving.kserve.io/autoscalerClass';
const AUTOSCALER_CLASS_PATH = `metadata.annotations[${AUTOSCALER_CLASS_ANNOTATION}]`;
const AUTOSCALER_CLASSES = ['hpa', 'external', 'keda', 'none'] as const;
const NAME = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const MULTINODE_STORAGE = ['pvc', 'oci'] as const;
const PARALLELISM_VARIABLES = ['PIPELINE_PARALLEL_SIZE', 'TENSOR_PARALLEL_SIZE'] as const;

function refused(path: string, message: string, help: string): Finding {
  return kserveFinding('kserve/invalid-service', { path, message: `The webhook refuses the service: ${message}.`, help });
}

/** Which autoscaler KServe makes for a component: the annotation of the component, else of the service. */
export function autoscalerClassOf(service: Service, component: Fields): unknown {
  return valueAt(component, 'annotations', AUTOSCALER_CLASS_ANNOTATION) ?? service.annotations[AUTOSCALER_CLASS_ANNOTATION];
}

/**
 * Everything for which the API server or KServe's webhook refuses the service as a whole, so that none of its Deployments is made.
 *
 * A service without any model or container is let pass, though the webhook refuses it: the input may be a patch, as the guide prints them.
 *
 * Source: KServe 0.16 to 0.20, inference_service_validation.go; the CRD.
 */
export function serviceFindings(service: Service, sources: ModeSources): Finding[] {
  const types = serviceTypeFindings(service);
  if (types.length > 0) return types;
  return [
    ...nameFindings(service.object.metadata?.name),
    ...modeFindings(sources),
    ...strategyFindings(service, sources),
    ...autoscalerFindings(service.annotations[AUTOSCALER_CLASS_ANNOTATION]),
    ...predictorFindings(service),
    ...service.components.flatMap(({ path, spec }) => [...customFindings(spec, path), ...replicaFindings(spec, path)]),
    ...(service.workerSpec ? workerFindings(service, service.workerSpec) : []),
    ...canaryFindings(service, admittedAnnotation(sources)),
  ];
}

function nameFindings(name: unknown): Finding[] {
  if (typeof name !== 'string' || NAME.test(name)) return [];
  const message = `its name ${describeValue(name)} must consist of lower case letters, digits and '-', and must start with a letter`;
  return [refused('metadata.name', message, 'Write a name such as my-model.')];
}

function strategyFindings({ components }: Service, sources: ModeSources): Finding[] {
  if (!refusesStrategy(sources)) return [];
  const annotation = admittedAnnotation(sources);
  const seen = annotation === undefined ? 'the service has no deploymentMode annotation' : `the service is annotated ${annotation}`;
  return components
    .filter(({ spec }) => isGiven(spec.deploymentStrategy))
    .map(({ path }) =>
      kserveFinding('kserve/strategy-outside-standard', {
        path: `${path}.deploymentStrategy`,
        message:
          `The webhook refuses the deploymentStrategy, because ${seen} and the default mode is ${sources.defaultMode || 'not set'}: ` +
          'customizing deploymentStrategy is only supported for raw deployment mode.',
        help: `Annotate the service with ${DEPLOYMENT_MODE_ANNOTATION}: Standard, or delete deploymentStrategy.`,
      }),
    );
}

function autoscalerFindings(value: unknown): Finding[] {
  if (value === undefined || AUTOSCALER_CLASSES.some((name) => name === value)) return [];
  const message = `${describeValue(value)} is not a supported autoscaler class type`;
  return [refused(AUTOSCALER_CLASS_PATH, message, `Write one of ${AUTOSCALER_CLASSES.join(', ')}.`)];
}

function predictorFindings({ object, predictor }: Service): Finding[] {
  if (valueAt(object, 'spec', 'predictor') === undefined) {
    return [refused('spec.predictor', 'it has no predictor', 'Give it a predictor with a model.')];
  }
  const implementations = implementationsOf(predictor);
  if (implementations.length < 2) return [];
  const message = `exactly one implementation must be specified in PredictorSpec, and this one has ${implementations.join(' and ')}`;
  return [refused('spec.predictor', message, `Keep one; name further containers otherwise than ${MODEL_CONTAINER}.`)];
}

/** `custom`, which the guide prints, is not in v1beta1: what stands below it is pruned, and the component is left without a container. */
function customFindings(spec: Fields, path: string): Finding[] {
  if (!isFields(spec.custom) || listAt(spec, 'containers').length > 0 || modelOf(spec)) return [];
  const message = `v1beta1 has no field "custom", so exactly one implementation must be specified in ${path} and there is none`;
  return [refused(`${path}.custom`, message, `Write containers: [{name: ${MODEL_CONTAINER}, …}] instead of custom.`)];
}

function replicaFindings({ minReplicas = 1, maxReplicas = 0 }: Fields, path: string): Finding[] {
  const help = 'Write a whole number of at least 0.';
  if (isInt32(minReplicas) && minReplicas < 0) {
    return [refused(`${path}.minReplicas`, `'MinReplicas' cannot be less than 0, it is ${minReplicas}`, help)];
  }
  if (isInt32(maxReplicas) && maxReplicas < 0) {
    return [refused(`${path}.maxReplicas`, `'MaxReplicas' cannot be less than 0, it is ${maxReplicas}`, help)];
  }
  if (!isInt32(minReplicas) || !isInt32(maxReplicas) || maxReplicas === 0 || minReplicas <= maxReplicas) return [];
  const message = `'MinReplicas' cannot be greater than MaxReplicas, and ${minReplicas} is greater than ${maxReplicas}`;
  return [refused(`${path}.minReplicas`, message, `Write maxReplicas: ${minReplicas} or more.`)];
}

function workerFindings(service: Service, workerSpec: Fields): Finding[] {
  const path = 'spec.predictor.workerSpec';
  const containers = listAt(workerSpec, 'containers');
  const several = `setting multiple containers in workerSpec is not allowed, and there are ${containers.length}`;
  return [
    ...(containers.length > 1 ? [refused(`${path}.containers`, several, 'Keep one container.')] : []),
    ...multinodeModelFindings(service),
    ...parallelismFindings(workerSpec, path),
    ...containers.flatMap((container, index) => gpuTypeFindings(container, service, `${path}.containers[${index}]`)),
  ];
}

/** What the webhook wants of the model of a multinode predictor; it asks nothing of a custom container. */
function multinodeModelFindings(service: Service): Finding[] {
  const model = modelOf(service.predictor);
  if (model === undefined) return [];
  const path = 'spec.predictor.model';
  const variables = PARALLELISM_VARIABLES.filter((name) => variableOf(model, name) !== undefined);
  return [
    ...variables.map((name) => {
      const help = 'Delete it and set pipelineParallelSize and tensorParallelSize of the workerSpec.';
      return refused(`${path}.env`, `setting ${name} in environment variables is not allowed`, help);
    }),
    ...gpuTypeFindings(model, service, path),
    ...storageFindings(model.storageUri, `${path}.storageUri`),
    ...multinodeAutoscalerFindings(service.annotations[AUTOSCALER_CLASS_ANNOTATION]),
  ];
}

function storageFindings(storageUri: unknown, path: string): Finding[] {
  const help = 'Write a storageUri that begins with pvc:// or oci://.';
  if (typeof storageUri !== 'string') return [refused(path, 'a multinode predictor needs a storageUri', help)];
  const protocol = storageUri.split('://')[0];
  if (MULTINODE_STORAGE.some((name) => name === protocol)) return [];
  return [refused(path, `Multinode only supports 'pvc' and 'oci' Storage Protocol(${protocol})`, help)];
}

function multinodeAutoscalerFindings(value: unknown): Finding[] {
  if (value === 'none') return [];
  const message = `Multinode only supports 'none' autoscaler(${typeof value === 'string' ? value : ''})`;
  return [refused(AUTOSCALER_CLASS_PATH, message, `Annotate the service with ${AUTOSCALER_CLASS_ANNOTATION}: none.`)];
}

function parallelismFindings(workerSpec: Fields, path: string): Finding[] {
  return ['pipelineParallelSize', 'tensorParallelSize']
    .map((field) => ({ field, value: workerSpec[field] }))
    .filter(({ value }) => isInt32(value) && value < 1)
    .map(({ field, value }) => refused(`${path}.${field}`, `${field} cannot be less than 1, it is ${String(value)}`, 'Write 1 or more.'));
}

function gpuTypeFindings(container: unknown, { annotations }: Service, path: string): Finding[] {
  const types = gpuTypesOf(annotations);
  const annotationPath = `metadata.annotations[${GPU_TYPES_ANNOTATION}]`;
  if (types === undefined) {
    const seen = describeValue(annotations[GPU_TYPES_ANNOTATION]);
    const message = `the annotation ${GPU_TYPES_ANNOTATION} must be a valid JSON array of names, it is ${seen}`;
    return [refused(annotationPath, message, 'Write a list of resource names: \'["example.com/gpu"]\'.')];
  }
  return unknownResourcesOf(container, types).map((name) => {
    const help = `Annotate the service with ${GPU_TYPES_ANNOTATION}: '["${name}"]' if it is a GPU.`;
    return refused(`${path}.resources`, `unknown GPU resource type ${name}`, help);
  });
}
