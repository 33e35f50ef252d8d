import type { DocumentedRollout } from '../../core/document/rollout';
import type { Palette } from '../layout/palette';
import { renderSimulationLines } from './simulation';
import { escapeForTerminal } from '../../core/text/escape-output';

/** Renders the rollout that a guide documents, in the form of the simulation above it, and why the two differ. */
export function renderDocumentedLines({ source, simulation, difference }: DocumentedRollout, palette: Palette): string[] {
  return [
    `${escapeForTerminal(source)} documents a different rollout:`,
    ...renderSimulationLines(simulation, palette),
    '',
    escapeForTerminal(difference),
  ];
}
