import { ApiObject, Chart, DependencyGraph } from 'cdk8s';
import type { App } from 'cdk8s';
import { getValueAt } from '../core/manifest';
import type { UnplannedKind } from '../core/plan-document';
import { isRejectedConstruct } from './validate-props';

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
function renderObject(object: ApiObject): unknown {
  const lists = getSchedulingLists(object).map((list) => ({ list, length: list.length }));
  const manifest: unknown = object.toJson();
  for (const { list, length } of lists) list.length = length;
  return manifest;
}

function isRejected(object: ApiObject): boolean {
  return object.node.scopes.some(isRejectedConstruct);
}

function listAppObjects(app: App): ApiObject[] {
  return app.charts.flatMap((chart) =>
    new DependencyGraph(chart.node)
      .topology()
      .filter((child) => ApiObject.isApiObject(child))
      .filter((object) => Chart.of(object) === chart),
  );
}

/**
 * Renders the objects of an app as synth will write them, chart by chart in its order. Nothing is validated, and the app is not changed.
 *
 * The bare objects of constructs with rejected props are left out, because the synth never writes them.
 */
export function renderAppObjects(app: App): unknown[] {
  return listAppObjects(app)
    .filter((object) => !isRejected(object))
    .map(renderObject);
}

/** Lists the objects that `renderAppObjects` leaves out, for the plan. */
export function listRejectedObjects(app: App): UnplannedKind[] {
  return listAppObjects(app)
    .filter(isRejected)
    .map(({ apiVersion, kind, node }) => ({
      apiVersion,
      kind,
      count: 1,
      reason: `the props of ${node.scope!.node.path} are refused; app.synth() says why`,
    }));
}
