import { addToGroup, groupBy } from '../../core/collections/group-by';
import { findMax } from '../../core/values/min-max';
import { getFieldsAt, isFields, getListAt, nameOf, namespaceOf, getValueAt } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import type { PlanContext } from '../../cluster/context/context';
import { CONTEXT_KINDS } from '../../cluster/kinds/context-kinds';
import { modelOf } from './service';
import type { KserveService } from './service';

/** The requirements of a model on its runtime. */
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

/** Reports whether KServe may select the runtime for a model that names none. Source: predictor_model.go, `GetSupportingRuntimes`. */
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

/** Selects the runtime like KServe: highest priority, then youngest, then first by name. */
function selectRuntime(runtimes: readonly Manifest[], request: RuntimeRequest): Manifest | undefined {
  const specOf = (runtime: Manifest) => getFieldsAt(runtime, 'spec');
  const createdOf = ({ metadata }: Manifest) => {
    const created = getValueAt(metadata, 'creationTimestamp');
    return typeof created === 'string' ? created : '';
  };
  const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  return runtimes
    .filter((runtime) => isEligibleRuntime(specOf(runtime), request))
    .map((runtime) => ({ runtime, priority: priorityOf(specOf(runtime), request) }))
    .toSorted(
      (a, b) =>
        b.priority - a.priority || compare(createdOf(b.runtime), createdOf(a.runtime)) || compare(nameOf(a.runtime), nameOf(b.runtime)),
    )[0]?.runtime;
}

/** Serving runtimes that the same services may use, indexed because thousands of services may look for theirs. */
class RuntimeList {
  private readonly byName = new Map<unknown, Manifest>();
  private readonly byFormat = new Map<unknown, Manifest[]>();
  private readonly selected = new Map<string, Manifest | undefined>();

  constructor(runtimes: readonly Manifest[]) {
    for (const runtime of runtimes) {
      if (!this.byName.has(nameOf(runtime))) this.byName.set(nameOf(runtime), runtime);
      const formats = getListAt(runtime, 'spec', 'supportedModelFormats').map((format) => getValueAt(format, 'name'));
      for (const format of new Set(formats)) addToGroup(this.byFormat, format, runtime);
    }
  }

  findByName(name: unknown): Manifest | undefined {
    return this.byName.get(name);
  }

  /** Returns the runtime that KServe selects for a model that names none. */
  select(request: RuntimeRequest): Manifest | undefined {
    const { name, version } = getFieldsAt(request.model, 'modelFormat');
    const key = JSON.stringify([name, version, request.model.protocolVersion, request.isMultinode]);
    if (!this.selected.has(key)) this.selected.set(key, selectRuntime(this.byFormat.get(name) ?? [], request));
    return this.selected.get(key);
  }
}

/** The runtimes of a plan: those of each namespace, and those of the cluster. */
interface Runtimes {
  readonly byNamespace: ReadonlyMap<string | undefined, RuntimeList>;
  readonly cluster: RuntimeList;
}

const RUNTIMES = new WeakMap<Pick<PlanContext, 'all'>, Runtimes>();
const NO_RUNTIMES = new RuntimeList([]);

/** Returns the lists that apply to a service: that of its namespace, then that of the cluster. */
function listsFor({ object }: KserveService, context: Pick<PlanContext, 'all'>): readonly [RuntimeList, RuntimeList] {
  const known = RUNTIMES.get(context);
  const namespaced = () => groupBy(context.all(CONTEXT_KINDS.servingRuntime), namespaceOf);
  const runtimes = known ?? {
    byNamespace: new Map([...namespaced()].map(([namespace, list]) => [namespace, new RuntimeList(list)])),
    cluster: new RuntimeList(context.all(CONTEXT_KINDS.clusterServingRuntime)),
  };
  if (!known) RUNTIMES.set(context, runtimes);
  return [runtimes.byNamespace.get(namespaceOf(object)) ?? NO_RUNTIMES, runtimes.cluster];
}

/**
 * Returns the spec of the serving runtime that the model names, if it is in the input: the namespaced runtime first, then the cluster
 * runtime. Empty otherwise, because only the cluster knows which runtime KServe selects. Source: KServe, utils/utils.go,
 * `GetServingRuntime`.
 */
export function findNamedRuntimeSpec(service: KserveService, context: Pick<PlanContext, 'all'>): Fields {
  const name = modelOf(service.predictor)?.runtime;
  if (typeof name !== 'string') return {};
  const [own, cluster] = listsFor(service, context);
  return getFieldsAt(own.findByName(name) ?? cluster.findByName(name), 'spec');
}

/**
 * Resolves the runtime of a service from the input: the one that its model names, otherwise the one that KServe selects. Also undefined if
 * the status names a runtime that is not in the input, because the cluster may then have other runtimes.
 */
export function resolveRuntime(service: KserveService, status: unknown, context: Pick<PlanContext, 'all'>): Manifest | undefined {
  const model = modelOf(service.predictor);
  if (!model) return undefined;
  const [own, cluster] = listsFor(service, context);
  const findByName = (name: unknown) => own.findByName(name) ?? cluster.findByName(name);
  if (model.runtime !== undefined && model.runtime !== null) return findByName(model.runtime);
  const used = getValueAt(status, 'servingRuntimeName') || getValueAt(status, 'clusterServingRuntimeName');
  if (used && !findByName(used)) return undefined;
  const request = { model, isMultinode: service.workerSpec !== undefined };
  return own.select(request) ?? cluster.select(request);
}

/**
 * Returns KServe's error if the runtime that a model names does not support it; its pods then stay. Source: components/predictor.go,
 * `reconcileModel`.
 */
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

/** Returns a container of a runtime's pods by name. */
export function findRuntimeContainer(pods: Fields, name: string): unknown {
  return getListAt(pods, 'containers').find((container) => getValueAt(container, 'name') === name);
}

/** Reports whether the runtime starts its nodes with multiprocessing instead of Ray. */
export function usesMultiprocessing(runtime: Fields): boolean {
  return getFieldsAt(runtime, 'annotations')['multinode/executor-backend'] === 'mp';
}
