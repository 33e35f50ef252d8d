import { ROOT_PATH } from '../core/field-path';
import { formatFindingLine } from '../core/finding';
import { groupOf } from '../core/manifest';
import { duplicateResource } from '../core/rules/duplicate-resource';
import { operatorGatewayNameOf, operatorRouteNameOf } from '../systems/kuberay/objects';
import { createOwnedNameFinding } from '../systems/kuberay/rules/operator-owned-name';

/** Name and namespace of an object. */
export interface ObjectName {
  readonly name: string;
  readonly namespace?: string;
}

/** An object of a program, and where the program has it. */
export interface LocatedObject extends ObjectName {
  readonly apiVersion: string;
  readonly kind: string;
  /** The path of its construct, or what else a message names it by. */
  readonly path: string;
}

/** A bundle of a fleet.yaml, and the GitRepo that makes it. */
export interface GitBundle extends ObjectName {
  readonly gitRepo: string;
}

function nameKeyOf({ name, namespace = '' }: ObjectName): string {
  return `${namespace}/${name}`;
}

/** Bundles of the name and namespace that a GitRepo makes from a fleet.yaml: Fleet overwrites them. One line each. */
export function reportOverwrittenBundles(objects: readonly LocatedObject[], gitBundles: readonly GitBundle[]): string[] {
  const gitRepos = new Map(gitBundles.map((bundle) => [nameKeyOf(bundle), bundle.gitRepo]));
  return objects
    .filter((object) => groupOf(object) === 'fleet.cattle.io' && object.kind === 'Bundle')
    .flatMap(({ path, ...bundle }) => {
      const gitRepo = gitRepos.get(nameKeyOf(bundle));
      if (gitRepo === undefined) return [];
      return [
        `${path}: the GitRepo ${gitRepo} makes a Bundle ${bundle.name} too, and Fleet overwrites this one; keep one of the two, or give ` +
          'it another name.',
      ];
    });
}

/** Gateways and HTTPRoutes that bear a name which the operator takes for its own, of a RayService that it upgrades. One line each. */
export function reportOperatorOwnedNames(objects: readonly LocatedObject[], rayServices: readonly ObjectName[]): string[] {
  const gateways = new Map(rayServices.map(({ name, namespace }) => [nameKeyOf({ name: operatorGatewayNameOf(name), namespace }), name]));
  const routes = new Map(rayServices.map(({ name, namespace }) => [nameKeyOf({ name: operatorRouteNameOf(name), namespace }), name]));
  const ownersByKind: Readonly<Record<string, ReadonlyMap<string, string>>> = { Gateway: gateways, HTTPRoute: routes };
  return objects
    .filter((object) => groupOf(object) === 'gateway.networking.k8s.io')
    .flatMap(({ path, kind, ...object }) => {
      const rayService = ownersByKind[kind]?.get(nameKeyOf(object));
      return rayService === undefined ? [] : [formatFindingLine({ ...createOwnedNameFinding(kind, object.name, rayService), path })];
    });
}

/** An object and what it is applied along with: two of one name in one place would be one object. */
export interface AppliedObject extends LocatedObject {
  /** What reaches a cluster by itself, such as the resources of a bundle or a stage of an upgrade; empty for the rest of the app. */
  readonly applyGroup: string;
}

/** Objects of one group, kind, namespace and name, of which an apply would leave the last. One line each but for the first. */
export function reportDuplicateObjects(objects: readonly AppliedObject[]): string[] {
  const firstByKey = new Map<string, AppliedObject>();
  const lines: string[] = [];
  for (const object of objects) {
    const { kind, name, namespace, applyGroup } = object;
    const key = JSON.stringify([applyGroup, groupOf(object), kind, namespace ?? '', name]);
    const other = firstByKey.get(key);
    if (other === undefined) {
      firstByKey.set(key, object);
      continue;
    }
    const resource = `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
    const data = { resource, constructPath: other.path };
    lines.push(formatFindingLine({ ...duplicateResource.createFinding('madeByConstruct', { path: ROOT_PATH, data }), path: object.path }));
  }
  return lines;
}
