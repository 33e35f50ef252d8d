import { ApiObject, Chart, DependencyGraph } from 'cdk8s';
import type { App } from 'cdk8s';
import { getValueAt } from '../core/manifest';

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

/** Renders the objects of an app as synth will write them, chart by chart in its order. Nothing is validated, and the app is not changed. */
export function renderAppObjects(app: App): unknown[] {
  return app.charts.flatMap((chart) =>
    new DependencyGraph(chart.node)
      .topology()
      .filter((child) => ApiObject.isApiObject(child))
      .filter((object) => Chart.of(object) === chart)
      .map(renderObject),
  );
}
