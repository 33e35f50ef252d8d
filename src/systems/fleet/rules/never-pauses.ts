import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { counted } from '../../../core/words';
import { strategyPath } from '../bundle';
import type { ReadBundle } from '../bundle';
import { hasManualPartitions } from '../partitions';
import type { FleetRollout } from '../simulate';
import type { RolloutStrategy } from '../types';
import { CLUSTERS, bundleWith, partition } from './example-bundle';

/** Fields that say how partitions follow each other. */
const PACING_FIELDS = ['maxUnavailablePartitions', 'partitions', 'autoPartitionSize'] as const;

interface AlwaysData {
  /** What is written and has no effect. */
  readonly field: (typeof PACING_FIELDS)[number];
}

interface WithTheseClustersData extends AlwaysData {
  /** Clusters of the bundle that may be unavailable. */
  readonly maxUnavailable: number;
  /** Clusters that the bundle targets. */
  readonly targets: number;
}

const CONSEQUENCE = 'An install and an update reach every cluster at once, however many fail.';

function neverPausesText(field: string, why: string): string {
  return `${field} is written, but nothing ever pauses: ${why}. ${CONSEQUENCE}`;
}

const HELP = 'Write maxUnavailable, for example "10%": the share of clusters that may fail or be updating at once.';

/** Partitions that no number of failures can pause. */
export const neverPauses = rule({
  code: 'fleet/never-pauses',
  since: '0.1.0',
  severity: 'warning',
  fires:
    'maxUnavailablePartitions, partitions or autoPartitionSize is written, and no limit is below the number of clusters that it is about.',
  why:
    'maxUnavailable is 100% by default. A partition counts as not ready only when more clusters than that are not ready, which cannot be: ' +
    'the rollout never waits between partitions, an update reaches all clusters in one go, and registries meet every image pull at once. ' +
    'The guide’s scenario of 200 clusters with maxUnavailablePartitions 1 and autoPartitionSize 10% is one of these.',
  fix: 'Write maxUnavailable as well.',
  example:
    bundleWith('maxUnavailablePartitions: 0', 'partitions:', ...partition('staging', 'staging'), ...partition('prod', 'prod')) + CLUSTERS,
  fixed:
    bundleWith(
      'maxUnavailable: 1',
      'maxUnavailablePartitions: 0',
      'partitions:',
      ...partition('staging', 'staging'),
      ...partition('prod', 'prod'),
    ) + CLUSTERS,
  messages: {
    always: message<AlwaysData>({
      text: ({ field }) => neverPausesText(field, 'maxUnavailable is 100%'),
      help: () => HELP,
      sample: { field: 'partitions' },
    }),
    withTheseClusters: message<WithTheseClustersData>({
      text: ({ field, maxUnavailable, targets }) =>
        neverPausesText(field, `up to ${maxUnavailable} of ${counted(targets, 'cluster')} may be unavailable`),
      help: () => HELP,
      sample: { field: 'maxUnavailablePartitions', maxUnavailable: 3, targets: 3 },
    }),
  },
});

function writtenPacing(strategy: RolloutStrategy): AlwaysData['field'] | undefined {
  return PACING_FIELDS.find((field) => (field === 'partitions' ? hasManualPartitions(strategy) : strategy[field] !== undefined));
}

function isEveryCluster(limit: unknown): boolean {
  return limit === undefined || (typeof limit === 'string' && limit.endsWith('%') && Number.parseFloat(limit) >= 100);
}

/** Without an inventory it is certain if every limit is 100 %. */
export function neverPausesAnywhereFindings(bundle: ReadBundle): Finding[] {
  const { strategy } = bundle;
  const field = writtenPacing(strategy);
  const limits = [
    strategy.maxUnavailable,
    ...(strategy.partitions ?? []).map((definition) => definition.maxUnavailable ?? strategy.maxUnavailable),
  ];
  if (field === undefined || !limits.every(isEveryCluster)) return [];
  return [neverPauses.finding('always', { path: strategyPath(bundle, field), data: { field } })];
}

/** With these clusters no limit is below the number of clusters that it is about. */
export function neverPausesFindings(bundle: ReadBundle, { targets, partitions, maxUnavailable }: FleetRollout): Finding[] {
  const field = writtenPacing(bundle.strategy);
  const pauses = maxUnavailable < targets.length || partitions.some((held) => held.maxUnavailable < held.members.length);
  if (field === undefined || pauses) return [];
  const data = { field, maxUnavailable, targets: targets.length };
  return [neverPauses.finding('withTheseClusters', { path: strategyPath(bundle, field), data })];
}
