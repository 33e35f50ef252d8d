import type { Finding } from '../../core/findings/finding';
import { parseFieldPath, toFieldPath } from '../../core/manifest/field-path';
import { getListAt, getValueAt } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import type { Versions } from '../../core/values/versions';
import { workloadKindOf } from '../../workloads/kinds';
import { validateObjectOfKind } from '../../workloads/plan-workload';
import { validateStatefulSetMaxUnavailable } from '../../workloads/statefulset/rules/invalid-strategy';
import { validateTemplateLabels } from './selector-validation';
import { validateMetadata, validateWrittenMetadata } from './metadata-validation';
import { toServerPath } from './server-path';
import type { ApplyRejection, StoredObject } from './types';
import { OBJECT_VALUES } from './values/index';
import { findFirstValueError } from './values/rule';
import { formatServerMessage } from './messages/finding-message';

/** Index of a file of a downward API volume, which the server omits. */
const FILE_INDEX = /(downwardAPI)\.items\[\d+\]/;

const VOLUME_INDEX = /^spec\.template\.spec\.volumes\[(\d+)\]/;

/** Returns a path as the server writes it. The server validates a StatefulSet with the volumes of its claims, which come first. */
function serverPathOf(finding: Finding, after: StoredObject): string {
  // The server omits the last name of this path only for a fieldPath that is not valid.
  const isMissing = finding.messageId === 'missing' && finding.path.endsWith('.fieldRef.fieldPath');
  const path = isMissing ? finding.path.replace(FILE_INDEX, '$1') : toServerPath(finding.path);
  const claims = getListAt(after, 'spec', 'volumeClaimTemplates').length;
  return path.replace(VOLUME_INDEX, (_, index: string) => `spec.template.spec.volumes[${Number(index) + claims}]`);
}

function findFirstError(findings: readonly Finding[], after: StoredObject, sent: Fields): ApplyRejection | undefined {
  const found = findings.find(({ severity }) => severity === 'error');
  if (found?.messageId === 'notSelected') return validateTemplateLabels(after, sent);
  return (
    found && { path: serverPathOf(found, after), message: formatServerMessage(found, getValueAt(after, ...parseFieldPath(found.path))) }
  );
}

/** Validates the maxUnavailable that the server keeps of a StatefulSet, also if its version drops that of a new one. */
function validateKeptLimit(after: StoredObject): readonly Finding[] {
  if (after.kind !== 'StatefulSet') return [];
  const limit = getValueAt(after, 'spec', 'updateStrategy', 'rollingUpdate', 'maxUnavailable');
  return validateStatefulSetMaxUnavailable(limit, toFieldPath`spec.updateStrategy.rollingUpdate.maxUnavailable`);
}

/** Returns why the API server refuses the metadata of an object that is no workload as written, placeholders included. */
export function refuseWrittenMetadata(object: Manifest, { kubernetes }: Versions): ApplyRejection | undefined {
  return findFirstError(validateWrittenMetadata(object, kubernetes), object as StoredObject, object);
}

/**
 * Validates the values of an object, regardless of its old state; undefined if the server accepts them or the kind is not validated.
 * The path is that of the server. So is the message, if the server has one form for many fields.
 *
 * @param sent - the object before it is decoded, if it contains more
 */
export function validateValues(after: StoredObject, versions: Versions, sent: Fields = after): ApplyRejection | undefined {
  const workload = workloadKindOf(after);
  if (workload) return findFirstError([...validateObjectOfKind(workload, after, versions), ...validateKeptLimit(after)], after, sent);
  const { kubernetes: version } = versions;
  const objectValues = OBJECT_VALUES[`${after.apiVersion}/${after.kind}`];
  const refusal = findFirstError(validateMetadata(after, version), after, sent);
  if (refusal || !objectValues) return refusal;
  const { values, checkObject, findings, finalValues = [] } = objectValues;
  return (
    findFirstValueError(after, values, version) ??
    checkObject?.(after, sent) ??
    findFirstError(findings?.(after, version) ?? [], after, sent) ??
    findFirstValueError(after, finalValues, version)
  );
}
