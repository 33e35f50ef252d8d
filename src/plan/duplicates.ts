import { at } from '../core/field-path';
import type { Finding } from '../core/finding';
import type { Manifest } from '../core/manifest';
import { duplicateResource } from '../core/rules/duplicate-resource';
import type { PlanContext } from '../cluster/context';
import { isContextObject } from '../cluster/context-kinds';
import { describeObject } from './describe-object';
import { identityOf } from './views';

function duplicateFinding(object: Manifest, first: Manifest, locate: PlanContext['locate']): Finding {
  const path = at`metadata.name`;
  const place = locate(first, path);
  return duplicateResource.finding('twice', {
    path,
    data: { resource: describeObject(object), ...(place && { first: { file: place.file, line: place.line } }) },
    source: locate(object, path),
  });
}

/**
 * One finding for every object that has the group, kind, namespace and name of an earlier one of the same stream,
 * rollouts and context objects alone. Two files may well hold one object: a base and its overlay, or what is applied to two clusters.
 *
 * Objects without a name are left out: the API server makes them one from `generateName`.
 *
 * @param streamOf - the file or stream that holds an object; undefined where it was read from none
 */
export function duplicateFindings(
  objects: readonly Manifest[],
  isRollout: (object: Manifest) => boolean,
  streamOf: (object: Manifest) => object | undefined,
  locate: PlanContext['locate'],
): Finding[] {
  const streams = new Map<object | undefined, Map<string, Manifest>>();
  const findings: Finding[] = [];
  for (const object of objects) {
    const identity = identityOf(object);
    if (identity === undefined || !(isContextObject(object) || isRollout(object))) continue;
    const stream = streamOf(object);
    const firsts = streams.get(stream) ?? new Map<string, Manifest>();
    streams.set(stream, firsts);
    const first = firsts.get(identity);
    if (first) findings.push(duplicateFinding(object, first, locate));
    else firsts.set(identity, object);
  }
  return findings;
}
