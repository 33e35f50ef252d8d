import type { Manifest } from '../../core/manifest/manifest';
import type { ServiceWave } from '../../core/document/service-plan';
import type { RoutedService } from '../rollout/created-services';
import { countOnPort, listCountedPorts, listPodsByWave, roundShare } from './service-plan';
import type { PodsInWave, ServicePods } from './service-plan';

/** Ready endpoints of a Service in a wave: all, and those of the new version. */
interface BackendEndpoints {
  readonly ready: number;
  readonly ofNew: number;
}

function countEndpoints(service: Manifest, { pods }: PodsInWave): BackendEndpoints {
  const port = listCountedPorts(service)[0]!;
  const ofNew = pods.filter(({ isNew }) => isNew);
  return { ready: countOnPort(service, port, pods), ofNew: countOnPort(service, port, ofNew) };
}

/**
 * Returns the share of the requests that reaches the new version; undefined if the stable Service has no endpoint or a percentage is not known.
 *
 * A canary with 25 percent that is new and ready: 0.25. While none of its pods is ready, the stable Service has its share: 0.
 */
function computeShare(backends: readonly (RoutedService & BackendEndpoints)[]): number | undefined {
  if (backends.some(({ role, percent }) => role === 'canary' && percent === undefined)) return undefined;
  const weightOf = ({ ready, percent = 0 }: RoutedService & BackendEndpoints) => (ready > 0 ? percent : 0);
  const rest = backends.reduce((left, one) => left - (one.role === 'canary' ? weightOf(one) : 0), 100);
  const weighted = backends.map((one) => ({ ...one, weight: one.role === 'canary' ? weightOf(one) : rest }));
  if (weighted.some(({ ready, weight }) => ready === 0 && weight > 0)) return undefined;
  return weighted.reduce((sum, { ready, ofNew, weight }) => sum + (ready > 0 ? (weight / 100) * (ofNew / ready) : 0), 0);
}

/**
 * Returns the share that a route gives to the new version in each wave. A controller leaves canaries without a ready pod out. If no pod is replaced,
 * because only percentages or numbers of pods change, the version of the canaries is the new one.
 */
export function computeRoutedShares(backends: readonly RoutedService[], pods: readonly ServicePods[]): ReadonlyMap<number, number> {
  const shares = new Map<number, number>();
  const waves = listPodsByWave(pods);
  const hasNewPods = waves.some((wave) => wave.pods.some(({ isNew }) => isNew));
  for (const wave of waves) {
    const share = computeShare(
      backends.map((backend) => {
        const { ready, ofNew } = countEndpoints(backend.service, wave);
        return { ...backend, ready, ofNew: hasNewPods ? ofNew : backend.role === 'canary' ? ready : 0 };
      }),
    );
    if (share !== undefined) shares.set(wave.wave, roundShare(share));
  }
  return shares;
}

/** Returns waves with the shares of a route instead of those that follow from the endpoints of one Service. */
export function withRoutedShares(waves: readonly ServiceWave[], shares: ReadonlyMap<number, number>): ServiceWave[] {
  return waves.map(({ newShare: _newShare, ...wave }) => {
    const share = shares.get(wave.wave);
    return { ...wave, ...(share !== undefined && { newShare: share }) };
  });
}
