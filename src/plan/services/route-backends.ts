import { addToGroup } from '../../core/collections/group-by';
import { groupOf, nameOf, namespaceOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import type { Finding } from '../../core/findings/finding';
import type { ResourceRef } from '../../core/document/rollout';
import type { ServicePlan } from '../../core/document/service-plan';
import type { PlanContext } from '../../cluster/context/context';
import { CONTEXT_KINDS, ROUTE_KINDS } from '../../cluster/kinds/context-kinds';
import { listBackends } from '../../cluster/services/backends';
import type { Backend } from '../../cluster/services/backends';
import { checkBackendMissing, checkBackendPort } from '../../cluster/services/rules/backend-missing';
import type { ServiceVersions } from '../../cluster/services/service-plan';
import type { AppliedChange } from '../plan-input';
import type { UnitRollout } from '../plan-objects';
import { listRolloutsIfPlanned } from '../isolate-objects';
import { deduplicateResources, resourceOf } from '../resource-refs';

/** Returns a Service before and after an apply. */
export function versionsOf(service: Manifest, change: AppliedChange | undefined): ServiceVersions {
  if (!change) return { old: service, next: service };
  const old = change.oldOf(service);
  return { ...(old && { old }), next: service };
}

/** A Service by its namespace and name. */
export function serviceKeyOf(namespace: string, name: string): string {
  return JSON.stringify([namespace, name]);
}

/** A backend of a route. */
interface RouteBackend {
  readonly route: Manifest;
  readonly backend: Backend;
}

/** Lists the backends of all routes, by the Service that they name. */
export function groupBackends(context: PlanContext): ReadonlyMap<string, readonly RouteBackend[]> {
  const byService = new Map<string, RouteBackend[]>();
  const routes = Object.values(ROUTE_KINDS).flatMap((kind) => context.all(kind));
  for (const route of routes) {
    for (const backend of listBackends(route)) {
      const key = serviceKeyOf(backend.namespace, backend.name);
      addToGroup(byService, key, { route, backend });
    }
  }
  return byService;
}

/** Lists each route once, in order. */
export function listRoutes(backends: readonly RouteBackend[] | undefined): ResourceRef[] {
  return [...new Set(backends?.map(({ route }) => route))].map(resourceOf);
}

/** Adds the routes of the user to those of the controller. */
export function addRoutes(plan: ServicePlan, backends: ReadonlyMap<string, readonly RouteBackend[]>): ServicePlan {
  const { resource, usedBy = [], ...others } = plan;
  const routes = [...usedBy, ...listRoutes(backends.get(serviceKeyOf(resource.namespace ?? '', resource.name)))];
  return routes.length === 0 ? plan : { ...others, resource, usedBy: deduplicateResources(routes) };
}

/** Lists the Services that controllers create for the objects of a unit, by `serviceKeyOf`. */
export function listCreatedServices(planned: readonly UnitRollout[]): ReadonlySet<string> {
  return new Set(
    planned.flatMap(({ object, rollout: { createdService } }) =>
      createdService === undefined ? [] : [serviceKeyOf(namespaceOf(object) ?? '', createdService)],
    ),
  );
}

/** Lists the Services that controllers delete with their objects. */
function listDeletedServices({ deleted, oldContext }: AppliedChange): { readonly old: Manifest; readonly owner: Manifest }[] {
  return deleted.flatMap((owner) =>
    listRolloutsIfPlanned(owner, oldContext).flatMap(({ createdService: name }) => {
      const namespace = namespaceOf(owner);
      if (name === undefined) return [];
      return [{ old: { apiVersion: 'v1', kind: 'Service', metadata: { name, ...(namespace !== undefined && { namespace }) } }, owner }];
    }),
  );
}

/** Reports routes that name a Service that is deleted, or a port that it loses or that a changed route names although it does not exist. */
export function checkBackends(
  backends: ReadonlyMap<string, readonly RouteBackend[]>,
  services: readonly Manifest[],
  created: ReadonlySet<string>,
  change: AppliedChange,
  context: PlanContext,
): Finding[] {
  const locate = (object: object, path: string) => context.locate(object, path);
  const deleted = change.deleted.filter((object) => object.kind === CONTEXT_KINDS.service.kind && groupOf(object) === '');
  const existing = new Set([...created, ...services.map((service) => serviceKeyOf(namespaceOf(service) ?? '', nameOf(service)))]);
  const changes = [
    ...deleted.map((old) => ({ old, next: undefined })),
    ...listDeletedServices(change)
      .filter(({ old }) => !existing.has(serviceKeyOf(namespaceOf(old) ?? '', nameOf(old))))
      .map((one) => ({ ...one, next: undefined })),
    ...services.flatMap((service) => {
      const versions = versionsOf(service, change);
      return versions.old && versions.old !== versions.next ? [{ old: versions.old, next: versions.next }] : [];
    }),
  ];
  const backendsOf = (service: Manifest) => backends.get(serviceKeyOf(namespaceOf(service) ?? '', nameOf(service))) ?? [];
  return [
    ...changes.flatMap((versions) =>
      backendsOf(versions.old).flatMap(({ route, backend }) => checkBackendMissing(route, backend, versions, locate)),
    ),
    ...services.flatMap((service) =>
      backendsOf(service).flatMap(({ route, backend }) =>
        isNewBackend(route, backend, change) ? checkBackendPort(route, backend, service, locate) : [],
      ),
    ),
  ];
}

/** Reports whether the change makes a route send requests to a port to which it sent none before. */
function isNewBackend(route: Manifest, { namespace, name, port }: Backend, change: AppliedChange): boolean {
  const effect = change.effectOf(route);
  if (effect === undefined || effect === 'none') return false;
  const old = change.oldOf(route);
  const before = old ? listBackends(old) : [];
  return !before.some((one) => one.namespace === namespace && one.name === name && one.port === port && one.percent > 0);
}
