import type { PlanContext, RolloutSystem } from '../cluster/context';
import { checkRemovedApi } from '../cluster/rules/removed-api';
import { checkUnknownKind } from '../cluster/rules/unknown-kind';
import { ROOT_PATH } from '../core/field-path';
import type { Finding, FindingObject } from '../core/finding';
import { describeObject, nameOf, namespaceOf } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { unreadable } from '../core/rules/unreadable';
import { isTooLarge, MAX_REQUEST_BYTES } from './request-size';

/** Objects that the API server accepts, and findings about the others, which are not part of any context. */
export interface ServedObjects {
  readonly objects: readonly Manifest[];
  readonly findings: readonly Finding[];
}

/** Reports an object that is too large for a request. */
function checkRequestSize(object: Manifest): Finding | undefined {
  if (!isTooLarge(object)) return undefined;
  return unreadable.createFinding('too-large', {
    path: ROOT_PATH,
    data: { resource: describeObject(object), bytes: MAX_REQUEST_BYTES },
  });
}

/** Names an object in its finding, so that a change does not take it for the same problem of another object, which OLD has. */
function toFindingObject(object: Manifest): FindingObject {
  const namespace = namespaceOf(object);
  return { kind: object.kind, ...(namespace !== undefined && { namespace }), name: nameOf(object) };
}

/** Keeps the objects whose apiVersion and kind the planned version serves, and that fit into a request. */
export function filterServedObjects(
  objects: readonly Manifest[],
  systems: readonly RolloutSystem[],
  { versions, locate }: Pick<PlanContext, 'versions' | 'locate'>,
): ServedObjects {
  const isPlanned = (object: Manifest) => systems.some((system) => system.recognises(object));
  const findings: Finding[] = [];
  const served = objects.filter((object) => {
    const finding =
      checkRemovedApi(object, versions.kubernetes) ?? (isPlanned(object) ? checkRequestSize(object) : checkUnknownKind(object));
    if (finding) findings.push({ ...finding, object: toFindingObject(object), source: locate(object, finding.path) });
    return finding === undefined;
  });
  return { objects: findings.length === 0 ? objects : served, findings };
}
