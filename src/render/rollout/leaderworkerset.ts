import type { LeaderWorkerSetSimulation, LeaderWorkerSetHalt } from '../../core/simulations/leaderworkerset';
import { pluralizeOrNo } from '../../core/text/text-format';
import type { Palette } from '../layout/palette';
import type { ColumnAlign } from '../layout/table';
import { renderRowTable } from '../layout/row-table';

const GROUP_WAVE_HEAD = ['wave', 'groups new', 'old', 'total', 'available'];
const GROUP_WAVE_ALIGN: readonly ColumnAlign[] = ['right', 'right', 'right', 'right', 'right'];

const HALT_TEXTS: Readonly<Record<LeaderWorkerSetHalt['reason'], (groups: number) => string>> = {
  'no-step': (groups) =>
    `the controller never starts the next step, and ${pluralizeOrNo(groups, 'group')} keep${groups === 1 ? 's' : ''} the old version`,
  refused: () => 'the API server refuses the StatefulSet that the controller writes',
};

function formatHalt({ wave, groups, reason }: LeaderWorkerSetHalt): string {
  return `halts ${wave === 0 ? 'before the first wave' : `after wave ${wave}`}: ${HALT_TEXTS[reason](groups)}`;
}

function renderEndLines({ replicas, partition, remainingSurge }: LeaderWorkerSetSimulation): string[] {
  const partitioned = Math.min(partition, replicas);
  return [
    ...(partitioned > 0 ? [`kept on the old version by the partition: ${pluralizeOrNo(partitioned, 'group')}`] : []),
    ...(remainingSurge === undefined
      ? []
      : [`${pluralizeOrNo(remainingSurge, 'surge group')} stay${remainingSurge === 1 ? 's' : ''} until the partition is 0`]),
  ];
}

/** Renders the rollout of a LeaderWorkerSet: its figures in groups, then its waves. */
export function renderLeaderWorkerSetLines(simulation: LeaderWorkerSetSimulation, palette: Palette, deadlockRow?: number): string[] {
  const { replicas, size, surge, unavailable, waves, peakGroups, peakPods, minAvailable, halted, elided } = simulation;
  if (replicas === 0) return ['no groups: nothing to replace'];
  const groups = `${pluralizeOrNo(replicas, 'group')} of ${pluralizeOrNo(size, 'pod')}`;
  const reached = deadlockRow === undefined ? waves : waves.filter(({ wave }) => wave <= deadlockRow);
  const rows = reached.map(({ wave, newGroups, oldGroups, total, available }) =>
    [wave, newGroups, oldGroups, total, available].map(String),
  );
  const figures =
    deadlockRow === undefined
      ? `surge ${surge}, ${unavailable} unavailable: ${pluralizeOrNo(waves.length + (elided ?? 0), 'wave')}, peak ${pluralizeOrNo(peakGroups, 'group')} ` +
        `(${pluralizeOrNo(peakPods, 'pod')}), at least ${minAvailable} available`
      : `deadlocks at wave ${deadlockRow}: its pods do not fit`;
  return [
    `${groups}: ${figures}`,
    ...(rows.length === 0 ? [] : ['', ...renderRowTable(GROUP_WAVE_HEAD, rows, GROUP_WAVE_ALIGN, palette, { elided, noun: 'wave' })]),
    ...(deadlockRow === undefined ? renderEndLines(simulation) : []),
    ...(halted && halted.reason !== 'insufficient-capacity' ? [formatHalt(halted)] : []),
  ];
}
