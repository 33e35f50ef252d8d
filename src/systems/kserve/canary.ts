import { isInt32 } from '../../core/values/int-or-percent';
import { getListAt, getValueAt } from '../../core/manifest/manifest';
import type { ServiceCanary, KserveService } from './service';
import { kserveBehaviourOf } from './versions';

/**
 * Returns the replicas of a canary: its minReplicas, otherwise its share of the stable replicas, rounded up.
 *
 * 10 stable replicas and 25 percent: 3. Source: KServe 0.20, components/predictor.go, `canaryReplicaCount`.
 */
export function computeCanaryReplicas({ predictor, trafficPercent }: ServiceCanary, stableMinReplicas: unknown): number {
  if (isInt32(predictor.minReplicas)) return predictor.minReplicas;
  const stable = isInt32(stableMinReplicas) ? stableMinReplicas : 1;
  return Math.ceil((stable * (isInt32(trafficPercent) ? trafficPercent : 0)) / 100);
}

/**
 * Returns the stable predictor's minReplicas while canaries run: minus the replicas of canaries that are ready in the status, at least 1. A
 * manifest without a status counts as settled: all of its canaries are ready. A version that sends canaries no requests keeps all replicas.
 *
 * 10 stable replicas, one ready canary with 20 percent: 8.
 *
 * Source: KServe after v0.20.0, components/predictor.go, `adjustStableMinReplicasForCanaries`.
 */
export function computeStableMinReplicas({ object, predictor, canaries, version }: KserveService): number | undefined {
  const { minReplicas } = predictor;
  if (!isInt32(minReplicas)) return undefined;
  if (!kserveBehaviourOf(version).splitsCanaryTraffic) return minReplicas;
  const statuses = getListAt(object, 'status', 'canaryStatuses');
  const isSettled = getValueAt(object, 'status') === undefined;
  const isReady = ({ name }: ServiceCanary) =>
    isSettled || statuses.some((status) => getValueAt(status, 'name') === name && getValueAt(status, 'ready') === true);
  const readyCanaries = canaries.filter(isReady);
  const replaced = readyCanaries.reduce((total, canary) => total + computeCanaryReplicas(canary, minReplicas), 0);
  return replaced === 0 ? minReplicas : Math.max(1, minReplicas - replaced);
}
