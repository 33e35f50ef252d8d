import type { ArgoRolloutSimulation, ArgoRolloutWave } from '../core/simulations/argo-rollout';
import { countedOrNo } from '../core/words';
import type { Palette } from './palette';
import { rowTable } from './text-rows';
import type { Align } from './table';

const WAITS: Readonly<Record<NonNullable<ArgoRolloutWave['until']>, (seconds: number) => string>> = {
  ready: () => 'the new pods are ready',
  seconds: (seconds) => `${seconds} s are over`,
  promotion: () => 'somebody promotes it',
  analysis: () => 'its analysis passes',
  experiment: () => 'its experiment passes',
  plugin: () => 'its plugin is done',
};

/** `waits at wave 2 until somebody promotes it, at wave 5 until 600 s are over`; undefined where it waits for its pods alone. @param upTo - the last wave that is reached */
export function pausesText({ waves }: ArgoRolloutSimulation, upTo = Infinity): string | undefined {
  const pauses = waves.flatMap(({ wave, until, seconds = 0 }) =>
    until === undefined || until === 'ready' || wave > upTo ? [] : [`at wave ${wave} until ${WAITS[until](seconds)}`],
  );
  return pauses.length === 0 ? undefined : `waits ${pauses.join(', ')}`;
}

const HALTS: Readonly<Record<NonNullable<ArgoRolloutSimulation['halted']>['reason'], string>> = {
  promotion: 'until somebody promotes it',
  'never-promoted': 'for good: the controller never promotes more pods than replicas',
  'no-room': 'for good: its pods find no room',
};

const TYPES: Readonly<Record<ArgoRolloutSimulation['type'], string>> = { canary: 'canary', blueGreen: 'blue-green', restart: 'restart' };

interface Columns {
  readonly hasSteps: boolean;
  /** Undefined where pods share the requests. */
  readonly maxWeight?: number;
}

function cells(
  { wave, stepsDone, newPods, oldPods, total, available, newWeight, until, seconds = 0 }: ArgoRolloutWave,
  columns: Columns,
): string[] {
  const { hasSteps, maxWeight } = columns;
  const weight = maxWeight === 100 ? `${newWeight}%` : `${newWeight}/${maxWeight}`;
  return [
    ...[wave, newPods, oldPods, total, available].map(String),
    ...(maxWeight === undefined ? [] : [weight]),
    ...(hasSteps ? [String(stepsDone)] : []),
    until === undefined ? '' : WAITS[until](seconds),
  ];
}

function table(waves: readonly ArgoRolloutWave[], columns: Columns, palette: Palette, elided = 0): string[] {
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
  const align = head.map((name): Align => (name === 'until' ? 'left' : 'right'));
  return rowTable(
    head,
    waves.map((wave) => cells(wave, columns)),
    align,
    palette,
    { elided, noun: 'wave' },
  );
}

/** An Argo Rollout: its rows with what each waits for, where it stands until somebody acts, and the way back. */
export function argoRolloutLines(simulation: ArgoRolloutSimulation, palette: Palette, standsAt?: number): string[] {
  const { type, replicas, waves, peakPods, minAvailable, halted, leftOver, takenBack, stepsAnew, abort, elided, maxWeight } = simulation;
  if (replicas === 0) return ['no replicas: nothing to replace'];
  const columns = { hasSteps: waves.some(({ stepsDone }) => stepsDone !== undefined), ...(maxWeight !== undefined && { maxWeight }) };
  const size = `${TYPES[type]} of ${countedOrNo(replicas, 'replica')}`;
  if (standsAt !== undefined) {
    const rows = waves.filter(({ wave }) => wave <= standsAt);
    return [`${size}: stands still at wave ${standsAt}, for its pods find no room`, '', ...table(rows, columns, palette)];
  }
  const waveCount = countedOrNo(waves.length + (elided ?? 0), 'wave');
  const back = abort
    ? [
        `aborted after wave ${abort.afterWave}: peak ${countedOrNo(abort.peakPods, 'pod')}, at least ${abort.minAvailable} available on the way back`,
      ]
    : [];
  return [
    `${size}: ${waveCount}, peak ${countedOrNo(peakPods, 'pod')}, at least ${minAvailable} available`,
    ...(halted ? [`stands at wave ${halted.wave} ${HALTS[halted.reason]}`] : []),
    ...(takenBack === undefined ? [] : [`back to the stable version, without its steps: ${countedOrNo(takenBack, 'pod')} of the other go`]),
    ...(stepsAnew === undefined ? [] : ['goes on with the version on its way, from the first of the new steps']),
    ...(leftOver === undefined ? [] : [`${countedOrNo(leftOver, 'old pod')} ${leftOver === 1 ? 'stays' : 'stay'} for good`]),
    ...back,
    '',
    ...table(waves, columns, palette, elided),
  ];
}
