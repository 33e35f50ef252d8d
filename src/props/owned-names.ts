import { WHOLE_OBJECT } from '../core/field-path';
import { findingLine } from '../core/finding';
import { groupOf } from '../core/manifest';
import { duplicateResource } from '../core/rules/duplicate-resource';
import { ownedGatewayName, ownedRouteName } from '../systems/kuberay/objects';
import { ownedNameFinding } from '../systems/kuberay/rules/operator-owned-name';

/** Name and namespace of an object. */
export interface ObjectName {
  readonly name: string;
  readonly namespace?: string;
}

/** An object of a program, and where the program has it. */
export interface PlacedObject extends ObjectName {
  readonly apiVersion: string;
  readonly kind: string;
  /** The path of its construct, or what else a message names it by. */
  readonly path: string;
}

/** A bundle of a fleet.yaml, and the GitRepo that makes it. */
export interface GitBundle extends ObjectName {
  readonly gitRepo: string;
}

function placeOf({ name, namespace = '' }: ObjectName): string {
  return `${namespace}/${name}`;
}

/** Bundles of the name and namespace that a GitRepo makes from a fleet.yaml: Fleet overwrites them. One line each. */
export function overwrittenBundleLines(objects: readonly PlacedObject[], gitBundles: readonly GitBundle[]): string[] {
  const gitRepos = new Map(gitBundles.map((bundle) => [placeOf(bundle), bundle.gitRepo]));
  return objects
    .filter((object) => groupOf(object) === 'fleet.cattle.io' && object.kind === 'Bundle')
    .flatMap(({ path, ...bundle }) => {
      const gitRepo = gitRepos.get(placeOf(bundle));
      if (gitRepo === undefined) return [];
      return [
        `${path}: the GitRepo ${gitRepo} makes a Bundle ${bundle.name} too, and Fleet overwrites this one; keep one of the two, or give ` +
          'it another name.',
      ];
    });
}

/** Gateways and HTTPRoutes that bear a name which the operator takes for its own, of a RayService that it upgrades. One line each. */
export function takenNameLines(objects: readonly PlacedObject[], rayServices: readonly ObjectName[]): string[] {
  const gateways = new Map(rayServices.map(({ name, namespace }) => [placeOf({ name: ownedGatewayName(name), namespace }), name]));
  const routes = new Map(rayServices.map(({ name, namespace }) => [placeOf({ name: ownedRouteName(name), namespace }), name]));
  const owners: Readonly<Record<string, ReadonlyMap<string, string>>> = { Gateway: gateways, HTTPRoute: routes };
  return objects
    .filter((object) => groupOf(object) === 'gateway.networking.k8s.io')
    .flatMap(({ path, kind, ...object }) => {
      const rayService = owners[kind]?.get(placeOf(object));
      return rayService === undefined ? [] : [findingLine({ ...ownedNameFinding(kind, object.name, rayService), path })];
    });
}

/** An object and what it is applied along with: two of one name in one place would be one object. */
export interface AppliedObject extends PlacedObject {
  /** What reaches a cluster by itself, such as the resources of a bundle or a stage of an upgrade; empty for the rest of the app. */
  readonly parcel: string;
}

/** Objects of one group, kind, namespace and name, of which an apply would leave the last. One line each but for the first. */
export function duplicateLines(objects: readonly AppliedObject[]): string[] {
  const first = new Map<string, AppliedObject>();
  const lines: string[] = [];
  for (const object of objects) {
    const { kind, name, namespace, parcel } = object;
    const key = JSON.stringify([parcel, groupOf(object), kind, namespace ?? '', name]);
    const other = first.get(key);
    if (other === undefined) {
      first.set(key, object);
      continue;
    }
    const resource = `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
    const data = { resource, other: other.path };
    lines.push(findingLine({ ...duplicateResource.finding('made', { path: WHOLE_OBJECT, data }), path: object.path }));
  }
  return lines;
}
