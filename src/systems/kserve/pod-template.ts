import { isFields, listAt, valueAt, ownValue } from '../../core/manifest';
import type { Fields } from '../../core/manifest';
import type { ApiField, ApiFields } from '../../workloads/pod/field';
import { POD_SPEC } from '../../workloads/pod/pod-spec';
import { CONTAINER_FIELDS, POD_FIELDS } from './open-fields';
import { MODEL_CONTAINER, modelFieldOf, modelOf } from './service';

/* The pods that KServe makes of a component and its serving runtime, before its webhook adds to them. Source: KServe v0.17.0, components/predictor.go
 * (`buildPodSpec`), inferenceservice/utils/utils.go (`MergeRuntimeContainers`, `MergePodSpec`), deployment_reconciler.go (`setDefaultPodSpec`). */

const OF_PODS: ReadonlySet<string> = new Set(POD_FIELDS);
const OF_CONTAINERS: ReadonlySet<string> = new Set([...CONTAINER_FIELDS, 'name', 'image', 'env', 'resources']);

/** What of a model chooses its runtime, and reaches no pod. */
const CHOOSES_RUNTIME: ReadonlySet<string> = new Set(['modelFormat', 'runtime', 'protocolVersion']);

const CONTAINERS: ApiField = POD_SPEC.containers;

function picked(fields: Fields, isPicked: (name: string) => boolean): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name, value]) => value !== null && value !== undefined && isPicked(name)));
}

/** A value over another, as a strategic merge patch leaves it. */
function mergedOver(base: unknown, over: unknown, field: ApiField | undefined): unknown {
  if (over === undefined || over === null) return base;
  if (isFields(base) && isFields(over)) {
    const names = [...new Set([...Object.keys(base), ...Object.keys(over)])];
    return Object.fromEntries(
      names.map((name) => [name, mergedOver(ownValue(base, name), ownValue(over, name), field?.fields && ownValue(field.fields, name))]),
    );
  }
  const key = field?.merge?.key;
  if (key === undefined || !Array.isArray(base) || !Array.isArray(over)) return over;
  const own: readonly unknown[] = over;
  const below: readonly unknown[] = base;
  const itemOf = (list: readonly unknown[], item: unknown) => list.find((other) => valueAt(other, key) === valueAt(item, key));
  const merged = below.map((item) => mergedOver(item, itemOf(own, item), { type: 'map', ...(field?.fields && { fields: field.fields }) }));
  return [...merged, ...own.filter((item) => itemOf(below, item) === undefined)];
}

/** A container of the service over that of its runtime; arguments follow one another. */
function mergedContainer(base: unknown, over: Fields): Fields {
  const merged = mergedOver(base, over, { type: 'map', ...(CONTAINERS.fields && { fields: CONTAINERS.fields }) }) as Fields;
  const args = [...listAt(base, 'args'), ...listAt(over, 'args')];
  return { ...merged, ...(args.length > 0 && { args }) };
}

/** Of mode Standard: what KServe fills in otherwise than the API server, which looks at the tag of the image. */
export function withPullPolicies(podSpec: Fields): Fields {
  const containers = listAt(podSpec, 'containers');
  const pulled = containers.map((one) => (isFields(one) ? { ...one, imagePullPolicy: one.imagePullPolicy || 'IfNotPresent' } : one));
  return { ...podSpec, containers: pulled };
}

/** The spec of a component's pods. `runtime` is empty where it has none. */
export function podSpecOf(component: Fields, runtime: Fields): Fields {
  const own = listAt(component, 'containers');
  const ofRuntime = listAt(runtime, 'containers');
  const below = (container: unknown) => ofRuntime.find((other) => valueAt(other, 'name') === valueAt(container, 'name'));
  const merged = own.filter(isFields).map((container) => {
    const isOfModel = container.name === MODEL_CONTAINER && modelFieldOf(component) !== undefined;
    const fields = isOfModel ? picked(container, (name) => OF_CONTAINERS.has(name)) : container;
    return mergedContainer(below(container), fields);
  });
  const others = ofRuntime.filter((container) => !own.some((other) => valueAt(other, 'name') === valueAt(container, 'name')));
  const spec = mergedOver(
    picked(runtime, (name) => OF_PODS.has(name)),
    picked(component, (name) => OF_PODS.has(name)),
    {
      type: 'map',
      fields: POD_SPEC,
    },
  ) as Fields;
  return { ...spec, containers: [...merged, ...others] };
}

/** The fields of a map without those that Go leaves out: empty ones that are no pointers. Of mode Knative nobody fills them in. */
function withoutZerosIn(value: unknown, fields: ApiFields | undefined): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutZerosIn(item, fields));
  if (!isFields(value) || !fields) return value;
  const kept = Object.entries(value).filter(([name, inner]) => ownValue(fields, name)?.isPointer || !ZEROS.has(inner));
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutZerosIn(inner, ownValue(fields, name)?.fields)]));
}

const ZEROS: ReadonlySet<unknown> = new Set([false, 0, '']);

/** A pod spec as KServe writes it into a Revision. */
export function withoutZeros(podSpec: Fields): Fields {
  return withoutZerosIn(podSpec, POD_SPEC) as Fields;
}

/** What else of a component decides its pods: what KServe's webhooks add by. */
export function addedBy(component: Fields, isLeftOut: (name: string) => boolean): Fields {
  const field = modelFieldOf(component);
  const model = modelOf(component) ?? {};
  return {
    component: picked(component, (name) => name !== field && name !== 'containers' && !OF_PODS.has(name) && !isLeftOut(name)),
    model: picked(model, (name) => !OF_CONTAINERS.has(name) && !CHOOSES_RUNTIME.has(name)),
  };
}

/** What of a runtime its workers are made of, below the sizes that the service says itself. */
export function workerOfRuntime(runtime: Fields, workerSpec: Fields): Fields {
  const { workerSpec: own } = runtime;
  return isFields(own) ? picked(own, (name) => !name.endsWith('ParallelSize') || workerSpec[name] === undefined) : {};
}
