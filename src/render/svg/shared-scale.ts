import { findMax } from '../../core/values/min-max';
import type { Chart, StackPanel } from './chart';
import { hasStopText } from './frame';

/** Returns the largest value that a panel shows or must show. */
export function computePanelMaximum({ rows, levels, bands, axisMaximum = 0 }: StackPanel): number {
  const sums = rows.map(({ values }) => values.reduce((sum, value) => sum + value, 0));
  return findMax([...sums, ...levels.map(({ at }) => at), ...bands.map(({ to }) => to), axisMaximum], 0);
}

type Panel = Chart['parts'][number]['panels'][number];

function scalePanel(source: Panel, other: Panel | undefined): Panel {
  const panel = hasStopText(other?.stop) ? { ...source, reservesStopSpace: true } : source;
  if (panel.kind !== 'stack' || other?.kind !== 'stack' || panel.unit !== other.unit) return panel;
  return { ...panel, axisMaximum: Math.max(computePanelMaximum(panel), computePanelMaximum(other)) };
}

function scaleChart(chart: Chart, other: Chart): Chart {
  return {
    ...chart,
    parts: chart.parts.map((part, index) => ({
      ...part,
      panels: part.panels.map((panel, panelIndex) => scalePanel(panel, other.parts[index]?.panels[panelIndex])),
    })),
  };
}

/** Aligns two pictures side by side: both begin at the same height and use the same scale. */
export function alignChartScales(a: Chart, b: Chart): readonly [Chart, Chart] {
  return [scaleChart(a, b), scaleChart(b, a)];
}
