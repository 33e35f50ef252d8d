import { isFields, getListAt, getValueAt, getOwnValue } from '../../core/manifest';
import type { Fields } from '../../core/manifest';
import type { ApiField, ApiFields } from '../../workloads/pod/field';
import { POD_SPEC } from '../../workloads/pod/pod-spec';
import { CONTAINER_FIELDS, POD_FIELDS } from './passthrough-fields';
import { MODEL_CONTAINER, modelFieldOf, modelOf } from './service';

/* The pods that KServe makes of a component and its serving runtime, before its webhook adds to them. Source: KServe v0.17.0, components/predictor.go
 * (`buildPodSpec`), inferenceservice/utils/utils.go (`MergeRuntimeContainers`, `MergePodSpec`), deployment_reconciler.go (`setDefaultPodSpec`). */

const POD_FIELD_NAMES: ReadonlySet<string> = new Set(POD_FIELDS);
const CONTAINER_FIELD_NAMES: ReadonlySet<string> = new Set([...CONTAINER_FIELDS, 'name', 'image', 'env', 'resources']);

/** What of a model chooses its runtime, and reaches no pod. */
const RUNTIME_SELECTION_FIELDS: ReadonlySet<string> = new Set(['modelFormat', 'runtime', 'protocolVersion']);

const CONTAINERS: ApiField = POD_SPEC.containers;

function pickFields(fields: Fields, isPicked: (name: string) => boolean): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name, value]) => value !== null && value !== undefined && isPicked(name)));
}

/** A value over another, as a strategic merge patch leaves it. */
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
  const own: readonly unknown[] = over;
  const below: readonly unknown[] = base;
  const itemOf = (list: readonly unknown[], item: unknown) => list.find((other) => getValueAt(other, key) === getValueAt(item, key));
  const merged = below.map((item) => mergeValues(item, itemOf(own, item), { type: 'map', ...(field?.fields && { fields: field.fields }) }));
  return [...merged, ...own.filter((item) => itemOf(below, item) === undefined)];
}

/** A container of the service over that of its runtime; arguments follow one another. */
function mergeContainer(base: unknown, over: Fields): Fields {
  const merged = mergeValues(base, over, { type: 'map', ...(CONTAINERS.fields && { fields: CONTAINERS.fields }) }) as Fields;
  const args = [...getListAt(base, 'args'), ...getListAt(over, 'args')];
  return { ...merged, ...(args.length > 0 && { args }) };
}

/** Of mode Standard: what KServe fills in otherwise than the API server, which looks at the tag of the image. */
export function withPullPolicies(podSpec: Fields): Fields {
  const containers = getListAt(podSpec, 'containers');
  const pulled = containers.map((one) => (isFields(one) ? { ...one, imagePullPolicy: one.imagePullPolicy || 'IfNotPresent' } : one));
  return { ...podSpec, containers: pulled };
}

/** The spec of a component's pods. `runtime` is empty where it has none. */
export function buildPodSpec(component: Fields, runtime: Fields): Fields {
  const own = getListAt(component, 'containers');
  const runtimeContainers = getListAt(runtime, 'containers');
  const below = (container: unknown) => runtimeContainers.find((other) => getValueAt(other, 'name') === getValueAt(container, 'name'));
  const merged = own.filter(isFields).map((container) => {
    const isOfModel = container.name === MODEL_CONTAINER && modelFieldOf(component) !== undefined;
    const fields = isOfModel ? pickFields(container, (name) => CONTAINER_FIELD_NAMES.has(name)) : container;
    return mergeContainer(below(container), fields);
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

/** The fields of a map without those that Go leaves out: empty ones that are no pointers. Of mode Knative nobody fills them in. */
function dropZeroValues(value: unknown, fields: ApiFields | undefined): unknown {
  if (Array.isArray(value)) return value.map((item) => dropZeroValues(item, fields));
  if (!isFields(value) || !fields) return value;
  const nonZero = Object.entries(value).filter(([name, inner]) => getOwnValue(fields, name)?.isPointer || !ZERO_VALUES.has(inner));
  return Object.fromEntries(nonZero.map(([name, inner]) => [name, dropZeroValues(inner, getOwnValue(fields, name)?.fields)]));
}

const ZERO_VALUES: ReadonlySet<unknown> = new Set([false, 0, '']);

/** A pod spec as KServe writes it into a Revision. */
export function dropZeroFields(podSpec: Fields): Fields {
  return dropZeroValues(podSpec, POD_SPEC) as Fields;
}

/** What else of a component decides its pods: what KServe's webhooks add by. */
export function collectWebhookInputs(component: Fields, isOmitted: (name: string) => boolean): Fields {
  const field = modelFieldOf(component);
  const model = modelOf(component) ?? {};
  return {
    component: pickFields(component, (name) => name !== field && name !== 'containers' && !POD_FIELD_NAMES.has(name) && !isOmitted(name)),
    model: pickFields(model, (name) => !CONTAINER_FIELD_NAMES.has(name) && !RUNTIME_SELECTION_FIELDS.has(name)),
  };
}

/** What of a runtime its workers are made of, below the sizes that the service says itself. */
export function pickRuntimeWorker(runtime: Fields, workerSpec: Fields): Fields {
  const { workerSpec: own } = runtime;
  return isFields(own) ? pickFields(own, (name) => !name.endsWith('ParallelSize') || workerSpec[name] === undefined) : {};
}
