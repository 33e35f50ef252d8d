import { area, curveStepAfter } from 'd3-shape';
import type { Chart, Layer, StackPanel, StackRow, TimeAxis, TrackPanel } from './chart';
import { linear } from './frame';
import { element } from './markup';
import { greatestShown } from './one-scale';

/** Pixels of a picture that stands in a line of text. */
const WIDTH = 96;
const HEIGHT = 24;

/** Rows that can be told apart at that size; of more, some are left out. */
const MOST_ROWS = 48;

/** What is stacked in the small picture: the layers of the large one, or how much of all tracks is filled. */
interface Course {
  readonly rows: readonly StackRow[];
  readonly layers: readonly Layer[];
  readonly most: number;
}

function ofTracks({ tracks, layers }: TrackPanel, from: number): Course {
  const size = tracks.reduce((sum, track) => sum + track.size, 0);
  const [done, left] = layers;
  const starts = tracks.find(({ rows }) => rows.length > 0)?.rows.map(({ at }) => at) ?? [];
  const reached = starts.map((at, index) => ({ at, value: tracks.reduce((sum, { rows }) => sum + (rows[index]?.value ?? 0), 0) }));
  const rows = [{ at: from, value: 0 }, ...reached].map(({ at, value }) => ({ at, values: [value, size - value] }));
  return { rows, layers: [done!, left!], most: Math.max(1, size) };
}

function ofStack(panel: StackPanel): Course {
  return { rows: panel.rows, layers: panel.layers, most: Math.max(1, greatestShown(panel)) };
}

function thinned(rows: readonly StackRow[]): readonly StackRow[] {
  const every = Math.ceil(rows.length / MOST_ROWS);
  return every === 1 ? rows : rows.filter((_, index) => index % every === 0 || index === rows.length - 1);
}

function layerPath({ rows }: Course, layer: number, axis: TimeAxis, end: number, most: number): string {
  const x = linear(axis.from, axis.to, 0, WIDTH);
  const y = linear(0, most, HEIGHT, 0);
  const below = (values: readonly number[]) => values.slice(0, layer).reduce((sum, value) => sum + value, 0);
  const shown = thinned(rows);
  const points = [...shown, { ...shown.at(-1)!, at: end }];
  if (points.every(({ values }) => (values[layer] ?? 0) === 0)) return '';
  const shape = area<StackRow>()
    .x(({ at }) => x(at))
    .y0(({ values }) => y(below(values)))
    .y1(({ values }) => y(below(values) + (values[layer] ?? 0)))
    .curve(curveStepAfter);
  return shape(points) ?? '';
}

/** The course of a rollout as small as a word, without numbers; empty where there is nothing to draw. */
export function sparkMarkup({ parts: [part] }: Chart): string {
  const panel = part?.panels[0];
  if (!part || !panel || panel.kind === 'grid') return '';
  const course = panel.kind === 'tracks' ? ofTracks(panel, part.axis.from) : ofStack(panel);
  const end = panel.stop?.at ?? part.axis.to;
  const paths = course.layers.map(({ role }, index) => ({ role, d: layerPath(course, index, part.axis, end, course.most) }));
  const stopAt = linear(part.axis.from, part.axis.to, 0, WIDTH)(end);
  return element(
    'svg',
    { class: 'spark', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: WIDTH, height: HEIGHT, 'aria-hidden': 'true', focusable: 'false' },
    ...paths.filter(({ d }) => d !== '').map(({ role, d }) => element('path', { class: role, d })),
    ...(panel.stop ? [element('path', { class: 'l-stop', d: `M${stopAt} 0V${HEIGHT}` })] : []),
  );
}
