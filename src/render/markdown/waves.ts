import type { PlannedRollout } from '../../core/document/rollout';
import type { Simulation } from '../../core/simulations/simulation';

/** Largest number of rows that are distinguishable in the width of a comment. */
const MAX_CHART_ROWS = 40;

/** Data of a chart: the number of pods, or groups of pods, in each row, and how many are available. */
interface WaveChart {
  readonly unit: 'pods' | 'groups';
  readonly rows: readonly { readonly wave: number; readonly total: number; readonly available: number }[];
  readonly maximum: number;
  /** Number of rows that are left out. @default 0 */
  readonly elided?: number;
}

type WaveChartBuilder<S extends Simulation> = (simulation: S) => WaveChart | undefined;

function buildPodChart({ waves, peakPods, elided = 0 }: Extract<Simulation, { waves: WaveChart['rows']; peakPods: number }>): WaveChart {
  return { unit: 'pods', rows: waves, maximum: peakPods, elided };
}

const CHART_BUILDERS: { readonly [K in Simulation['kind']]: WaveChartBuilder<Extract<Simulation, { kind: K }>> } = {
  deployment: buildPodChart,
  daemonset: buildPodChart,
  revision: buildPodChart,
  argorollout: buildPodChart,
  leaderworkerset: ({ waves, peakGroups, elided = 0 }) => ({ unit: 'groups', rows: waves, maximum: peakGroups, elided }),
  // These have rows of several roles, ordinals, capacities or names.
  disaggregatedset: () => undefined,
  statefulset: () => undefined,
  rayservice: () => undefined,
  fleet: () => undefined,
  rollingsync: () => undefined,
};

/** Builds the chart of a simulation. Undefined if its rows count something else, or are too few or too many to draw. */
function buildDrawableChart(simulation: Simulation): WaveChart | undefined {
  const chart = (CHART_BUILDERS[simulation.kind] as WaveChartBuilder<Simulation>)(simulation);
  return chart && !chart.elided && chart.rows.length >= 2 && chart.rows.length <= MAX_CHART_ROWS ? chart : undefined;
}

/** Colours of the bars and the line, distinguishable on each other, on white and on black. A host's own colours are nearly as light as its background. */
const CHART_THEME = `%%{init: {"themeVariables": {"xyChart": {"plotColorPalette": "#9ab6d3, #ab3d08"}}}}%%`;

function formatList(values: readonly (number | string)[]): string {
  return `[${values.join(', ')}]`;
}

/**
 * Renders the waves of a rollout as a chart that GitHub and GitLab draw: all pods or groups, and those that are available.
 * It contains no text of the input.
 *
 * @see https://mermaid.js.org/syntax/xyChart.html
 */
export function renderWavesChart({ simulation }: PlannedRollout): string[] {
  const chart = simulation && buildDrawableChart(simulation);
  if (!chart) return [];
  const { unit, rows, maximum } = chart;
  return [
    '',
    `Bars: all ${unit}; line: available ${unit}, by wave:`,
    '',
    '```mermaid',
    CHART_THEME,
    'xychart-beta',
    `  x-axis "wave" ${formatList(rows.map(({ wave }) => `"${wave}"`))}`,
    `  y-axis "${unit}" 0 --> ${maximum}`,
    `  bar ${formatList(rows.map(({ total }) => total))}`,
    `  line ${formatList(rows.map(({ available }) => available))}`,
    '```',
  ];
}
