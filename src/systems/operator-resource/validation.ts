import { buildTypeFinding, checkFieldTypes } from '../../cluster/type-errors';
import { checkNonNegative } from '../../cluster/rules/invalid-strategy';
import { appendToPath } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import { isInt32 } from '../../core/int-or-percent';
import { getFieldsAt } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import { METADATA, defineMap } from '../../core/schema';
import { validateDeploymentStrategy } from '../../workloads/deployment/validation';
import type { StrategyLocation } from './embedded-strategy';
import { checkBawQuotedInteger } from './rules/quoted-integer';
import { checkUnknownMount } from './rules/unknown-mount';
import { OPERATOR_FIELD_NAMES, parseQuotedNumber } from './strategy';

/** Who reads the CR and writes the Deployment, as messages name it. */
const OPERATOR = 'the operator';

/** What every object of the API is read as, whatever its definition keeps unchecked. */
const OBJECT = defineMap({ metadata: METADATA });

/** What is wrong with a CR as an object, wherever its strategies stand. */
export function checkOperatorObject(object: Manifest): Finding[] {
  return checkFieldTypes(object, OBJECT);
}

/** Where a CR has the number of pods to which a strategy applies. */
export function replicasPathOf({ holderPath }: StrategyLocation): FieldPath {
  return appendToPath(holderPath, 'replicas');
}

/** What is wrong with a number of pods, in quotes or not. The API server takes the CR, and refuses the Deployment. */
function checkReplicas(written: unknown, path: FieldPath): Finding[] {
  const value = parseQuotedNumber(written);
  if (value === undefined || value === null) return [];
  return isInt32(value)
    ? checkNonNegative({ path, value, rawValue: written, writer: OPERATOR })
    : [buildTypeFinding({ kind: 'wrong-type', path, value, rawValue: written, expected: 'int32' }, { writer: OPERATOR })];
}

/** What is wrong with a CR's strategy, what the operator drops of it, and what it reads otherwise than a Deployment would. */
export function validateOperatorStrategy(location: StrategyLocation): Finding[] {
  const { strategy, path, holder, holderPath, hasKnownReplicas } = location;
  const { rollingUpdate, maxSurge, maxUnavailable } = OPERATOR_FIELD_NAMES;
  const limits = getFieldsAt(strategy, rollingUpdate);
  return [
    ...validateDeploymentStrategy(strategy, {
      path,
      names: OPERATOR_FIELD_NAMES,
      read: parseQuotedNumber,
      reader: OPERATOR,
      writer: OPERATOR,
    }),
    ...(hasKnownReplicas ? checkReplicas(holder.replicas, replicasPathOf(location)) : []),
    ...checkBawQuotedInteger(limits, appendToPath(path, rollingUpdate), [maxSurge, maxUnavailable]),
    ...(hasKnownReplicas ? checkBawQuotedInteger(holder, holderPath, ['replicas']) : []),
    ...checkUnknownMount(location),
  ];
}
