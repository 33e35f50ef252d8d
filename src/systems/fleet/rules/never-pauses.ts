import { byChoice, remove, set } from '../../../core/advice';
import type { Advice } from '../../../core/advice';
import type { FieldPath } from '../../../core/field-path';
import { at } from '../../../core/field-path';
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
  /** The rolloutStrategy. */
  readonly strategy: FieldPath;
  /** The partitions, counted from 0, with a maxUnavailable of their own, which the bundle's would throttle. */
  readonly limited: readonly number[];
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

/** A share that is less than all of two clusters and more. */
const SHARE = '10%';

function help({ limited }: AlwaysData): string {
  const own = limited.length === 0 ? '' : ', and take the maxUnavailable out of the partitions, or write less there';
  return `Write maxUnavailable${limited.length === 0 ? '' : ' of the bundle'}, for example "${SHARE}": the share of clusters that may fail or be updating at once${own}.`;
}

function advice({ strategy, limited }: AlwaysData): Advice {
  return byChoice(
    set(at`${strategy}.maxUnavailable`, SHARE),
    ...limited.map((index) => remove(at`${strategy}.partitions[${index}].maxUnavailable`)),
  );
}

function limitedPartitions({ partitions = [] }: RolloutStrategy): number[] {
  return partitions.flatMap(({ maxUnavailable }, index) => (maxUnavailable === undefined ? [] : [index]));
}

/** Partitions that no number of failures can pause. */
export const neverPauses = rule({
  code: 'fleet/never-pauses',
  since: '0.1.0',
  severity: 'warning',
  fires:
    'maxUnavailablePartitions, partitions or autoPartitionSize is written, and no limit is below the number of clusters that it is about; two clusters at least, where they are known.',
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
      help,
      advice,
      sample: { field: 'partitions', strategy: at`spec.rolloutStrategy`, limited: [] },
      variants: [{ field: 'partitions', strategy: at`spec.rolloutStrategy`, limited: [0, 2] }],
    }),
    withTheseClusters: message<WithTheseClustersData>({
      text: ({ field, maxUnavailable, targets }) =>
        neverPausesText(field, `up to ${maxUnavailable} of ${counted(targets, 'cluster')} may be unavailable`),
      help,
      advice,
      sample: { field: 'maxUnavailablePartitions', strategy: at`spec.rolloutStrategy`, limited: [], maxUnavailable: 3, targets: 3 },
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
  const data = { field, strategy: strategyPath(bundle), limited: limitedPartitions(strategy) };
  return [neverPauses.finding('always', { path: strategyPath(bundle, field), data })];
}

/** With these clusters no limit is below the number of clusters that it is about. */
export function neverPausesFindings(bundle: ReadBundle, { targets, partitions, maxUnavailable }: FleetRollout): Finding[] {
  const field = writtenPacing(bundle.strategy);
  const pauses = maxUnavailable < targets.length || partitions.some((held) => held.maxUnavailable < held.members.length);
  // Nothing that is written holds back a single cluster.
  if (field === undefined || pauses || targets.length < 2) return [];
  const data = {
    field,
    strategy: strategyPath(bundle),
    limited: limitedPartitions(bundle.strategy),
    maxUnavailable,
    targets: targets.length,
  };
  return [neverPauses.finding('withTheseClusters', { path: strategyPath(bundle, field), data })];
}
