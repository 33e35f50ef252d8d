import type { PlannedRollout } from '../core/rollout';
import type { DaemonSetSimulation } from '../core/simulations/daemonset';
import type { DeploymentSimulation } from '../core/simulations/deployment';

/** Rows that are still told apart in the width of a comment. */
const MOST_ROWS = 40;

/** A simulation that counts pods wave by wave; undefined where its rows are too few or too many to draw. */
function drawn({ simulation }: PlannedRollout): DeploymentSimulation | DaemonSetSimulation | undefined {
  if (!simulation || (simulation.kind !== 'deployment' && simulation.kind !== 'daemonset')) return undefined;
  const { waves, elided } = simulation;
  return elided === undefined && waves.length >= 2 && waves.length <= MOST_ROWS ? simulation : undefined;
}

function list(values: readonly (number | string)[]): string {
  return `[${values.join(', ')}]`;
}

/**
 * The waves of a rollout as a chart that GitHub and GitLab draw: pods in all, and those that are available. Nothing of the input stands in it.
 *
 * @see https://mermaid.js.org/syntax/xyChart.html
 */
export function wavesChart(rollout: PlannedRollout): string[] {
  const simulation = drawn(rollout);
  if (!simulation) return [];
  const { waves, peakPods } = simulation;
  return [
    '',
    'Pods in all, and those that are available, wave by wave:',
    '',
    '```mermaid',
    'xychart-beta',
    `  x-axis "wave" ${list(waves.map(({ wave }) => `"${wave}"`))}`,
    `  y-axis "pods" 0 --> ${peakPods}`,
    `  bar ${list(waves.map(({ total }) => total))}`,
    `  line ${list(waves.map(({ available }) => available))}`,
    '```',
  ];
}
