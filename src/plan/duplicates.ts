import { at } from '../core/field-path';
import type { Finding } from '../core/finding';
import { groupOf, nameOf, namespaceOf } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { duplicateResource } from '../core/rules/duplicate-resource';
import type { PlanContext } from '../cluster/context';
import { isContextObject } from '../cluster/context-kinds';

function describeObject(object: Manifest): string {
  const namespace = namespaceOf(object);
  return `${object.kind} ${namespace === undefined ? '' : `${namespace}/`}${nameOf(object)}`;
}

function duplicateFinding(object: Manifest, first: Manifest, context: PlanContext): Finding {
  const path = at`metadata.name`;
  const place = context.locate(first, path);
  return duplicateResource.finding('twice', {
    path,
    data: { resource: describeObject(object), ...(place && { first: { file: place.file, line: place.line } }) },
    source: context.locate(object, path),
  });
}

/**
 * One finding for every object that has the group, kind, namespace and name of an earlier one, rollouts and context objects alone.
 *
 * Objects without a name are left out: the API server makes them one from `generateName`.
 */
export function duplicateFindings(context: PlanContext, isRollout: (object: Manifest) => boolean): Finding[] {
  const firsts = new Map<string, Manifest>();
  const findings: Finding[] = [];
  for (const object of context.objects) {
    const name = nameOf(object);
    if (name === '' || !(isContextObject(object) || isRollout(object))) continue;
    const key = JSON.stringify([groupOf(object), object.kind, namespaceOf(object), name]);
    const first = firsts.get(key);
    if (first) findings.push(duplicateFinding(object, first, context));
    else firsts.set(key, object);
  }
  return findings;
}
