import { ApiObject, Chart } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { duplicateLines, overwrittenBundleLines, takenNameLines } from '../props/owned-names';
import { isRefused } from './props-check';
import type { AppliedObject, GitBundle, ObjectName, PlacedObject } from '../props/owned-names';

/** Names that others own, by app. */
type Owned<T> = WeakMap<IConstruct, T[]>;

const gitBundles: Owned<GitBundle> = new WeakMap();
const rayServices: Owned<ObjectName> = new WeakMap();

/** Lets synth fail where the app holds a Bundle of the name and namespace that this GitRepo of it makes from a fleet.yaml. */
export function refuseGitOwnedName(construct: IConstruct, bundle: string, gitRepo: ApiObject): void {
  const { namespace } = gitRepo.metadata;
  refuseOnce(construct, gitBundles, { name: bundle, namespace, gitRepo: gitRepo.name }, overwrittenBundleLines);
}

/** Lets synth fail where the app holds a Gateway or an HTTPRoute that bears a name which the operator of this RayService takes for its own. */
export function refuseOperatorOwnedNames(construct: IConstruct, { name, metadata }: ApiObject): void {
  refuseOnce(construct, rayServices, { name, namespace: metadata.namespace }, takenNameLines);
}

/**
 * Lets synth fail with what is to be said of the objects of an app and all that is owned of it.
 *
 * cdk8s runs a validation once for every chart and once more, so there is one for a whole app, which looks at each object once.
 */
function refuseOnce<T>(
  construct: IConstruct,
  owned: Owned<T>,
  name: T,
  linesOf: (objects: readonly PlacedObject[], names: readonly T[]) => string[],
): void {
  const app = construct.node.root;
  const known = owned.get(app);
  if (known) {
    known.push(name);
    return;
  }
  const names = [name];
  owned.set(app, names);
  app.node.addValidation({ validate: () => linesOf(objectsOf(app), names) });
}

const watched = new WeakSet<IConstruct>();
const parcels = new WeakSet<IConstruct>();

/** What the chart holds reaches a cluster by itself: its objects may bear the names of others in the app. */
export function standsByItself(chart: Chart): void {
  parcels.add(chart);
}

/** Lets synth fail where two objects of the app have one group, kind, namespace and name. */
export function refuseDuplicates(construct: IConstruct): void {
  const app = construct.node.root;
  if (watched.has(app)) return;
  watched.add(app);
  app.node.addValidation({
    validate: () => (bearsNameTwice(app, new Set()) ? duplicateLines(sameNamed(apiObjectsOf(app)).map(appliedObject)) : []),
  });
}

function parcelOf(object: ApiObject): string {
  const chart = Chart.of(object);
  return parcels.has(chart) ? chart.node.path : '';
}

/** An object of the app; its path is made for what is wrong alone. */
function appliedObject(object: ApiObject): AppliedObject {
  const { apiVersion, kind, name, metadata, node } = object;
  return {
    apiVersion,
    kind,
    name,
    namespace: metadata.namespace,
    get path() {
      return node.path;
    },
    parcel: parcelOf(object),
  };
}

function apiObjectsOf(app: IConstruct): ApiObject[] {
  // What stands in for a construct that is refused bears a name that nobody gave it.
  return app.node
    .findAll()
    .filter((construct) => ApiObject.isApiObject(construct))
    .filter(({ node }) => !isRefused(node.scope));
}

function objectsOf(app: IConstruct): AppliedObject[] {
  return apiObjectsOf(app).map(appliedObject);
}

/**
 * Do two objects of a tree bear one name, of whatever kind, or one of those before? Where none do, nothing else is looked at:
 * cdk8s asks once a chart and once more, so no list of thousands of constructs is made to ask.
 */
function bearsNameTwice(construct: IConstruct, names: Set<string>): boolean {
  if (ApiObject.isApiObject(construct)) {
    if (names.has(construct.name)) return true;
    names.add(construct.name);
  }
  return construct.node.children.some((child) => bearsNameTwice(child, names));
}

/** Those whose name another one of the app bears as well, of whatever kind: of thousands few, and all else is asked of those alone. */
function sameNamed(objects: readonly ApiObject[]): ApiObject[] {
  const times = new Map<string, number>();
  for (const { name } of objects) times.set(name, (times.get(name) ?? 0) + 1);
  return objects.filter(({ name }) => times.get(name)! > 1);
}
