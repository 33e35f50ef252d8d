import type { PlannedRollout } from '../core/rollout';
import type { Simulation } from '../core/simulations/simulation';

/** Rows that are still told apart in the width of a comment. */
const MOST_ROWS = 40;

/** What a chart shows: of pods, or of groups of them, how many there are in each row and how many are available. */
interface Chart {
  readonly unit: 'pods' | 'groups';
  readonly rows: readonly { readonly wave: number; readonly total: number; readonly available: number }[];
  readonly most: number;
  /** Rows that are left out. @default 0 */
  readonly elided?: number;
}

type ChartOf<S extends Simulation> = (simulation: S) => Chart | undefined;

function podChart({ waves, peakPods, elided = 0 }: Extract<Simulation, { waves: Chart['rows']; peakPods: number }>): Chart {
  return { unit: 'pods', rows: waves, most: peakPods, elided };
}

const CHARTS: { readonly [K in Simulation['kind']]: ChartOf<Extract<Simulation, { kind: K }>> } = {
  deployment: podChart,
  daemonset: podChart,
  revision: podChart,
  argorollout: podChart,
  leaderworkerset: ({ waves, peakGroups, elided = 0 }) => ({ unit: 'groups', rows: waves, most: peakGroups, elided }),
  // Their rows are of several roles, of ordinals, of capacities and of names.
  disaggregatedset: () => undefined,
  statefulset: () => undefined,
  rayservice: () => undefined,
  fleet: () => undefined,
  rollingsync: () => undefined,
};

/** The chart of a simulation; undefined where its rows are of something else, too few or too many to draw. */
function drawn(simulation: Simulation): Chart | undefined {
  const chart = (CHARTS[simulation.kind] as ChartOf<Simulation>)(simulation);
  return chart && !chart.elided && chart.rows.length >= 2 && chart.rows.length <= MOST_ROWS ? chart : undefined;
}

/** Bars and the line over them, told apart on each other, on white and on black; what a host draws by itself is nearly as light as its ground. */
const COLOURS = `%%{init: {"themeVariables": {"xyChart": {"plotColorPalette": "#9ab6d3, #ab3d08"}}}}%%`;

function list(values: readonly (number | string)[]): string {
  return `[${values.join(', ')}]`;
}

/**
 * The waves of a rollout as a chart that GitHub and GitLab draw: pods or groups in all, and those that are available.
 * Nothing of the input stands in it.
 *
 * @see https://mermaid.js.org/syntax/xyChart.html
 */
export function wavesChart({ simulation }: PlannedRollout): string[] {
  const chart = simulation && drawn(simulation);
  if (!chart) return [];
  const { unit, rows, most } = chart;
  return [
    '',
    `Bars: ${unit} in all; line: those that are available, wave by wave:`,
    '',
    '```mermaid',
    COLOURS,
    'xychart-beta',
    `  x-axis "wave" ${list(rows.map(({ wave }) => `"${wave}"`))}`,
    `  y-axis "${unit}" 0 --> ${most}`,
    `  bar ${list(rows.map(({ total }) => total))}`,
    `  line ${list(rows.map(({ available }) => available))}`,
    '```',
  ];
}
