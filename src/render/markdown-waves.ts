import type { PlannedRollout } from '../core/rollout';
import type { Simulation } from '../core/simulations/simulation';

/** Rows that are still told apart in the width of a comment. */
const MAX_CHART_ROWS = 40;

/** What a chart shows: of pods, or of groups of them, how many there are in each row and how many are available. */
interface WaveChart {
  readonly unit: 'pods' | 'groups';
  readonly rows: readonly { readonly wave: number; readonly total: number; readonly available: number }[];
  readonly maximum: number;
  /** Rows that are left out. @default 0 */
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
  // Their rows are of several roles, of ordinals, of capacities and of names.
  disaggregatedset: () => undefined,
  statefulset: () => undefined,
  rayservice: () => undefined,
  fleet: () => undefined,
  rollingsync: () => undefined,
};

/** The chart of a simulation; undefined where its rows are of something else, too few or too many to draw. */
function buildDrawableChart(simulation: Simulation): WaveChart | undefined {
  const chart = (CHART_BUILDERS[simulation.kind] as WaveChartBuilder<Simulation>)(simulation);
  return chart && !chart.elided && chart.rows.length >= 2 && chart.rows.length <= MAX_CHART_ROWS ? chart : undefined;
}

/** Bars and the line over them, told apart on each other, on white and on black; what a host draws by itself is nearly as light as its ground. */
const CHART_THEME = `%%{init: {"themeVariables": {"xyChart": {"plotColorPalette": "#9ab6d3, #ab3d08"}}}}%%`;

function formatList(values: readonly (number | string)[]): string {
  return `[${values.join(', ')}]`;
}

/**
 * The waves of a rollout as a chart that GitHub and GitLab draw: pods or groups in all, and those that are available.
 * Nothing of the input stands in it.
 *
 * @see https://mermaid.js.org/syntax/xyChart.html
 */
export function renderWavesChart({ simulation }: PlannedRollout): string[] {
  const chart = simulation && buildDrawableChart(simulation);
  if (!chart) return [];
  const { unit, rows, maximum } = chart;
  return [
    '',
    `Bars: ${unit} in all; line: those that are available, wave by wave:`,
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
