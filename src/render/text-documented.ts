import type { DocumentedRollout } from '../core/rollout';
import type { Palette } from './palette';
import { simulationLines } from './text-simulation';
import { visible } from '../core/visible';

/** What a guide says instead of what will happen, in the form of the simulation above it, and why the two differ. */
export function documentedLines({ source, simulation, difference }: DocumentedRollout, palette: Palette): string[] {
  return [`${visible(source)} says otherwise:`, ...simulationLines(simulation, palette), '', visible(difference)];
}
