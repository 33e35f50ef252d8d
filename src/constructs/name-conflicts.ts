import { ApiObject, Chart } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { reportDuplicateObjects, reportOverwrittenBundles, reportOperatorOwnedNames } from '../props/name-conflicts';
import { callSiteOf } from './call-sites';
import { isRejectedConstruct } from './validate-props';
import type { AppliedObject, GitBundle, ObjectName, LocatedObject } from '../props/name-conflicts';

/** Names owned by others, by app. */
type OwnersByApp<T> = WeakMap<IConstruct, T[]>;

const gitBundles: OwnersByApp<GitBundle> = new WeakMap();
const rayServices: OwnersByApp<ObjectName> = new WeakMap();

/** Makes synth fail if the app has a Bundle with the name and namespace of the one that its GitRepo creates from a fleet.yaml. */
export function failSynthOnGitNameConflict(construct: IConstruct, bundle: string, gitRepo: ApiObject): void {
  const { namespace } = gitRepo.metadata;
  addConflictValidation(construct, gitBundles, { name: bundle, namespace, gitRepo: gitRepo.name }, reportOverwrittenBundles);
}

/** Makes synth fail if the app has a Gateway or an HTTPRoute with a name that the operator of this RayService uses. */
export function failSynthOnOperatorNameConflict(construct: IConstruct, { name, metadata }: ApiObject): void {
  addConflictValidation(construct, rayServices, { name, namespace: metadata.namespace }, reportOperatorOwnedNames);
}

/**
 * Makes synth fail with the conflicts between the objects of an app and the names that others own.
 *
 * cdk8s runs a validation once per chart and once more, so there is one for the entire app, which reads each object once.
 */
function addConflictValidation<T>(
  construct: IConstruct,
  ownersByApp: OwnersByApp<T>,
  name: T,
  linesOf: (objects: readonly LocatedObject[], names: readonly T[]) => string[],
): void {
  const app = construct.node.root;
  const registered = ownersByApp.get(app);
  if (registered) {
    registered.push(name);
    return;
  }
  const names = [name];
  ownersByApp.set(app, names);
  app.node.addValidation({ validate: () => linesOf(listAppliedObjects(app), names) });
}

const validatedApps = new WeakSet<IConstruct>();
const standaloneCharts = new WeakSet<IConstruct>();

/** Marks a chart that is applied separately, so that its objects may have the same names as others in the app. */
export function markStandalone(chart: Chart): void {
  standaloneCharts.add(chart);
}

/** Reports whether a chart is applied separately. */
export function isStandalone(chart: Chart): boolean {
  return standaloneCharts.has(chart);
}

/** Makes synth fail if two objects of the app have the same group, kind, namespace and name. */
export function failSynthOnDuplicates(construct: IConstruct): void {
  const app = construct.node.root;
  if (validatedApps.has(app)) return;
  validatedApps.add(app);
  app.node.addValidation({
    validate: () =>
      hasDuplicateName(app, new Set()) ? reportDuplicateObjects(filterSharedNames(listApiObjects(app)).map(buildAppliedObject)) : [],
  });
}

function applyGroupOf(object: ApiObject): string {
  const chart = Chart.of(object);
  return standaloneCharts.has(chart) ? chart.node.path : '';
}

/** Builds an object of the app. Its path and call site are computed lazily, because only errors need them. */
function buildAppliedObject(object: ApiObject): AppliedObject {
  const { apiVersion, kind, name, metadata, node } = object;
  return {
    apiVersion,
    kind,
    name,
    namespace: metadata.namespace,
    get path() {
      return node.path;
    },
    get callSite() {
      return callSiteOf(object);
    },
    applyGroup: applyGroupOf(object),
  };
}

function listApiObjects(app: IConstruct): ApiObject[] {
  // The fallback object of a rejected construct does not have the name that the user intended.
  return app.node
    .findAll()
    .filter((construct) => ApiObject.isApiObject(construct))
    .filter(({ node }) => !isRejectedConstruct(node.scope));
}

function listAppliedObjects(app: IConstruct): AppliedObject[] {
  return listApiObjects(app).map(buildAppliedObject);
}

/**
 * Reports whether two objects of a tree have the same name, of any kind. If none do, nothing else is checked.
 *
 * cdk8s runs this once per chart and once more, so it does not build a list of thousands of constructs.
 */
function hasDuplicateName(construct: IConstruct, names: Set<string>): boolean {
  if (ApiObject.isApiObject(construct)) {
    if (names.has(construct.name)) return true;
    names.add(construct.name);
  }
  return construct.node.children.some((child) => hasDuplicateName(child, names));
}

/** Returns the few objects whose name is shared with another object of any kind, so that only those are checked further. */
function filterSharedNames(objects: readonly ApiObject[]): ApiObject[] {
  const times = new Map<string, number>();
  for (const { name } of objects) times.set(name, (times.get(name) ?? 0) + 1);
  return objects.filter(({ name }) => times.get(name)! > 1);
}
