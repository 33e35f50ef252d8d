import { formatSeconds } from '../../core/document/goal-text';
import type { ArgoRolloutSimulation, ArgoRolloutWave } from '../../core/simulations/argo-rollout';
import { pluralizeOrNo } from '../../core/text/text-format';
import type { Palette } from '../layout/palette';
import { renderRowTable } from '../layout/row-table';
import type { ColumnAlign } from '../layout/table';

const WAIT_TEXTS: Readonly<Record<NonNullable<ArgoRolloutWave['until']>, (seconds: number) => string>> = {
  ready: () => 'the new pods are ready',
  seconds: (seconds) => `${formatSeconds(seconds)} have passed`,
  promotion: () => 'a user promotes it',
  analysis: () => 'its analysis passes',
  experiment: () => 'its experiment passes',
  plugin: () => 'its plugin is done',
};

/**
 * Formats the pauses: `waits at wave 2 until a user promotes it, at wave 5 until 10m have passed`. Undefined if it only waits for its pods.
 *
 * @param upTo - the last wave that is reached
 */
export function formatPauses({ waves }: ArgoRolloutSimulation, upTo = Infinity): string | undefined {
  const pauses = waves.flatMap(({ wave, until, seconds = 0 }) =>
    until === undefined || until === 'ready' || wave > upTo ? [] : [`at wave ${wave} until ${WAIT_TEXTS[until](seconds)}`],
  );
  return pauses.length === 0 ? undefined : `waits ${pauses.join(', ')}`;
}

const HALT_TEXTS: Readonly<Record<NonNullable<ArgoRolloutSimulation['halted']>['reason'], (wave: number) => string>> = {
  promotion: (wave) => `waits at wave ${wave} until a user promotes it`,
  'never-promoted': (wave) => `deadlocks at wave ${wave}: the controller never promotes more pods than replicas`,
  'insufficient-capacity': (wave) => `deadlocks at wave ${wave}: its pods do not fit`,
};

const TYPE_LABELS: Readonly<Record<ArgoRolloutSimulation['type'], string>> = {
  canary: 'canary',
  blueGreen: 'blue-green',
  restart: 'restart',
};

interface WaveColumns {
  readonly hasSteps: boolean;
  /** Undefined if requests are shared per pod. */
  readonly maxWeight?: number;
}

function buildCells(
  { wave, stepsDone, newPods, oldPods, total, available, newWeight, until, seconds = 0 }: ArgoRolloutWave,
  columns: WaveColumns,
): string[] {
  const { hasSteps, maxWeight } = columns;
  const weight = maxWeight === 100 ? `${newWeight}%` : `${newWeight}/${maxWeight}`;
  return [
    ...[wave, newPods, oldPods, total, available].map(String),
    ...(maxWeight === undefined ? [] : [weight]),
    ...(hasSteps ? [String(stepsDone)] : []),
    until === undefined ? '' : WAIT_TEXTS[until](seconds),
  ];
}

function renderWaveTable(waves: readonly ArgoRolloutWave[], columns: WaveColumns, palette: Palette, elided = 0): string[] {
  const head = [
    'wave',
    'new',
    'old',
    'total',
    'available',
    ...(columns.maxWeight === undefined ? [] : ['to new']),
    ...(columns.hasSteps ? ['steps done'] : []),
    'until',
  ];
  const align = head.map((name): ColumnAlign => (name === 'until' ? 'left' : 'right'));
  return renderRowTable(
    head,
    waves.map((wave) => buildCells(wave, columns)),
    align,
    palette,
    { elided, noun: 'wave' },
  );
}

/** Renders an Argo Rollout: its rows with what each waits for, where it stops until a user acts, and the rollback. */
export function renderArgoRolloutLines(simulation: ArgoRolloutSimulation, palette: Palette, deadlockRow?: number): string[] {
  const {
    type,
    replicas,
    waves,
    peakPods,
    minAvailable,
    halted,
    remainingOldPods,
    rolledBackPods,
    restartsSteps,
    abort,
    elided,
    maxWeight,
  } = simulation;
  if (replicas === 0) return ['no replicas: nothing to replace'];
  const columns = { hasSteps: waves.some(({ stepsDone }) => stepsDone !== undefined), ...(maxWeight !== undefined && { maxWeight }) };
  const size = `${TYPE_LABELS[type]} of ${pluralizeOrNo(replicas, 'replica')}`;
  if (deadlockRow !== undefined) {
    const rows = waves.filter(({ wave }) => wave <= deadlockRow);
    return [`${size}: deadlocks at wave ${deadlockRow}: its pods do not fit`, '', ...renderWaveTable(rows, columns, palette)];
  }
  const waveCount = pluralizeOrNo(waves.length + (elided ?? 0), 'wave');
  const abortLines = abort
    ? [
        `if aborted after wave ${abort.afterWave}: peak ${pluralizeOrNo(abort.peakPods, 'pod')}, at least ${abort.minAvailable} available during the rollback`,
      ]
    : [];
  return [
    `${size}: ${waveCount}, peak ${pluralizeOrNo(peakPods, 'pod')}, at least ${minAvailable} available`,
    ...(halted ? [HALT_TEXTS[halted.reason](halted.wave)] : []),
    ...(rolledBackPods === undefined
      ? []
      : [
          `returns to the stable version without steps: ${pluralizeOrNo(rolledBackPods, 'pod')} of the other version ${rolledBackPods === 1 ? 'is' : 'are'} deleted`,
        ]),
    ...(restartsSteps === undefined ? [] : ['continues with the version being rolled out, from the first of the new steps']),
    ...(remainingOldPods === undefined
      ? []
      : [`${pluralizeOrNo(remainingOldPods, 'old pod')} ${remainingOldPods === 1 ? 'is' : 'are'} never deleted`]),
    ...abortLines,
    '',
    ...renderWaveTable(waves, columns, palette, elided),
  ];
}
