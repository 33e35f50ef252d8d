import type { Finding } from '../core/finding';
import type { PlanDocument } from '../core/plan-document';
import type { ResourceRef } from '../core/rollout';
import { rankOf } from '../core/severity';

/** A finding with the object that it is about. */
export interface PlacedFinding {
  readonly finding: Finding;
  /** Absent where it is about no rollout. */
  readonly about?: ResourceRef;
}

/** What is said several times, with all that it is said of. */
export interface FindingGroup {
  readonly first: PlacedFinding;
  readonly all: readonly PlacedFinding[];
}

/** Findings that count, those about no rollout first, each with what it is about; on request those that are suppressed as well. */
export function placedFindings(
  { findings, rollouts }: Pick<PlanDocument, 'findings' | 'rollouts'>,
  { withSuppressed = false } = {},
): PlacedFinding[] {
  const placed: PlacedFinding[] = [
    ...findings.map((finding) => ({ finding })),
    ...rollouts.flatMap(({ resource, findings: own }) => own.map((finding) => ({ finding, about: resource }))),
  ];
  return withSuppressed ? placed : placed.filter(({ finding }) => !finding.suppressed);
}

function kindOf({ severity, code, messageId }: Finding): string {
  return `${severity} ${code} ${messageId}`;
}

/** By all that is said of it, so that nothing is lost where those that are alike are told once. */
export function sayingOf({ severity, code, message, help, suppressed }: Finding): string {
  return JSON.stringify([severity, code, message, help, suppressed?.by, suppressed?.reason]);
}

/** Is the same said of all of a group? Else the first speaks for the others. */
export function saysOneThing({ first, all }: FindingGroup): boolean {
  const saying = sayingOf(first.finding);
  return all.every(({ finding }) => sayingOf(finding) === saying);
}

/**
 * Findings that are alike together, the worst first, in their order otherwise; those that are suppressed come last.
 *
 * @param likeness - what findings of one group have in common. @default - severity, code and messageId
 */
export function findingGroups(placed: readonly PlacedFinding[], likeness: (finding: Finding) => string = kindOf): FindingGroup[] {
  const groups = new Map<string, PlacedFinding[]>();
  for (const one of placed) {
    const key = likeness(one.finding);
    const known = groups.get(key);
    if (known) known.push(one);
    else groups.set(key, [one]);
  }
  const rank = ({ first: { finding } }: FindingGroup) => rankOf(finding.suppressed ? 'none' : finding.severity);
  return [...groups.values()].map((all) => ({ first: all[0]!, all })).toSorted((a, b) => rank(a) - rank(b));
}
