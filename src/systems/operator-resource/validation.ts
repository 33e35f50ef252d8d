import { typeFinding, typeFindings } from '../../cluster/refusals';
import { negativeFindings } from '../../cluster/rules/invalid-strategy';
import { childPath } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import { isInt32 } from '../../core/int-or-percent';
import { fieldsAt } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import { METADATA, map } from '../../core/schema';
import { deploymentStrategyFindings } from '../../workloads/deployment/validation';
import type { Mount } from './mount';
import { quotedFindings } from './rules/quoted-integer';
import { unknownMountFindings } from './rules/unknown-mount';
import { OPERATOR_NAMES, unquoted } from './strategy';

/** Who reads the CR and writes the Deployment, as messages name it. */
const OPERATOR = 'the operator';

/** What every object of the API is read as, whatever its definition keeps unchecked. */
const OBJECT = map({ metadata: METADATA });

/** What is wrong with a CR as an object, wherever its strategies stand. */
export function objectFindings(object: Manifest): Finding[] {
  return typeFindings(object, OBJECT);
}

/** Where a CR has the number of pods to which a strategy applies. */
export function replicasPathOf({ holderPath }: Mount): FieldPath {
  return childPath(holderPath, 'replicas');
}

/** What is wrong with a number of pods, in quotes or not. The API server takes the CR, and refuses the Deployment. */
function countFindings(written: unknown, path: FieldPath): Finding[] {
  const value = unquoted(written);
  if (value === undefined || value === null) return [];
  return isInt32(value)
    ? negativeFindings({ path, value, written, writer: OPERATOR })
    : [typeFinding({ kind: 'wrong-type', path, value, written, expected: 'int32' }, { writer: OPERATOR })];
}

/** What is wrong with a CR's strategy, what the operator drops of it, and what it reads otherwise than a Deployment would. */
export function strategyFindings(mount: Mount): Finding[] {
  const { strategy, path, holder, holderPath, hasKnownReplicas } = mount;
  const { rollingUpdate, maxSurge, maxUnavailable } = OPERATOR_NAMES;
  const limits = fieldsAt(strategy, rollingUpdate);
  return [
    ...deploymentStrategyFindings(strategy, {
      path,
      names: OPERATOR_NAMES,
      read: unquoted,
      reader: OPERATOR,
      writer: OPERATOR,
    }),
    ...(hasKnownReplicas ? countFindings(holder.replicas, replicasPathOf(mount)) : []),
    ...quotedFindings(limits, childPath(path, rollingUpdate), [maxSurge, maxUnavailable]),
    ...(hasKnownReplicas ? quotedFindings(holder, holderPath, ['replicas']) : []),
    ...unknownMountFindings(mount),
  ];
}
