import type { ArgoRolloutSimulation, ArgoRolloutWave } from '../core/simulations/argo-rollout';
import { pluralizeOrNo } from '../core/text-format';
import type { Palette } from './palette';
import { renderRowTable } from './row-table';
import type { ColumnAlign } from './table';

const WAIT_TEXTS: Readonly<Record<NonNullable<ArgoRolloutWave['until']>, (seconds: number) => string>> = {
  ready: () => 'the new pods are ready',
  seconds: (seconds) => `${seconds} s are over`,
  promotion: () => 'somebody promotes it',
  analysis: () => 'its analysis passes',
  experiment: () => 'its experiment passes',
  plugin: () => 'its plugin is done',
};

/** `waits at wave 2 until somebody promotes it, at wave 5 until 600 s are over`; undefined where it waits for its pods alone. @param upTo - the last wave that is reached */
export function formatPauses({ waves }: ArgoRolloutSimulation, upTo = Infinity): string | undefined {
  const pauses = waves.flatMap(({ wave, until, seconds = 0 }) =>
    until === undefined || until === 'ready' || wave > upTo ? [] : [`at wave ${wave} until ${WAIT_TEXTS[until](seconds)}`],
  );
  return pauses.length === 0 ? undefined : `waits ${pauses.join(', ')}`;
}

const HALT_TEXTS: Readonly<Record<NonNullable<ArgoRolloutSimulation['halted']>['reason'], string>> = {
  promotion: 'until somebody promotes it',
  'never-promoted': 'for good: the controller never promotes more pods than replicas',
  'insufficient-capacity': 'for good: its pods find no room',
};

const TYPE_LABELS: Readonly<Record<ArgoRolloutSimulation['type'], string>> = {
  canary: 'canary',
  blueGreen: 'blue-green',
  restart: 'restart',
};

interface WaveColumns {
  readonly hasSteps: boolean;
  /** Undefined where pods share the requests. */
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

/** An Argo Rollout: its rows with what each waits for, where it stands until somebody acts, and the way back. */
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
    return [`${size}: stands still at wave ${deadlockRow}, for its pods find no room`, '', ...renderWaveTable(rows, columns, palette)];
  }
  const waveCount = pluralizeOrNo(waves.length + (elided ?? 0), 'wave');
  const abortLines = abort
    ? [
        `aborted after wave ${abort.afterWave}: peak ${pluralizeOrNo(abort.peakPods, 'pod')}, at least ${abort.minAvailable} available on the way back`,
      ]
    : [];
  return [
    `${size}: ${waveCount}, peak ${pluralizeOrNo(peakPods, 'pod')}, at least ${minAvailable} available`,
    ...(halted ? [`stands at wave ${halted.wave} ${HALT_TEXTS[halted.reason]}`] : []),
    ...(rolledBackPods === undefined
      ? []
      : [`back to the stable version, without its steps: ${pluralizeOrNo(rolledBackPods, 'pod')} of the other go`]),
    ...(restartsSteps === undefined ? [] : ['goes on with the version on its way, from the first of the new steps']),
    ...(remainingOldPods === undefined
      ? []
      : [`${pluralizeOrNo(remainingOldPods, 'old pod')} ${remainingOldPods === 1 ? 'stays' : 'stay'} for good`]),
    ...abortLines,
    '',
    ...renderWaveTable(waves, columns, palette, elided),
  ];
}
