import { suggestManualFix, removeField, setField } from '../../../core/findings/suggested-fix';
import type { SuggestedFix } from '../../../core/findings/suggested-fix';
import type { FieldPath } from '../../../core/manifest/field-path';
import { toFieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { pluralize } from '../../../core/text/text-format';
import { buildFleetStrategyPath } from '../bundle';
import type { ParsedBundle } from '../bundle';
import { hasManualPartitions } from '../partitions';
import type { FleetRollout } from '../simulate';
import type { RolloutStrategy } from '../types';
import { EXAMPLE_CLUSTERS, formatBundleExample, formatPartitionExample } from './example-bundle';

/** Fields that control how partitions follow each other. */
const PACING_FIELDS = ['maxUnavailablePartitions', 'partitions', 'autoPartitionSize'] as const;

interface AlwaysData {
  /** The field that is set but has no effect. */
  readonly field: (typeof PACING_FIELDS)[number];
  /** Path of the rolloutStrategy. */
  readonly strategy: FieldPath;
  /** Indexes of the partitions with their own maxUnavailable, which the bundle's would throttle. */
  readonly limited: readonly number[];
}

interface WithTheseClustersData extends AlwaysData {
  /** Number of clusters of the bundle that may be unavailable. */
  readonly maxUnavailable: number;
  /** Number of clusters that the bundle targets. */
  readonly targets: number;
}

const CONSEQUENCE = 'An install and an update reach every cluster at once, however many fail.';

function formatNeverPauses(field: string, why: string): string {
  return `${field} is set, but the rollout never pauses: ${why}. ${CONSEQUENCE}`;
}

/** A share that is less than 100% of two or more clusters. */
const SUGGESTED_SHARE = '10%';

function formatHelp({ limited }: AlwaysData): string {
  const own = limited.length === 0 ? '' : ' Also delete or lower the maxUnavailable of the partitions.';
  return `Set maxUnavailable${limited.length === 0 ? '' : ' of the bundle'}, for example "${SUGGESTED_SHARE}": the share of clusters that may fail or be updating at once.${own}`;
}

function suggestFix({ strategy, limited }: AlwaysData): SuggestedFix {
  return suggestManualFix(
    setField(toFieldPath`${strategy}.maxUnavailable`, SUGGESTED_SHARE),
    ...limited.map((index) => removeField(toFieldPath`${strategy}.partitions[${index}].maxUnavailable`)),
  );
}

function listLimitedPartitions({ partitions = [] }: RolloutStrategy): number[] {
  return partitions.flatMap(({ maxUnavailable }, index) => (maxUnavailable === undefined ? [] : [index]));
}

/** Rule about partitions that no number of failures can pause. */
export const neverPauses = defineRule({
  code: 'fleet/never-pauses',
  since: '0.1.0',
  severity: 'warning',
  fires:
    'maxUnavailablePartitions, partitions or autoPartitionSize is set, but no limit is below the number of clusters it applies to (and at least two are targeted, if the clusters are known).',
  why:
    'maxUnavailable is 100% by default. A partition counts as unavailable only if more clusters than that are not ready, which is impossible. ' +
    'The rollout never waits between partitions, an update reaches all clusters at once, and registries get every image pull at the same time. ' +
    'The guide’s scenario of 200 clusters with maxUnavailablePartitions 1 and autoPartitionSize 10% is an example.',
  fix: 'Set maxUnavailable as well.',
  example:
    formatBundleExample(
      'maxUnavailablePartitions: 0',
      'partitions:',
      ...formatPartitionExample('staging', 'staging'),
      ...formatPartitionExample('prod', 'prod'),
    ) + EXAMPLE_CLUSTERS,
  fixedExample:
    formatBundleExample(
      'maxUnavailable: 1',
      'maxUnavailablePartitions: 0',
      'partitions:',
      ...formatPartitionExample('staging', 'staging'),
      ...formatPartitionExample('prod', 'prod'),
    ) + EXAMPLE_CLUSTERS,
  messages: {
    always: defineMessage<AlwaysData>({
      text: ({ field }) => formatNeverPauses(field, 'maxUnavailable is 100%'),
      help: formatHelp,
      suggestedFix: suggestFix,
      sample: { field: 'partitions', strategy: toFieldPath`spec.rolloutStrategy`, limited: [] },
      variants: [{ field: 'partitions', strategy: toFieldPath`spec.rolloutStrategy`, limited: [0, 2] }],
    }),
    withTheseClusters: defineMessage<WithTheseClustersData>({
      text: ({ field, maxUnavailable, targets }) =>
        formatNeverPauses(field, `up to ${maxUnavailable} of ${pluralize(targets, 'cluster')} may be unavailable`),
      help: formatHelp,
      suggestedFix: suggestFix,
      sample: {
        field: 'maxUnavailablePartitions',
        strategy: toFieldPath`spec.rolloutStrategy`,
        limited: [],
        maxUnavailable: 3,
        targets: 3,
      },
    }),
  },
});

function findPacingField(strategy: RolloutStrategy): AlwaysData['field'] | undefined {
  return PACING_FIELDS.find((field) => (field === 'partitions' ? hasManualPartitions(strategy) : strategy[field] !== undefined));
}

function isEveryCluster(limit: unknown): boolean {
  return limit === undefined || (typeof limit === 'string' && limit.endsWith('%') && Number.parseFloat(limit) >= 100);
}

/** Reports a rollout that never pauses with any clusters, because every limit is 100%. */
export function checkNeverPausesWithoutInventory(bundle: ParsedBundle): Finding[] {
  const { strategy } = bundle;
  const field = findPacingField(strategy);
  const limits = [
    strategy.maxUnavailable,
    ...(strategy.partitions ?? []).map((definition) => definition.maxUnavailable ?? strategy.maxUnavailable),
  ];
  if (field === undefined || !limits.every(isEveryCluster)) return [];
  const data = { field, strategy: buildFleetStrategyPath(bundle), limited: listLimitedPartitions(strategy) };
  return [neverPauses.createFinding('always', { path: buildFleetStrategyPath(bundle, field), data })];
}

/** Reports a rollout that never pauses with these clusters, because no limit is below the number of clusters it applies to. */
export function checkNeverPauses(bundle: ParsedBundle, { targets, partitions, maxUnavailable }: FleetRollout): Finding[] {
  const field = findPacingField(bundle.strategy);
  const pauses = maxUnavailable < targets.length || partitions.some((partition) => partition.maxUnavailable < partition.members.length);
  // A rollout of fewer than two clusters has nothing to pause.
  if (field === undefined || pauses || targets.length < 2) return [];
  const data = {
    field,
    strategy: buildFleetStrategyPath(bundle),
    limited: listLimitedPartitions(bundle.strategy),
    maxUnavailable,
    targets: targets.length,
  };
  return [neverPauses.createFinding('withTheseClusters', { path: buildFleetStrategyPath(bundle, field), data })];
}
