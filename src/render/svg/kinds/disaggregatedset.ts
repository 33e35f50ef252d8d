import type { PlannedRollout } from '../../../core/document/rollout';
import type { DisaggregatedSetSimulation } from '../../../core/simulations/disaggregatedset';
import { pluralize } from '../../../core/text/text-format';
import type { Chart, StackPanel } from '../chart';
import { buildDisaggregatedSetTimeline, buildPodPart } from './pod-waves';

/** Builds a panel for each role. The rows of all panels begin at the same positions. */
export function buildDisaggregatedSetParts(simulation: DisaggregatedSetSimulation, rollout: PlannedRollout): Chart['parts'] {
  const { roles } = simulation;
  const combined = buildPodPart(buildDisaggregatedSetTimeline(simulation), rollout);
  const starts = combined.panels[0]!.rows.map(({ at }) => at);
  const panels = roles.map(({ name, size }, index): StackPanel => {
    const [panel] = buildPodPart(buildDisaggregatedSetTimeline(simulation, index), rollout).panels;
    const { stop } = panel!;
    return {
      ...panel!,
      unit: `${name}: groups of ${pluralize(size, 'pod')}`,
      rows: panel!.rows.map((row, rowIndex) => ({ ...row, at: starts[rowIndex]! })),
      isLow: true,
      // Only the first panel has the text of the stop.
      ...(stop && index > 0 && { stop: { ...stop, text: '' } }),
    };
  });
  return [{ axis: combined.axis, panels }];
}
