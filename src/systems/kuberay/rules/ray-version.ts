import { formatDisplayValue, toDisplayValue } from '../../../core/text/display-value';
import type { DisplayValue } from '../../../core/text/display-value';
import type { ParsedRayService } from '../ray-service';

/** Why a field needs another version of Ray. */
export type RayVersionData =
  | { readonly problem: 'absent' | 'unreadable'; readonly required: string; readonly rayVersion?: DisplayValue }
  | { readonly problem: 'older'; readonly required: string; readonly rayVersion: DisplayValue };

/** Formats what is wrong with rayVersion: `needs Ray 2.52.0 or later, but rayVersion is "2.51.0"`. */
export function formatRayVersionProblem({ problem, required, rayVersion }: RayVersionData): string {
  if (problem === 'absent') return `needs a rayVersion of ${required} or later, but rayVersion is not set`;
  if (problem === 'unreadable')
    return `needs a rayVersion of ${required} or later, but ${formatDisplayValue(rayVersion!)} is not a version`;
  return `needs Ray ${required} or later, but rayVersion is ${formatDisplayValue(rayVersion!)}`;
}

/** The leading numbers of a version as apimachinery's ParseGeneric reads it: at least two, followed by anything. */
const GENERIC_VERSION = /^\s*v?([0-9]+)\.([0-9]+)(?:\.([0-9]+))?/;

/** Returns what is wrong with rayVersion for a field that was added in a version of Ray. */
export function findRayVersionProblem(
  { cluster }: ParsedRayService,
  required: readonly [number, number, number],
): RayVersionData | undefined {
  const text = required.join('.');
  const { rayVersion } = cluster;
  if (rayVersion === undefined || rayVersion === null || rayVersion === '') return { problem: 'absent', required: text };
  const match = typeof rayVersion === 'string' ? GENERIC_VERSION.exec(rayVersion) : null;
  if (!match) return { problem: 'unreadable', required: text, rayVersion: toDisplayValue(rayVersion) };
  const parts = match.slice(1).map((part) => Number(part ?? 0));
  const difference = required.map((part, index) => parts[index]! - part).find((part) => part !== 0) ?? 0;
  return difference < 0 ? { problem: 'older', required: text, rayVersion: toDisplayValue(rayVersion) } : undefined;
}
