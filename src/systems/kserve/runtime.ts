import { findMax } from '../../core/min-max';
import { getFieldsAt, isFields, getListAt, nameOf, namespaceOf, getValueAt } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import type { PlanContext } from '../../cluster/context';
import { CONTEXT_KINDS } from '../../cluster/context-kinds';
import { modelOf } from './service';
import type { KserveService } from './service';

/**
 * The spec of the serving runtime that the model names, if the input holds it: the one of the namespace, else the cluster's.
 * Empty otherwise: which runtime KServe picks by itself only the cluster knows. Source: KServe, utils/utils.go, `GetServingRuntime`.
 */
export function findNamedRuntimeSpec({ object, predictor }: KserveService, context: Pick<PlanContext, 'all'>): Fields {
  const name = modelOf(predictor)?.runtime;
  if (typeof name !== 'string') return {};
  const own = context.all(CONTEXT_KINDS.servingRuntime).filter((runtime) => namespaceOf(runtime) === namespaceOf(object));
  const runtime = [...own, ...context.all(CONTEXT_KINDS.clusterServingRuntime)].find((candidate) => nameOf(candidate) === name);
  return getFieldsAt(runtime, 'spec');
}

/** What a model asks of its runtime. */
interface RuntimeRequest {
  readonly model: Fields;
  readonly isMultinode: boolean;
}

function listSupportedFormats(spec: Fields, { model }: RuntimeRequest, isNamed: boolean): unknown[] {
  const { name, version } = getFieldsAt(model, 'modelFormat');
  return getListAt(spec, 'supportedModelFormats').filter((format) => {
    if (!isNamed && getValueAt(format, 'autoSelect') !== true) return false;
    return getValueAt(format, 'name') === name && (version === undefined || getValueAt(format, 'version') === version);
  });
}

function supportsProtocol(spec: Fields, protocol: unknown): boolean {
  const protocols = getListAt(spec, 'protocolVersions');
  return protocols.length === 0 || protocols.includes(protocol);
}

/** Does KServe choose the runtime for a model that names none? Source: predictor_model.go, `GetSupportingRuntimes`. */
function isEligibleRuntime(spec: Fields, request: RuntimeRequest): boolean {
  if (spec.disabled === true || spec.multiModel === true || isFields(spec.workerSpec) !== request.isMultinode) return false;
  return listSupportedFormats(spec, request, false).length > 0 && supportsProtocol(spec, request.model.protocolVersion ?? 'v1');
}

function priorityOf(spec: Fields, request: RuntimeRequest): number {
  const priorities = listSupportedFormats(spec, request, false).map((format) => getValueAt(format, 'priority'));
  return findMax(
    priorities.filter((priority) => typeof priority === 'number'),
    0,
  );
}

/** The runtime that KServe chooses of those of the namespace, else of the cluster's: of the highest priority, the youngest, the first by name. */
function selectRuntime(runtimes: readonly Manifest[], request: RuntimeRequest): Manifest | undefined {
  const specOf = (runtime: Manifest) => getFieldsAt(runtime, 'spec');
  const createdOf = ({ metadata }: Manifest) => {
    const created = getValueAt(metadata, 'creationTimestamp');
    return typeof created === 'string' ? created : '';
  };
  const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  return runtimes
    .filter((runtime) => isEligibleRuntime(specOf(runtime), request))
    .toSorted(
      (a, b) =>
        priorityOf(specOf(b), request) - priorityOf(specOf(a), request) ||
        compare(createdOf(b), createdOf(a)) ||
        compare(nameOf(a), nameOf(b)),
    )[0];
}

/**
 * The runtime of a service, where it is in view: the one that its model names, else the one that KServe chooses.
 * Undefined too where its status names one that is not in view: then what else the cluster has is not known.
 */
export function resolveRuntime(service: KserveService, status: unknown, context: Pick<PlanContext, 'all'>): Manifest | undefined {
  const model = modelOf(service.predictor);
  if (!model) return undefined;
  const own = context.all(CONTEXT_KINDS.servingRuntime).filter((runtime) => namespaceOf(runtime) === namespaceOf(service.object));
  const clusterRuntimes = context.all(CONTEXT_KINDS.clusterServingRuntime);
  const findByName = (name: unknown) => [...own, ...clusterRuntimes].find((runtime) => nameOf(runtime) === name);
  if (model.runtime !== undefined && model.runtime !== null) return findByName(model.runtime);
  const used = getValueAt(status, 'servingRuntimeName') || getValueAt(status, 'clusterServingRuntimeName');
  if (used && !findByName(used)) return undefined;
  const request = { model, isMultinode: service.workerSpec !== undefined };
  return selectRuntime(own, request) ?? selectRuntime(clusterRuntimes, request);
}

/** What KServe says where the runtime that a model names does not serve it; its pods stay then. Source: components/predictor.go, `reconcileModel`. */
export function validateRuntime({ predictor }: KserveService, runtime: Manifest | undefined): string | undefined {
  const model = modelOf(predictor);
  if (!model || !runtime || typeof model.runtime !== 'string') return undefined;
  const spec = getFieldsAt(runtime, 'spec');
  const protocol = model.protocolVersion;
  if (spec.disabled === true) return `specified runtime ${model.runtime} is disabled`;
  if (protocol && !supportsProtocol(spec, protocol))
    return `specified runtime ${model.runtime} does not support specified protocol version`;
  if (listSupportedFormats(spec, { model, isMultinode: false }, true).length > 0) return undefined;
  return `specified runtime ${model.runtime} does not support specified framework/version`;
}

/** A container of a runtime's pods by its name. */
export function findRuntimeContainer(pods: Fields, name: string): unknown {
  return getListAt(pods, 'containers').find((container) => getValueAt(container, 'name') === name);
}

/** Does the runtime start its nodes with multiprocessing instead of Ray? */
export function usesMultiprocessing(runtime: Fields): boolean {
  return getFieldsAt(runtime, 'annotations')['multinode/executor-backend'] === 'mp';
}
