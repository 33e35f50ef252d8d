import { ROOT_PATH } from '../core/manifest/field-path';
import { formatFindingLine } from '../core/findings/finding';
import { groupOf } from '../core/manifest/manifest';
import { duplicateResource } from '../core/rules/duplicate-resource';
import { operatorGatewayNameOf, operatorRouteNameOf } from '../systems/kuberay/objects';
import { createOwnedNameFinding } from '../systems/kuberay/rules/operator-owned-name';

/** Name and namespace of an object. */
export interface ObjectName {
  readonly name: string;
  readonly namespace?: string;
}

/** An object of a program, and its location in the program. */
export interface LocatedObject extends ObjectName {
  readonly apiVersion: string;
  readonly kind: string;
  /** Path of its construct, or another name for messages. */
  readonly path: string;
  /** Line of the program that creates it. @default - unknown */
  readonly callSite?: string;
}

/** A bundle of a fleet.yaml, and the GitRepo that creates it. */
export interface GitBundle extends ObjectName {
  readonly gitRepo: string;
}

function nameKeyOf({ name, namespace = '' }: ObjectName): string {
  return `${namespace}/${name}`;
}

/** Appends the line of the program that creates an object. */
function appendPlace(line: string, { callSite }: LocatedObject): string {
  return callSite === undefined ? line : `${line} (created at ${callSite})`;
}

/** Reports Bundles with the name and namespace of one that a GitRepo creates from a fleet.yaml: Fleet overwrites them. Returns one line each. */
export function reportOverwrittenBundles(objects: readonly LocatedObject[], gitBundles: readonly GitBundle[]): string[] {
  const gitRepos = new Map(gitBundles.map((bundle) => [nameKeyOf(bundle), bundle.gitRepo]));
  return objects
    .filter((object) => groupOf(object) === 'fleet.cattle.io' && object.kind === 'Bundle')
    .flatMap((bundle) => {
      const gitRepo = gitRepos.get(nameKeyOf(bundle));
      if (gitRepo === undefined) return [];
      const line =
        `${bundle.path}: the GitRepo ${gitRepo} also creates a Bundle ${bundle.name}, and Fleet overwrites this one; remove one of the two, or ` +
        'rename it.';
      return [appendPlace(line, bundle)];
    });
}

/** Reports Gateways and HTTPRoutes with a name that the operator uses for a RayService that it upgrades. Returns one line each. */
export function reportOperatorOwnedNames(objects: readonly LocatedObject[], rayServices: readonly ObjectName[]): string[] {
  const gateways = new Map(rayServices.map(({ name, namespace }) => [nameKeyOf({ name: operatorGatewayNameOf(name), namespace }), name]));
  const routes = new Map(rayServices.map(({ name, namespace }) => [nameKeyOf({ name: operatorRouteNameOf(name), namespace }), name]));
  const ownersByKind: Readonly<Record<string, ReadonlyMap<string, string>>> = { Gateway: gateways, HTTPRoute: routes };
  return objects
    .filter((object) => groupOf(object) === 'gateway.networking.k8s.io')
    .flatMap((object) => {
      const { path, kind, name } = object;
      const rayService = ownersByKind[kind]?.get(nameKeyOf(object));
      if (rayService === undefined) return [];
      return [appendPlace(formatFindingLine({ ...createOwnedNameFinding(kind, name, rayService), path }), object)];
    });
}

/** An object and its apply group. Two objects with the same name in one group would be one object. */
export interface AppliedObject extends LocatedObject {
  /** What is applied separately, such as the resources of a bundle or a stage of an upgrade. Empty for the rest of the app. */
  readonly applyGroup: string;
}

function formatPlace({ path, callSite }: LocatedObject): string {
  return callSite === undefined ? path : `${path} (${callSite})`;
}

/** Reports objects with the same group, kind, namespace and name: an apply keeps only the last. Returns one line each, except for the first. */
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
    const data = { resource, constructPath: formatPlace(other) };
    const line = formatFindingLine({ ...duplicateResource.createFinding('madeByConstruct', { path: ROOT_PATH, data }), path: object.path });
    lines.push(appendPlace(line, object));
  }
  return lines;
}
