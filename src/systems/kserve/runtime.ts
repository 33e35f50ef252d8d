import { greatest } from '../../core/extremes';
import { fieldsAt, isFields, listAt, nameOf, namespaceOf, valueAt } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import type { PlanContext } from '../../cluster/context';
import { CONTEXT_KINDS } from '../../cluster/context-kinds';
import { modelOf } from './service';
import type { Service } from './service';

/**
 * The spec of the serving runtime that the model names, if the input holds it: the one of the namespace, else the cluster's.
 * Empty otherwise: which runtime KServe picks by itself only the cluster knows. Source: KServe, utils/utils.go, `GetServingRuntime`.
 */
export function runtimeOf({ object, predictor }: Service, context: Pick<PlanContext, 'all'>): Fields {
  const name = modelOf(predictor)?.runtime;
  if (typeof name !== 'string') return {};
  const own = context.all(CONTEXT_KINDS.servingRuntime).filter((runtime) => namespaceOf(runtime) === namespaceOf(object));
  const runtime = [...own, ...context.all(CONTEXT_KINDS.clusterServingRuntime)].find((candidate) => nameOf(candidate) === name);
  return fieldsAt(runtime, 'spec');
}

/** What a model asks of its runtime. */
interface Asked {
  readonly model: Fields;
  readonly isMultinode: boolean;
}

function formatsOf(spec: Fields, { model }: Asked, isNamed: boolean): unknown[] {
  const { name, version } = fieldsAt(model, 'modelFormat');
  return listAt(spec, 'supportedModelFormats').filter((format) => {
    if (!isNamed && valueAt(format, 'autoSelect') !== true) return false;
    return valueAt(format, 'name') === name && (version === undefined || valueAt(format, 'version') === version);
  });
}

function speaks(spec: Fields, protocol: unknown): boolean {
  const protocols = listAt(spec, 'protocolVersions');
  return protocols.length === 0 || protocols.includes(protocol);
}

/** Does KServe choose the runtime for a model that names none? Source: predictor_model.go, `GetSupportingRuntimes`. */
function isChoice(spec: Fields, asked: Asked): boolean {
  if (spec.disabled === true || spec.multiModel === true || isFields(spec.workerSpec) !== asked.isMultinode) return false;
  return formatsOf(spec, asked, false).length > 0 && speaks(spec, asked.model.protocolVersion ?? 'v1');
}

function priorityOf(spec: Fields, asked: Asked): number {
  const given = formatsOf(spec, asked, false).map((format) => valueAt(format, 'priority'));
  return greatest(
    given.filter((priority) => typeof priority === 'number'),
    0,
  );
}

/** The runtime that KServe chooses of those of the namespace, else of the cluster's: of the highest priority, the youngest, the first by name. */
function chosenOf(runtimes: readonly Manifest[], asked: Asked): Manifest | undefined {
  const specOf = (runtime: Manifest) => fieldsAt(runtime, 'spec');
  const createdOf = ({ metadata }: Manifest) => {
    const created = valueAt(metadata, 'creationTimestamp');
    return typeof created === 'string' ? created : '';
  };
  const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  return runtimes
    .filter((runtime) => isChoice(specOf(runtime), asked))
    .toSorted(
      (a, b) =>
        priorityOf(specOf(b), asked) - priorityOf(specOf(a), asked) || compare(createdOf(b), createdOf(a)) || compare(nameOf(a), nameOf(b)),
    )[0];
}

/**
 * The runtime of a service, where it is in view: the one that its model names, else the one that KServe chooses.
 * Undefined too where its status names one that is not in view: then what else the cluster has is not known.
 */
export function runtimeInView(service: Service, status: unknown, context: Pick<PlanContext, 'all'>): Manifest | undefined {
  const model = modelOf(service.predictor);
  if (!model) return undefined;
  const own = context.all(CONTEXT_KINDS.servingRuntime).filter((runtime) => namespaceOf(runtime) === namespaceOf(service.object));
  const ofCluster = context.all(CONTEXT_KINDS.clusterServingRuntime);
  const named = (name: unknown) => [...own, ...ofCluster].find((runtime) => nameOf(runtime) === name);
  if (model.runtime !== undefined && model.runtime !== null) return named(model.runtime);
  const used = valueAt(status, 'servingRuntimeName') || valueAt(status, 'clusterServingRuntimeName');
  if (used && !named(used)) return undefined;
  const asked = { model, isMultinode: service.workerSpec !== undefined };
  return chosenOf(own, asked) ?? chosenOf(ofCluster, asked);
}

/** What KServe says where the runtime that a model names does not serve it; its pods stay then. Source: components/predictor.go, `reconcileModel`. */
export function runtimeProblem({ predictor }: Service, runtime: Manifest | undefined): string | undefined {
  const model = modelOf(predictor);
  if (!model || !runtime || typeof model.runtime !== 'string') return undefined;
  const spec = fieldsAt(runtime, 'spec');
  const protocol = model.protocolVersion;
  if (spec.disabled === true) return `specified runtime ${model.runtime} is disabled`;
  if (protocol && !speaks(spec, protocol)) return `specified runtime ${model.runtime} does not support specified protocol version`;
  if (formatsOf(spec, { model, isMultinode: false }, true).length > 0) return undefined;
  return `specified runtime ${model.runtime} does not support specified framework/version`;
}

/** A container of a runtime's pods by its name. */
export function runtimeContainerOf(pods: Fields, name: string): unknown {
  return listAt(pods, 'containers').find((container) => valueAt(container, 'name') === name);
}

/** Does the runtime start its nodes with multiprocessing instead of Ray? */
export function usesMultiprocessing(runtime: Fields): boolean {
  return fieldsAt(runtime, 'annotations')['multinode/executor-backend'] === 'mp';
}
