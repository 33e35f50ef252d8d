import type { PlannedRollout, RolloutDuration, RolloutWorkers, Simulation } from '../core/rollout';
import { visible } from './visible';
import { countedOrNo } from '../core/words';

function durationText({ lowerBoundSeconds, expectedSeconds, abortSeconds, blastRadius }: RolloutDuration, broken: string): string {
  const takes = expectedSeconds === null ? 'never ends' : `takes ${expectedSeconds} s, at least ${lowerBoundSeconds} s`;
  const noticed = abortSeconds === null ? 'is never noticed' : `is noticed after ${abortSeconds} s`;
  return `${takes}; a broken image ${noticed} and breaks ${countedOrNo(blastRadius, broken)}`;
}

type TextOf<S extends Simulation> = (simulation: S) => string;

/** The figures at one end of an autoscaler's range. What no autoscaler scales has its name alone. */
const END_TEXTS: { readonly [K in Simulation['kind']]: TextOf<Extract<Simulation, { kind: K }>> } = {
  deployment: ({ replicas, peakPods, minAvailable }) =>
    `${countedOrNo(replicas, 'replica')} peak at ${countedOrNo(peakPods, 'pod')} with at least ${minAvailable} available`,
  statefulset: ({ replicas, minAvailable }) => `${countedOrNo(replicas, 'replica')} keep at least ${minAvailable} available`,
  daemonset: ({ kind }) => kind,
  rayservice: ({ kind }) => kind,
  fleet: ({ kind }) => kind,
};

function endText(simulation: Simulation): string {
  return (END_TEXTS[simulation.kind] as TextOf<Simulation>)(simulation);
}

/** `workers: 5 pods with 5 GPUs, at the peak 1 pod and 1 GPU more, and the new head pod`; GPUs only where there are some. */
function workersText({ pods, gpus, surgePods, surgeGpus }: RolloutWorkers): string {
  const size = `${countedOrNo(pods, 'pod')}${gpus > 0 ? ` with ${countedOrNo(gpus, 'GPU')}` : ''}`;
  const more = `${countedOrNo(surgePods, 'pod')}${gpus > 0 ? ` and ${countedOrNo(surgeGpus, 'GPU')}` : ''} more`;
  return `workers: ${size}, at the peak ${more}, and the new head pod`;
}

/** What limits a rollout from outside, how long it takes, and what its surge means: a line each, none for what is not known. */
export function surroundingLines({ system, autoscaled, room, duration, workers }: PlannedRollout): string[] {
  return [
    ...(autoscaled ? [`${visible(autoscaled.by)}: ${endText(autoscaled.minimum)}; ${endText(autoscaled.maximum)}`] : []),
    ...(autoscaled?.maximumRoom ? [`room at its maximum: ${visible(autoscaled.maximumRoom.message)}`] : []),
    ...(room ? [`room: ${visible(room.message)}`] : []),
    ...(duration ? [durationText(duration, system === 'fleet' ? 'cluster' : 'pod')] : []),
    ...(workers ? [workersText(workers)] : []),
  ];
}
