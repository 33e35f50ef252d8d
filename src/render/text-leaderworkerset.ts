import type { LeaderWorkerSetSimulation, StoppedGroups } from '../core/simulations/leaderworkerset';
import { countedOrNo } from '../core/words';
import type { Palette } from './palette';
import type { Align } from './table';
import { rowTable } from './text-rows';

const HEAD = ['wave', 'groups new', 'old', 'total', 'available'];
const ALIGN: readonly Align[] = ['right', 'right', 'right', 'right', 'right'];

const HALTS: Readonly<Record<StoppedGroups['reason'], (groups: number) => string>> = {
  'no-step': (groups) =>
    `the controller never asks for the next step, and ${countedOrNo(groups, 'group')} keep${groups === 1 ? 's' : ''} the old version`,
  refused: () => 'the API server refuses the StatefulSet that the controller writes',
};

function haltText({ wave, groups, reason }: StoppedGroups): string {
  return `halts ${wave === 0 ? 'before anything moves' : `after wave ${wave}`}: ${HALTS[reason](groups)}`;
}

function endLines({ replicas, partition, surgeLeft }: LeaderWorkerSetSimulation): string[] {
  const kept = Math.min(partition, replicas);
  return [
    ...(kept > 0 ? [`left on the old version by the partition: ${countedOrNo(kept, 'group')}`] : []),
    ...(surgeLeft === undefined
      ? []
      : [`${countedOrNo(surgeLeft, 'surge group')} stay${surgeLeft === 1 ? 's' : ''} until the partition is 0`]),
  ];
}

/** A LeaderWorkerSet's rollout: its figures in groups, then its waves. */
export function leaderWorkerSetLines(simulation: LeaderWorkerSetSimulation, palette: Palette, standsAt?: number): string[] {
  const { replicas, size, surge, unavailable, waves, peakGroups, peakPods, minAvailable, halted, elided } = simulation;
  if (replicas === 0) return ['no groups: nothing to replace'];
  const groups = `${countedOrNo(replicas, 'group')} of ${countedOrNo(size, 'pod')}`;
  const shown = standsAt === undefined ? waves : waves.filter(({ wave }) => wave <= standsAt);
  const rows = shown.map(({ wave, newGroups, oldGroups, total, available }) => [wave, newGroups, oldGroups, total, available].map(String));
  const figures =
    standsAt === undefined
      ? `surge ${surge}, ${unavailable} unavailable: ${countedOrNo(waves.length + (elided ?? 0), 'wave')}, peak ${countedOrNo(peakGroups, 'group')} ` +
        `(${countedOrNo(peakPods, 'pod')}), at least ${minAvailable} available`
      : `stands still at wave ${standsAt}, for its pods find no room`;
  return [
    `${groups}: ${figures}`,
    ...(rows.length === 0 ? [] : ['', ...rowTable(HEAD, rows, ALIGN, palette, { elided, noun: 'wave' })]),
    ...(standsAt === undefined ? endLines(simulation) : []),
    ...(halted && halted.reason !== 'no-room' ? [haltText(halted)] : []),
  ];
}
