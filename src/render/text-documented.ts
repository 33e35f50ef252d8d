import type { DocumentedRollout } from '../core/rollout';
import type { Palette } from './palette';
import { renderSimulationLines } from './text-simulation';
import { escapeForTerminal } from '../core/escape-output';

/** What a guide says instead of what will happen, in the form of the simulation above it, and why the two differ. */
export function renderDocumentedLines({ source, simulation, difference }: DocumentedRollout, palette: Palette): string[] {
  return [`${escapeForTerminal(source)} says otherwise:`, ...renderSimulationLines(simulation, palette), '', escapeForTerminal(difference)];
}
