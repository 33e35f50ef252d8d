import type { Finding } from '../../core/finding';
import { parseFieldPath } from '../../core/field-path';
import { getListAt, getValueAt } from '../../core/manifest';
import type { Fields } from '../../core/manifest';
import type { Versions } from '../../core/versions';
import { workloadKindOf } from '../../workloads/kinds';
import { validateObjectOfKind } from '../../workloads/plan-workload';
import { toServerPath } from './server-path';
import type { ApplyRejection, StoredObject } from './types';
import { OBJECT_VALUES } from './values/index';
import { findFirstValueError } from './values/rule';
import { formatServerMessage } from './messages/finding-message';

const VOLUME_INDEX = /^spec\.template\.spec\.volumes\[(\d+)\]/;

/** A StatefulSet is validated with the volumes of its claims, which come first. */
function serverPathOf(finding: Finding, after: StoredObject): string {
  const path = toServerPath(finding.path);
  const claims = getListAt(after, 'spec', 'volumeClaimTemplates').length;
  return path.replace(VOLUME_INDEX, (_, index: string) => `spec.template.spec.volumes[${Number(index) + claims}]`);
}

function findFirstError(findings: readonly Finding[], after: StoredObject): ApplyRejection | undefined {
  const found = findings.find(({ severity }) => severity === 'error');
  return (
    found && { path: serverPathOf(found, after), message: formatServerMessage(found, getValueAt(after, ...parseFieldPath(found.path))) }
  );
}

/**
 * What the server says to the values of an object, whatever it was before; undefined where it takes them, or its kind is not judged.
 * The path is the server's; so are the words where it has one form for many fields.
 *
 * @param sent - the object before it is decoded, where that says more
 */
export function validateValues(after: StoredObject, versions: Versions, sent: Fields = after): ApplyRejection | undefined {
  const workload = workloadKindOf(after);
  if (workload) return findFirstError(validateObjectOfKind(workload, after, versions), after);
  const { kubernetes: version } = versions;
  const objectValues = OBJECT_VALUES[`${after.apiVersion}/${after.kind}`];
  if (!objectValues) return undefined;
  const { values, checkObject, findings, finalValues = [] } = objectValues;
  return (
    findFirstValueError(after, values, version) ??
    checkObject?.(after, sent) ??
    findFirstError(findings?.(after, version) ?? [], after) ??
    findFirstValueError(after, finalValues, version)
  );
}
