import type { Manifest } from '../../core/manifest/manifest';
import { toResourceRef } from '../../core/document/rollout';
import { nameOf, namespaceOf } from '../../core/manifest/manifest';
import type { ServicePlan } from '../../core/document/service-plan';
import type { ClusterService, RoutedService } from '../../cluster/rollout/created-services';
import { computeRoutedShares, withRoutedShares } from '../../cluster/services/routed-share';
import { selectPodsOfRole } from '../../cluster/services/service-role';
import { buildServiceTimeline, isTemplateSelected } from '../../cluster/services/service-plan';
import type { ServicePods } from '../../cluster/services/service-plan';
import type { UnitRollout } from '../plan-objects';

/** A Service to which a route of a controller sends requests, with the pods of its rollout. */
interface Backend {
  readonly routed: RoutedService;
  readonly pods: ServicePods;
}

function groupBackends(planned: readonly UnitRollout[], pods: readonly ServicePods[]): ReadonlyMap<Manifest, readonly Backend[]> {
  const byObject = new Map<Manifest, Backend[]>();
  planned.forEach(({ object, rollout: { routedService: routed } }, index) => {
    if (!routed) return;
    const backends = byObject.get(object) ?? [];
    byObject.set(object, backends);
    backends.push({ routed, pods: pods[index]! });
  });
  return byObject;
}

/** Reports whether a Service exists before an apply: its rollout has pods of an old template then. */
function existsBefore({ before }: ServicePods): boolean {
  return before.length > 0;
}

function planRoutedService({ routed, pods: own }: Backend, backends: readonly Backend[], shares: ReadonlyMap<number, number>): ServicePlan {
  const { service, role } = routed;
  const all = backends.map(({ pods }) => pods);
  const { readyEndpoints, waves } = buildServiceTimeline({ ...(existsBefore(own) && { old: service }), next: service }, all, {
    hasRole: role === 'canary',
  });
  const selects = backends
    .filter(({ pods }) => [...pods.before, ...pods.after].some(({ template }) => isTemplateSelected(template, service)))
    .map(({ pods: { resource } }) => resource);
  return {
    resource: toResourceRef(service, nameOf(service), namespaceOf(service)),
    selects: selects.length > 0 ? selects : [own.resource],
    role,
    readyEndpoints,
    ...(waves.length > 0 && { waves: withRoutedShares(waves, shares) }),
  };
}

/** Reports whether a second cluster takes over from the running one. */
function isReplaced({ before, waves }: ServicePods): boolean {
  return before.length > 0 && waves.some(({ pods }) => pods.some(({ isNew }) => isNew));
}

/**
 * Plans the Services of two clusters. The share of the new one follows from the weights of the upgrade, or from the pods of a Service that moves. The
 * new cluster has a Service of its own only while it takes over.
 *
 * @param isOld whether OLD has a Service of that name
 */
function planClusterServices(services: readonly ClusterService[], pods: ServicePods, isOld: (name: string) => boolean): ServicePlan[] {
  return services
    .filter(({ role }) => role !== 'canary' || isReplaced(pods))
    .map(({ service, role, route }) => {
      const exists = role !== 'canary' && existsBefore(pods) && isOld(nameOf(service));
      const versions = { ...(exists && { old: service }), next: service };
      const { readyEndpoints, waves } = buildServiceTimeline(versions, [selectPodsOfRole(pods, role)], {
        hasRole: true,
        isSplit: role === 'stable',
      });
      return {
        resource: toResourceRef(service, nameOf(service), namespaceOf(service)),
        selects: [pods.resource],
        role,
        readyEndpoints,
        ...(waves.length > 0 && { waves }),
        ...(route && { usedBy: [route] }),
      };
    });
}

/**
 * Plans the Services that a controller creates and between which its route splits the requests, by the object that they belong to.
 *
 * @param pods of each rollout, in the same order
 * @param isOldService whether the controller of an object has a Service of that name before an apply
 */
export function planRoutedServices(
  planned: readonly UnitRollout[],
  pods: readonly ServicePods[],
  isOldService: (object: Manifest, name: string) => boolean,
): ReadonlyMap<Manifest, readonly ServicePlan[]> {
  const plans = new Map<Manifest, readonly ServicePlan[]>();
  for (const [object, backends] of groupBackends(planned, pods)) {
    const shares = computeRoutedShares(
      backends.map(({ routed }) => routed),
      backends.map((backend) => backend.pods),
    );
    plans.set(
      object,
      backends.map((backend) => planRoutedService(backend, backends, shares)),
    );
  }
  planned.forEach(({ object, rollout: { clusterServices = [] } }, index) => {
    const services = planClusterServices(clusterServices, pods[index]!, (name) => isOldService(object, name));
    if (services.length > 0) plans.set(object, services);
  });
  return plans;
}
