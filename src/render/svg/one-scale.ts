import { greatest } from '../../core/extremes';
import type { Chart, StackPanel } from './chart';
import { hasStopWords } from './frame';

/** The greatest value that a panel shows, or is to show. */
export function greatestShown({ rows, levels, bands, most = 0 }: StackPanel): number {
  const sums = rows.map(({ values }) => values.reduce((sum, value) => sum + value, 0));
  return greatest([...sums, ...levels.map(({ at }) => at), ...bands.map(({ to }) => to), most], 0);
}

type Panel = Chart['parts'][number]['panels'][number];

function scaled(own: Panel, other: Panel | undefined): Panel {
  const panel = hasStopWords(other?.stop) ? { ...own, keepsStopRoom: true } : own;
  if (panel.kind !== 'stack' || other?.kind !== 'stack' || panel.unit !== other.unit) return panel;
  return { ...panel, most: Math.max(greatestShown(panel), greatestShown(other)) };
}

function scaledBy(chart: Chart, other: Chart): Chart {
  return {
    ...chart,
    parts: chart.parts.map((part, index) => ({
      ...part,
      panels: part.panels.map((panel, place) => scaled(panel, other.parts[index]?.panels[place])),
    })),
  };
}

/** Two pictures that stand beside each other: both begin at one height, and what both count is as high in one as in the other. */
export function onOneScale(a: Chart, b: Chart): readonly [Chart, Chart] {
  return [scaledBy(a, b), scaledBy(b, a)];
}
