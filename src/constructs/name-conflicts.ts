import { ApiObject, Chart } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { reportDuplicateObjects, reportOverwrittenBundles, reportOperatorOwnedNames } from '../props/name-conflicts';
import { isRejectedConstruct } from './validate-props';
import type { AppliedObject, GitBundle, ObjectName, LocatedObject } from '../props/name-conflicts';

/** Names that others own, by app. */
type OwnersByApp<T> = WeakMap<IConstruct, T[]>;

const gitBundles: OwnersByApp<GitBundle> = new WeakMap();
const rayServices: OwnersByApp<ObjectName> = new WeakMap();

/** Lets synth fail where the app holds a Bundle of the name and namespace that this GitRepo of it makes from a fleet.yaml. */
export function failSynthOnGitNameConflict(construct: IConstruct, bundle: string, gitRepo: ApiObject): void {
  const { namespace } = gitRepo.metadata;
  addConflictValidation(construct, gitBundles, { name: bundle, namespace, gitRepo: gitRepo.name }, reportOverwrittenBundles);
}

/** Lets synth fail where the app holds a Gateway or an HTTPRoute that bears a name which the operator of this RayService takes for its own. */
export function failSynthOnOperatorNameConflict(construct: IConstruct, { name, metadata }: ApiObject): void {
  addConflictValidation(construct, rayServices, { name, namespace: metadata.namespace }, reportOperatorOwnedNames);
}

/**
 * Lets synth fail with what is to be said of the objects of an app and all that is owned of it.
 *
 * cdk8s runs a validation once for every chart and once more, so there is one for a whole app, which looks at each object once.
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

/** What the chart holds reaches a cluster by itself: its objects may bear the names of others in the app. */
export function markStandalone(chart: Chart): void {
  standaloneCharts.add(chart);
}

/** Lets synth fail where two objects of the app have one group, kind, namespace and name. */
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

/** An object of the app; its path is made for what is wrong alone. */
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
    applyGroup: applyGroupOf(object),
  };
}

function listApiObjects(app: IConstruct): ApiObject[] {
  // What stands in for a construct that is refused bears a name that nobody gave it.
  return app.node
    .findAll()
    .filter((construct) => ApiObject.isApiObject(construct))
    .filter(({ node }) => !isRejectedConstruct(node.scope));
}

function listAppliedObjects(app: IConstruct): AppliedObject[] {
  return listApiObjects(app).map(buildAppliedObject);
}

/**
 * Do two objects of a tree bear one name, of whatever kind, or one of those before? Where none do, nothing else is looked at:
 * cdk8s asks once a chart and once more, so no list of thousands of constructs is made to ask.
 */
function hasDuplicateName(construct: IConstruct, names: Set<string>): boolean {
  if (ApiObject.isApiObject(construct)) {
    if (names.has(construct.name)) return true;
    names.add(construct.name);
  }
  return construct.node.children.some((child) => hasDuplicateName(child, names));
}

/** Those whose name another one of the app bears as well, of whatever kind: of thousands few, and all else is asked of those alone. */
function filterSharedNames(objects: readonly ApiObject[]): ApiObject[] {
  const times = new Map<string, number>();
  for (const { name } of objects) times.set(name, (times.get(name) ?? 0) + 1);
  return objects.filter(({ name }) => times.get(name)! > 1);
}
