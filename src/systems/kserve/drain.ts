import { toFieldPath } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import { IntentError } from '../../core/errors/intent-error';
import { getFieldsAt, getListAt, getOwnValue, isFields } from '../../core/manifest/manifest';
import type { Fields, ObjectMeta } from '../../core/manifest/manifest';
import type { Provenance } from '../../core/document/provenance';
import { drainTemplate } from '../../workloads/drain';
import type { DrainPlace } from '../../workloads/drain';
import { DEPLOYMENT_MODE_ANNOTATION, normalizeMode } from './mode';
import { MODEL_CONTAINER, modelFieldOf, WORKER_CONTAINER } from './service';
import type { TopLevelComponent } from './service';
import type { ComponentProps } from './types';

/** Formats of models, and the program that serves them in the runtimes that KServe ships. */
const FORMAT_PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  vllm: ['vllm', 'serve'],
  triton: ['tritonserver'],
  tensorrt: ['tritonserver'],
  huggingface: ['python', '-m', 'huggingfaceserver'],
  sklearn: ['python', '-m', 'sklearnserver'],
  xgboost: ['python', '-m', 'xgbserver'],
  lightgbm: ['python', '-m', 'lgbserver'],
  pmml: ['python', '-m', 'pmmlserver'],
  paddle: ['python', '-m', 'paddleserver'],
};

/** Runtimes that KServe ships, and the program that they start. */
const RUNTIME_PROGRAMS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.values(FORMAT_PROGRAMS)
    .filter(([program]) => program !== 'vllm')
    .map((program) => [`kserve-${program.at(-1)}`, program]),
);

/**
 * Returns the program of a model's runtime; undefined if it is not known. KServe appends the arguments of a model to those of its runtime. With the
 * protocol v2, another runtime may serve a format.
 */
function findProgram(model: Fields, field: string): readonly string[] | undefined {
  const { runtime, protocolVersion } = model;
  if (typeof runtime === 'string')
    return getOwnValue(RUNTIME_PROGRAMS, runtime) ?? (/vllm/i.test(runtime) ? FORMAT_PROGRAMS.vllm : undefined);
  const format = field === 'model' ? getFieldsAt(model, 'modelFormat').name : field;
  if (typeof format !== 'string' || (protocolVersion !== undefined && protocolVersion !== 'v1')) return undefined;
  return getOwnValue(FORMAT_PROGRAMS, format.toLowerCase());
}

/** A component with a drain, and the level that decided each field. */
export interface DrainedComponent {
  readonly spec: Fields;
  readonly provenance: readonly Provenance[];
}

function placeOf(name: TopLevelComponent, podPath: FieldPath, modelField: string | undefined): DrainPlace {
  const pathOf = (index: number): FieldPath => {
    if (modelField === undefined) return toFieldPath`${podPath}.containers[${index}]`;
    return index === 0 ? toFieldPath`${podPath}.${modelField}` : toFieldPath`${podPath}.containers[${index - 1}]`;
  };
  return { prop: `${name}.drain`, podPath, fieldsPath: toFieldPath`${podPath}.podSpec`, pathOf };
}

/** Lets the workers of a multinode predictor run for as long as its head. */
function drainWorkers(workerSpec: Fields, props: ComponentProps): DrainedComponent {
  const containers = getListAt(workerSpec, 'containers');
  const spec = { ...workerSpec, containers: containers.length > 0 ? containers : [{ name: WORKER_CONTAINER }] };
  return drainTemplate({ spec }, props.drain!, { prop: 'predictor.drain', podPath: toFieldPath`predictor.workerSpec`, outlives: true });
}

/**
 * Writes a drain into a component: the preStop hook and the flag of its server into the serving container, and the grace period into the pod.
 *
 * @param metadata of the service, whose labels and annotations apply to its pods too
 * @param podPath path of the pods in the props. @default - the name of the component
 * @throws IntentError if the server cannot finish such a request, or in another mode than Standard
 */
export function drainComponent(
  name: TopLevelComponent,
  spec: Fields,
  props: ComponentProps,
  metadata: ObjectMeta | undefined,
  podPath: FieldPath = toFieldPath`${name}`,
): DrainedComponent {
  if (props.drain === undefined) return { spec, provenance: [] };
  const mode = normalizeMode(metadata?.annotations?.[DEPLOYMENT_MODE_ANNOTATION] ?? 'Standard');
  if (mode === 'Knative') {
    throw new IntentError(`${name}.drain is set, but in mode Knative queue-proxy ends the requests: delete it, and write timeout: 600`);
  }
  const modelField = modelFieldOf(spec);
  const others = getListAt(spec, 'containers');
  const model = modelField === undefined ? undefined : getFieldsAt(spec, modelField);
  // The command of the runtime stands for that of the model until the drain is written.
  const program = model && model.command === undefined && model.image === undefined ? findProgram(model, modelField!) : undefined;
  const containers = [...(model ? [{ name: MODEL_CONTAINER, ...model, ...(program && { command: program }) }] : []), ...others];
  const serving = Math.max(0, model ? 0 : others.findIndex((container) => isFields(container) && container.name === MODEL_CONTAINER));
  const labels = { ...metadata?.labels, ...props.labels };
  const annotations = { ...metadata?.annotations, ...props.annotations };
  const template = { metadata: { labels, annotations }, spec: { ...spec, containers } };
  const drained = drainTemplate(template, props.drain, {
    ...placeOf(name, podPath, modelField),
    ...(containers.length > 0 && { serving }),
  });
  const { terminationGracePeriodSeconds, containers: written } = drained.spec;
  const [first, ...rest] = written as readonly Fields[];
  const { command, ...withoutCommand } = first!;
  const own = program ? withoutCommand : { ...withoutCommand, ...(command !== undefined && { command }) };
  const { name: _name, ...ownModel } = own;
  const sidecar = drained.metadata && getFieldsAt(drained.metadata, 'annotations');
  const workers = isFields(spec.workerSpec) ? drainWorkers(spec.workerSpec, props) : undefined;
  return {
    spec: {
      ...spec,
      terminationGracePeriodSeconds,
      ...(model
        ? { [modelField!]: model.name === undefined ? ownModel : own, ...(others.length > 0 && { containers: rest }) }
        : { containers: written }),
      ...(sidecar && { annotations: { ...props.annotations, 'proxy.istio.io/config': sidecar['proxy.istio.io/config'] } }),
      ...(workers && { workerSpec: workers.spec }),
    },
    provenance: [...drained.provenance, ...(workers?.provenance ?? [])],
  };
}

/**
 * Writes the drain of a predictor into a canary that has a model or containers of its own. KServe merges the canary over the predictor, and lists
 * such as the arguments of the model replace those of the predictor, also the flag of the drain.
 *
 * @param predictor as written, without the drain
 * @throws IntentError if the server of the canary cannot finish such a request
 */
export function drainCanary(
  canary: Fields,
  predictor: Fields,
  props: ComponentProps,
  metadata: ObjectMeta | undefined,
  podPath: FieldPath,
): Fields {
  const field = modelFieldOf(canary);
  if (props.drain === undefined || (field === undefined && getListAt(canary, 'containers').length === 0)) return canary;
  const { workerSpec: _workers, ...stable } = predictor;
  const model = field === undefined ? {} : { [field]: { ...getFieldsAt(stable, field), ...getFieldsAt(canary, field) } };
  const { spec } = drainComponent('predictor', { ...stable, ...canary, ...model }, props, metadata, podPath);
  const written = field ?? 'containers';
  return { ...canary, terminationGracePeriodSeconds: spec.terminationGracePeriodSeconds, [written]: spec[written] };
}
