import type { PlanContext, RolloutSystem } from '../cluster/context';
import { removedApiFinding } from '../cluster/rules/removed-api';
import { unknownKindFinding } from '../cluster/rules/unknown-kind';
import type { Finding } from '../core/finding';
import type { Manifest } from '../core/manifest';

/** The objects that the API server has a kind for, and what there is to say of the others, which surround nothing. */
export interface Admitted {
  readonly objects: readonly Manifest[];
  readonly findings: readonly Finding[];
}

/** Keeps the objects whose apiVersion and kind the planned version serves. */
export function admittedObjects(
  objects: readonly Manifest[],
  systems: readonly RolloutSystem[],
  { versions, locate }: Pick<PlanContext, 'versions' | 'locate'>,
): Admitted {
  const isPlanned = (object: Manifest) => systems.some((system) => system.recognises(object));
  const findings: Finding[] = [];
  const admitted = objects.filter((object) => {
    const finding = removedApiFinding(object, versions.kubernetes) ?? (isPlanned(object) ? undefined : unknownKindFinding(object));
    if (finding) findings.push({ ...finding, source: locate(object, finding.path) });
    return finding === undefined;
  });
  return { objects: admitted, findings };
}
