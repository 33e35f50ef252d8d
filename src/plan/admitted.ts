import type { PlanContext, RolloutSystem } from '../cluster/context';
import { removedApiFinding } from '../cluster/rules/removed-api';
import { unknownKindFinding } from '../cluster/rules/unknown-kind';
import { WHOLE_OBJECT } from '../core/field-path';
import type { Finding } from '../core/finding';
import { describeObject } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { unreadable } from '../core/rules/unreadable';
import { isTooLarge, MOST_REQUEST_BYTES } from './request-size';

/** The objects that the API server has a kind for, and what there is to say of the others, which surround nothing. */
export interface Admitted {
  readonly objects: readonly Manifest[];
  readonly findings: readonly Finding[];
}

/** What is said of an object that no request can hold. */
function tooLargeFinding(object: Manifest): Finding | undefined {
  if (!isTooLarge(object)) return undefined;
  return unreadable.finding('too-large', {
    path: WHOLE_OBJECT,
    data: { resource: describeObject(object), bytes: MOST_REQUEST_BYTES },
  });
}

/** Keeps the objects whose apiVersion and kind the planned version serves, and that a request can hold. */
export function admittedObjects(
  objects: readonly Manifest[],
  systems: readonly RolloutSystem[],
  { versions, locate }: Pick<PlanContext, 'versions' | 'locate'>,
): Admitted {
  const isPlanned = (object: Manifest) => systems.some((system) => system.recognises(object));
  const findings: Finding[] = [];
  const admitted = objects.filter((object) => {
    const finding =
      removedApiFinding(object, versions.kubernetes) ?? (isPlanned(object) ? tooLargeFinding(object) : unknownKindFinding(object));
    if (finding) findings.push({ ...finding, source: locate(object, finding.path) });
    return finding === undefined;
  });
  return { objects: findings.length === 0 ? objects : admitted, findings };
}
