import type { PlannedRollout, RolloutDuration, RolloutWorkers, Simulation } from '../core/rollout';
import { visible } from './visible';
import { counted } from './words';

function durationText({ lowerBoundSeconds, expectedSeconds, abortSeconds, blastRadius }: RolloutDuration, broken: string): string {
  const takes = expectedSeconds === null ? 'never ends' : `takes ${expectedSeconds} s, at least ${lowerBoundSeconds} s`;
  const noticed = abortSeconds === null ? 'is never noticed' : `is noticed after ${abortSeconds} s`;
  return `${takes}; a broken image ${noticed} and breaks ${counted(blastRadius, broken)}`;
}

/** The figures at one end of an autoscaler's range. */
function endText(simulation: Simulation): string {
  if (simulation.kind === 'deployment') {
    const { replicas, peakPods, minAvailable } = simulation;
    return `${counted(replicas, 'replica')} peak at ${counted(peakPods, 'pod')} with at least ${minAvailable} available`;
  }
  if (simulation.kind !== 'statefulset') return simulation.kind;
  return `${counted(simulation.replicas, 'replica')} keep at least ${simulation.minAvailable} available`;
}

/** `workers: 5 pods with 5 GPUs, at the peak 1 pod and 1 GPU more, and the new head pod`; GPUs only where there are some. */
function workersText({ pods, gpus, surgePods, surgeGpus }: RolloutWorkers): string {
  const size = `${counted(pods, 'pod')}${gpus > 0 ? ` with ${counted(gpus, 'GPU')}` : ''}`;
  const more = `${counted(surgePods, 'pod')}${gpus > 0 ? ` and ${counted(surgeGpus, 'GPU')}` : ''} more`;
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
