import type { PlannedRollout } from '../../../core/rollout';
import type { DisaggregatedSetSimulation } from '../../../core/simulations/disaggregatedset';
import { counted } from '../../../core/words';
import type { Chart, StackPanel } from '../chart';
import { disaggregatedSetCourse, podCourse } from './pod-waves';

/** A panel for each role, over one time: the rows of all of them begin where those of all roles together do. */
export function disaggregatedSetParts(simulation: DisaggregatedSetSimulation, rollout: PlannedRollout): Chart['parts'] {
  const { roles } = simulation;
  const whole = podCourse(disaggregatedSetCourse(simulation), rollout);
  const starts = whole.panels[0]!.rows.map(({ at }) => at);
  const panels = roles.map(({ name, size }, index): StackPanel => {
    const [panel] = podCourse(disaggregatedSetCourse(simulation, index), rollout).panels;
    const { stop } = panel!;
    return {
      ...panel!,
      unit: `${name}: groups of ${counted(size, 'pod')}`,
      rows: panel!.rows.map((row, place) => ({ ...row, at: starts[place]! })),
      isLow: true,
      // The words about where it stands still are said once.
      ...(stop && index > 0 && { stop: { ...stop, text: '' } }),
    };
  });
  return [{ axis: whole.axis, panels }];
}
