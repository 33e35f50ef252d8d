import type { Manifest } from '../../core/manifest/manifest';
import type { ServiceRole } from '../../core/document/service-plan';
import { isTemplateSelected } from './service-plan';
import type { PodsInWave, ReadyBatch, ServicePods, ServiceVersions } from './service-plan';

function ofVersion(pods: readonly ReadyBatch[], isNew: boolean): ReadyBatch[] {
  return pods.filter((batch) => batch.isNew === isNew);
}

/** Returns the pods of the version to which a Service points in a wave. The rollout is done in the last one, unless old pods remain. */
type VersionPicker = (wave: PodsInWave, isDone: boolean) => readonly ReadyBatch[];

/**
 * Versions by role. The controller adds the hash of one version to the selector: `stable` moves once the rollout is done, `active` once the new
 * version is promoted. `canary` and `preview` point to the new version from the start.
 *
 * Source: Argo Rollouts v1.9.1, rollout/service.go.
 */
const VERSION_PICKERS: Readonly<Record<ServiceRole, VersionPicker>> = {
  stable: ({ pods }, isDone) => {
    const old = ofVersion(pods, false);
    return isDone || old.length === 0 ? ofVersion(pods, true) : old;
  },
  active: ({ pods, routedShare = 0 }) => {
    const old = ofVersion(pods, false);
    return routedShare >= 1 || old.length === 0 ? ofVersion(pods, true) : old;
  },
  canary: ({ pods }) => ofVersion(pods, true),
  preview: ({ pods }) => ofVersion(pods, true),
};

/** Returns the pods that a Service without a role selects. Its requests reach all of them alike, whatever the weights of a router are. */
export function selectPodsOfBothVersions(pods: ServicePods): ServicePods {
  if (pods.waves.every(({ routedShare }) => routedShare === undefined)) return pods;
  return { ...pods, waves: pods.waves.map(({ wave, pods: ready }) => ({ wave, pods: ready })) };
}

/** Returns the pods that a Service with a role in the rollout selects, with the shares of the router. */
export function selectPodsOfRole(pods: ServicePods, role: ServiceRole): ServicePods {
  const pick = VERSION_PICKERS[role];
  const hasNew = pods.after.some(({ isNew }) => isNew);
  // A rollout that deadlocks leaves old pods, and its Services where they are.
  const isDone = !pods.after.some(({ isNew }) => !isNew);
  const routedShare = pods.waves.at(-1)?.routedShare;
  const last = { wave: 0, pods: pods.after, ...(routedShare !== undefined && { routedShare }) };
  const atEnd = isDone ? ofVersion(pods.after, true) : pick(last, false);
  return {
    ...pods,
    waves: pods.waves.map((wave, index) => {
      const picked = pick(wave, isDone && index === pods.waves.length - 1);
      // The selector alone moves the requests of an active Service: no router splits them.
      return role === 'active' ? { wave: wave.wave, pods: picked } : { ...wave, pods: picked };
    }),
    after: hasNew ? atEnd : pods.after,
  };
}

function countSelectedPods(pods: readonly ReadyBatch[], service: Manifest | undefined): number {
  return service ? pods.reduce((sum, { template, total }) => sum + (isTemplateSelected(template, service) ? total : 0), 0) : 0;
}

function markAsNew(pods: readonly ReadyBatch[]): ReadyBatch[] {
  return pods.map((batch) => ({ ...batch, isNew: true }));
}

/**
 * Returns the pods of a Service. If a change replaces no pods, and the Service gets more pods of some objects and fewer of others, the former are the
 * new version. Two Deployments are a canary by hand: from 9 and 1 pods to 5 and 5, the second one is the new version, with 1 of 6 ready
 * pods at first.
 */
export function markGrowingObjects({ old, next }: ServiceVersions, pods: readonly ServicePods[]): readonly ServicePods[] {
  const growthOf = ({ before, after }: ServicePods) => countSelectedPods(after, next) - countSelectedPods(before, old);
  const hasNewPods = pods.some(({ waves, after }) => [...waves.flatMap((wave) => wave.pods), ...after].some(({ isNew }) => isNew));
  if (hasNewPods || !pods.some((one) => growthOf(one) > 0) || !pods.some((one) => growthOf(one) < 0)) return pods;
  return pods.map((one) =>
    growthOf(one) > 0
      ? {
          ...one,
          before: markAsNew(one.before),
          waves: one.waves.map((wave) => ({ ...wave, pods: markAsNew(wave.pods) })),
          after: markAsNew(one.after),
        }
      : one,
  );
}
