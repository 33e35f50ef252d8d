import type { Finding } from '../../core/finding';
import { fieldPathParts } from '../../core/field-path';
import { listAt, valueAt } from '../../core/manifest';
import type { Fields } from '../../core/manifest';
import type { Versions } from '../../core/versions';
import { workloadKindOf } from '../../workloads/kinds';
import { validationFindings } from '../../workloads/plan-workload';
import { serverPath } from './server-path';
import type { Refusal, StoredObject } from './types';
import { OBJECT_VALUES } from './values/index';
import { firstRefusal } from './values/rule';
import { wordsOf } from './words/finding-words';

const VOLUME_INDEX = /^spec\.template\.spec\.volumes\[(\d+)\]/;

/** A StatefulSet is validated with the volumes of its claims, which come first. */
function pathOf(finding: Finding, after: StoredObject): string {
  const path = serverPath(finding.path);
  const claims = listAt(after, 'spec', 'volumeClaimTemplates').length;
  return path.replace(VOLUME_INDEX, (_, index: string) => `spec.template.spec.volumes[${Number(index) + claims}]`);
}

function firstError(findings: readonly Finding[], after: StoredObject): Refusal | undefined {
  const found = findings.find(({ severity }) => severity === 'error');
  return found && { path: pathOf(found, after), message: wordsOf(found, valueAt(after, ...fieldPathParts(found.path))) };
}

/**
 * What the server says to the values of an object, whatever it was before; undefined where it takes them, or its kind is not judged.
 * The path is the server's; so are the words where it has one form for many fields.
 *
 * @param sent - the object before it is decoded, where that says more
 */
export function valueRefusal(after: StoredObject, versions: Versions, sent: Fields = after): Refusal | undefined {
  const workload = workloadKindOf(after);
  if (workload) return firstError(validationFindings(workload, after, versions), after);
  const { kubernetes: version } = versions;
  const known = OBJECT_VALUES[`${after.apiVersion}/${after.kind}`];
  if (!known) return undefined;
  const { values, whole, findings, rest = [] } = known;
  return (
    firstRefusal(after, values, version) ??
    whole?.(after, sent) ??
    firstError(findings?.(after, version) ?? [], after) ??
    firstRefusal(after, rest, version)
  );
}
