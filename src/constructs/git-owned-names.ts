import { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';

/** A bundle of an app: the Bundle itself, or the GitRepo that will make one of this name from a fleet.yaml. */
export interface NamedBundle {
  readonly name: string;
  readonly object: ApiObject;
}

const gitOwned = new WeakMap<IConstruct, NamedBundle[]>();

/**
 * Lets synth fail where the app holds a Bundle of the name and namespace that a GitRepo of it makes from a fleet.yaml: Fleet overwrites it.
 *
 * cdk8s runs a validation once for every chart and once more, so there is one for a whole app.
 */
export function refuseGitOwnedNames(construct: IConstruct, bundle: NamedBundle): void {
  if (bundle.object.kind !== 'GitRepo') return;
  const app = construct.node.root;
  const known = gitOwned.get(app);
  if (known) {
    known.push(bundle);
    return;
  }
  const bundles = [bundle];
  gitOwned.set(app, bundles);
  app.node.addValidation({ validate: () => overwrittenLines(app, bundles) });
}

function overwrittenLines(app: IConstruct, owned: readonly NamedBundle[]): string[] {
  const ownerOf = new Map(owned.map(({ name, object }) => [placeOf(object, name), object.name]));
  return app.node.findAll().flatMap((object) => {
    if (!ApiObject.isApiObject(object) || object.apiGroup !== 'fleet.cattle.io' || object.kind !== 'Bundle') return [];
    const gitRepo = ownerOf.get(placeOf(object, object.name));
    if (gitRepo === undefined) return [];
    return [
      `${object.node.path}: the GitRepo ${gitRepo} makes a Bundle ${object.name} too, and Fleet overwrites this one; keep one of the ` +
        `two, or give it another name.`,
    ];
  });
}

function placeOf(object: ApiObject, name: string): string {
  return `${object.metadata.namespace ?? ''}/${name}`;
}
