import type { Manifest } from '../core/manifest';
import { toResourceRef } from '../core/rollout';
import { nameOf, namespaceOf } from '../core/manifest';
import type { ServicePlan } from '../core/service-plan';
import { computeRoutedShares, withRoutedShares } from '../cluster/services/routed-share';
import type { RoutedService } from '../cluster/services/routed-share';
import { buildServiceTimeline, isTemplateSelected } from '../cluster/services/service-plan';
import type { ServicePods } from '../cluster/services/service-plan';
import type { UnitRollout } from './plan-objects';

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
  const { readyEndpoints, waves } = buildServiceTimeline(
    { ...(existsBefore(own) && { old: service }), next: service },
    all,
    role === 'canary',
  );
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

/**
 * Plans the Services that a controller creates and between which its route splits the requests, by the object that they belong to.
 *
 * @param pods of each rollout, in the same order
 */
export function planRoutedServices(
  planned: readonly UnitRollout[],
  pods: readonly ServicePods[],
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
  return plans;
}
