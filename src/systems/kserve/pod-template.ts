import { isFields, getListAt, getValueAt, getOwnValue } from '../../core/manifest/manifest';
import type { Fields } from '../../core/manifest/manifest';
import type { ApiField, ApiFields } from '../../workloads/pod/field';
import { POD_SPEC } from '../../workloads/pod/pod-spec';
import { CONTAINER_FIELDS, POD_FIELDS } from './passthrough-fields';
import { MODEL_CONTAINER, modelFieldOf, modelOf } from './service';

/*
 * The pods that KServe creates from a component and its serving runtime, before its webhook adds to them. Source: KServe v0.17.0,
 * components/predictor.go (`buildPodSpec`), inferenceservice/utils/utils.go (`MergeRuntimeContainers`, `MergePodSpec`),
 * deployment_reconciler.go (`setDefaultPodSpec`).
 */

const POD_FIELD_NAMES: ReadonlySet<string> = new Set(POD_FIELDS);
const CONTAINER_FIELD_NAMES: ReadonlySet<string> = new Set([...CONTAINER_FIELDS, 'name', 'image', 'env', 'resources']);

/** Fields of a model that select its runtime and are not part of the pods. */
const RUNTIME_SELECTION_FIELDS: ReadonlySet<string> = new Set(['modelFormat', 'runtime', 'protocolVersion']);

const CONTAINERS: ApiField = POD_SPEC.containers;

function pickFields(fields: Fields, isPicked: (name: string) => boolean): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name, value]) => value !== null && value !== undefined && isPicked(name)));
}

/** Merges a value over another like a strategic merge patch. */
function mergeValues(base: unknown, over: unknown, field: ApiField | undefined): unknown {
  if (over === undefined || over === null) return base;
  if (isFields(base) && isFields(over)) {
    const names = [...new Set([...Object.keys(base), ...Object.keys(over)])];
    return Object.fromEntries(
      names.map((name) => [
        name,
        mergeValues(getOwnValue(base, name), getOwnValue(over, name), field?.fields && getOwnValue(field.fields, name)),
      ]),
    );
  }
  const key = field?.merge?.key;
  if (key === undefined || !Array.isArray(base) || !Array.isArray(over)) return over;
  const overItems: readonly unknown[] = over;
  const baseItems: readonly unknown[] = base;
  const findItem = (list: readonly unknown[], item: unknown) => list.find((other) => getValueAt(other, key) === getValueAt(item, key));
  const merged = baseItems.map((item) =>
    mergeValues(item, findItem(overItems, item), { type: 'map', ...(field?.fields && { fields: field.fields }) }),
  );
  return [...merged, ...overItems.filter((item) => findItem(baseItems, item) === undefined)];
}

/** Merges a container of the service over the container of its runtime. Arguments are concatenated. */
function mergeContainer(base: unknown, over: Fields): Fields {
  const merged = mergeValues(base, over, { type: 'map', ...(CONTAINERS.fields && { fields: CONTAINERS.fields }) }) as Fields;
  const args = [...getListAt(base, 'args'), ...getListAt(over, 'args')];
  return { ...merged, ...(args.length > 0 && { args }) };
}

/**
 * Sets the pull policies of mode Standard, where KServe fills them in differently from the API server, which reads the tag of the image.
 */
export function withPullPolicies(podSpec: Fields): Fields {
  const containers = getListAt(podSpec, 'containers');
  const withPolicies = containers.map((container) =>
    isFields(container) ? { ...container, imagePullPolicy: container.imagePullPolicy || 'IfNotPresent' } : container,
  );
  return { ...podSpec, containers: withPolicies };
}

/** Builds the spec of a component's pods. `runtime` is empty if it has none. */
export function buildPodSpec(component: Fields, runtime: Fields): Fields {
  const own = getListAt(component, 'containers');
  const runtimeContainers = getListAt(runtime, 'containers');
  const findInRuntime = (container: unknown) =>
    runtimeContainers.find((other) => getValueAt(other, 'name') === getValueAt(container, 'name'));
  const merged = own.filter(isFields).map((container) => {
    const isOfModel = container.name === MODEL_CONTAINER && modelFieldOf(component) !== undefined;
    const fields = isOfModel ? pickFields(container, (name) => CONTAINER_FIELD_NAMES.has(name)) : container;
    return mergeContainer(findInRuntime(container), fields);
  });
  const others = runtimeContainers.filter((container) => !own.some((other) => getValueAt(other, 'name') === getValueAt(container, 'name')));
  const spec = mergeValues(
    pickFields(runtime, (name) => POD_FIELD_NAMES.has(name)),
    pickFields(component, (name) => POD_FIELD_NAMES.has(name)),
    {
      type: 'map',
      fields: POD_SPEC,
    },
  ) as Fields;
  return { ...spec, containers: [...merged, ...others] };
}

/** Drops the fields that Go omits: zero values that are not pointers. In mode Knative nothing fills them in. */
function dropZeroValues(value: unknown, fields: ApiFields | undefined): unknown {
  if (Array.isArray(value)) return value.map((item) => dropZeroValues(item, fields));
  if (!isFields(value) || !fields) return value;
  const nonZero = Object.entries(value).filter(([name, inner]) => getOwnValue(fields, name)?.isPointer || !ZERO_VALUES.has(inner));
  return Object.fromEntries(nonZero.map(([name, inner]) => [name, dropZeroValues(inner, getOwnValue(fields, name)?.fields)]));
}

const ZERO_VALUES: ReadonlySet<unknown> = new Set([false, 0, '']);

/** Returns a pod spec as KServe writes it into a Revision. */
export function dropZeroFields(podSpec: Fields): Fields {
  return dropZeroValues(podSpec, POD_SPEC) as Fields;
}

/** Returns the other fields of a component that affect its pods: the input of KServe's webhooks. */
export function collectWebhookInputs(component: Fields, isOmitted: (name: string) => boolean): Fields {
  const field = modelFieldOf(component);
  const model = modelOf(component) ?? {};
  return {
    component: pickFields(component, (name) => name !== field && name !== 'containers' && !POD_FIELD_NAMES.has(name) && !isOmitted(name)),
    model: pickFields(model, (name) => !CONTAINER_FIELD_NAMES.has(name) && !RUNTIME_SELECTION_FIELDS.has(name)),
  };
}

/** Returns the part of a runtime from which its workers are built, without the sizes that the service sets itself. */
export function pickRuntimeWorker(runtime: Fields, workerSpec: Fields): Fields {
  const { workerSpec: runtimeWorker } = runtime;
  return isFields(runtimeWorker)
    ? pickFields(runtimeWorker, (name) => !name.endsWith('ParallelSize') || workerSpec[name] === undefined)
    : {};
}
