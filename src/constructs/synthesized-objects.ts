import { ApiObject, Chart, DependencyGraph } from 'cdk8s';
import type { App } from 'cdk8s';
import { getValueAt } from '../core/manifest/manifest';
import type { UnplannedKind } from '../core/document/plan-document';
import { normalizeObjects } from '../input/normalize-objects';
import type { ObjectSource } from '../plan/disambiguate-names';
import type { PlanInput } from '../plan/plan-input';
import { locateField } from './call-sites';
import { isStandalone } from './name-conflicts';
import { hasRefusedProps } from './validate-props';

/** Returns the lists in which a cdk8s-plus workload collects the scheduling of its pods. */
function getSchedulingLists(object: ApiObject): unknown[][] {
  const scheduling = getValueAt(object.node.scope, 'scheduling');
  return scheduling instanceof Object ? Object.values(scheduling).filter((value): value is unknown[] => Array.isArray(value)) : [];
}

/**
 * Renders an object as synth will write it, patches included.
 *
 * cdk8s-plus adds the `spread` of a workload to its scheduling each time it is rendered (`Workload._toPodSpec`, cdk8s-plus-28 2.5).
 * The lists are restored, so that synth does not write it twice.
 */
export function renderObject(object: ApiObject): unknown {
  const lists = getSchedulingLists(object).map((list) => ({ list, length: list.length }));
  const manifest: unknown = object.toJson();
  for (const { list, length } of lists) list.length = length;
  return manifest;
}

/** Objects that a refused policy was applied to. Their own strategy is not the one that was asked for. */
const OBJECTS_OF_REFUSED_POLICIES = new WeakSet<ApiObject>();

/** Leaves an object out of plans, because a policy that was applied to it is refused. */
export function markPolicyAsRefused(object: ApiObject): void {
  OBJECTS_OF_REFUSED_POLICIES.add(object);
}

function isRejected(object: ApiObject): boolean {
  return OBJECTS_OF_REFUSED_POLICIES.has(object) || object.node.scopes.some(hasRefusedProps);
}

function explainRejection(object: ApiObject): string {
  const { path } = object.node;
  const refused = OBJECTS_OF_REFUSED_POLICIES.has(object) ? `the policy of ${path} is` : `the props of ${object.node.scope!.node.path} are`;
  return `${refused} refused, so the others are planned without it; app.synth() says why`;
}

function listChartObjects(chart: Chart): ApiObject[] {
  return new DependencyGraph(chart.node)
    .topology()
    .filter((child) => ApiObject.isApiObject(child))
    .filter((object) => Chart.of(object) === chart);
}

/** Returns the source of a chart that is applied separately, so that its objects may have the same names as others. */
function sourceOf(chart: Chart): ObjectSource | undefined {
  const { path } = chart.node;
  return isStandalone(chart) ? { file: path, unit: { id: path, name: path, hasMarkerFile: false, isNamedInput: true } } : undefined;
}

/**
 * Renders the objects of an app as synth will write them, chart by chart in its order. Nothing is validated, and the app is not changed.
 *
 * Objects of constructs with refused props, and those whose policy is refused, are left out, because the synth never writes them.
 */
export function readAppInput(app: App): PlanInput {
  const sources = new WeakMap<object, ObjectSource>();
  const constructs = new WeakMap<object, ApiObject>();
  const inputs = app.charts.map((chart) => {
    const objects = listChartObjects(chart).filter((object) => !isRejected(object));
    const input = normalizeObjects(objects.map(renderObject));
    // A list becomes its items, so that the numbers differ. No construct of this package writes one.
    if (input.objects.length === objects.length) input.objects.forEach((object, index) => constructs.set(object, objects[index]!));
    const source = sourceOf(chart);
    if (source) for (const object of input.objects) sources.set(object, source);
    return input;
  });
  return {
    objects: inputs.flatMap(({ objects }) => objects),
    findings: inputs.flatMap(({ findings }) => findings),
    textOf: (object) => sources.get(object),
    locate: (object, path) => {
      const construct = constructs.get(object);
      return construct && locateField(construct, path);
    },
  };
}

/** Lists the objects that `readAppInput` leaves out, for the plan. */
export function listRejectedObjects(app: App): UnplannedKind[] {
  return app.charts
    .flatMap(listChartObjects)
    .filter(isRejected)
    .map((object) => ({ apiVersion: object.apiVersion, kind: object.kind, count: 1, reason: explainRejection(object) }));
}
