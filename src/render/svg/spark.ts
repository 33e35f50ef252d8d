import { area, curveStepAfter } from 'd3-shape';
import type { Chart, ChartLayer, StackPanel, StackRow, TimeAxis, TrackPanel } from './chart';
import { createLinearScale } from './frame';
import { renderSvgElement } from './markup';
import { computePanelMaximum } from './shared-scale';

/** Size in pixels of a picture within a line of text. */
const SPARK_WIDTH = 96;
const SPARK_HEIGHT = 24;

/** Largest number of rows that are distinguishable at that size. */
const MAX_ROWS = 48;

/** Layers of the small picture: those of the large one, or the filled share of all tracks. */
interface SparkSeries {
  readonly rows: readonly StackRow[];
  readonly layers: readonly ChartLayer[];
  readonly maximum: number;
}

function fromTracks({ tracks, layers }: TrackPanel, from: number): SparkSeries {
  const size = tracks.reduce((sum, track) => sum + track.size, 0);
  const [done, remaining] = layers;
  const times = tracks.find(({ rows }) => rows.length > 0)?.rows.map(({ at }) => at) ?? [];
  const reached = times.map((at, index) => ({ at, value: tracks.reduce((sum, { rows }) => sum + (rows[index]?.value ?? 0), 0) }));
  const rows = [{ at: from, value: 0 }, ...reached].map(({ at, value }) => ({ at, values: [value, size - value] }));
  return { rows, layers: [done!, remaining!], maximum: Math.max(1, size) };
}

function fromStack(panel: StackPanel): SparkSeries {
  return { rows: panel.rows, layers: panel.layers, maximum: Math.max(1, computePanelMaximum(panel)) };
}

function reduceRows(rows: readonly StackRow[]): readonly StackRow[] {
  const every = Math.ceil(rows.length / MAX_ROWS);
  return every === 1 ? rows : rows.filter((_, index) => index % every === 0 || index === rows.length - 1);
}

function buildLayerPath({ rows }: SparkSeries, layer: number, axis: TimeAxis, end: number, maximum: number): string {
  const x = createLinearScale(axis.from, axis.to, 0, SPARK_WIDTH);
  const y = createLinearScale(0, maximum, SPARK_HEIGHT, 0);
  const below = (values: readonly number[]) => values.slice(0, layer).reduce((sum, value) => sum + value, 0);
  const sampled = reduceRows(rows);
  const points = [...sampled, { ...sampled.at(-1)!, at: end }];
  if (points.every(({ values }) => (values[layer] ?? 0) === 0)) return '';
  const shape = area<StackRow>()
    .x(({ at }) => x(at))
    .y0(({ values }) => y(below(values)))
    .y1(({ values }) => y(below(values) + (values[layer] ?? 0)))
    .curve(curveStepAfter);
  return shape(points) ?? '';
}

/** Renders a rollout as a small picture without numbers, or an empty string if there is nothing to draw. */
export function renderSparkline({ parts: [part] }: Chart): string {
  const panel = part?.panels[0];
  if (!part || !panel || panel.kind === 'grid') return '';
  const series = panel.kind === 'tracks' ? fromTracks(panel, part.axis.from) : fromStack(panel);
  const end = panel.stop?.at ?? part.axis.to;
  const paths = series.layers.map(({ role }, index) => ({ role, d: buildLayerPath(series, index, part.axis, end, series.maximum) }));
  const stopAt = createLinearScale(part.axis.from, part.axis.to, 0, SPARK_WIDTH)(end);
  return renderSvgElement(
    'svg',
    {
      class: 'spark',
      viewBox: `0 0 ${SPARK_WIDTH} ${SPARK_HEIGHT}`,
      width: SPARK_WIDTH,
      height: SPARK_HEIGHT,
      'aria-hidden': 'true',
      focusable: 'false',
    },
    ...paths.filter(({ d }) => d !== '').map(({ role, d }) => renderSvgElement('path', { class: role, d })),
    ...(panel.stop ? [renderSvgElement('path', { class: 'l-stop', d: `M${stopAt} 0V${SPARK_HEIGHT}` })] : []),
  );
}
