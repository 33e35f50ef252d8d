import { buildTypeFinding, checkFieldTypes } from '../../cluster/rules/type-errors';
import { checkNonNegative } from '../../cluster/rules/invalid-strategy';
import { appendToPath } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import { isInt32 } from '../../core/values/int-or-percent';
import { annotationOf, getFieldsAt } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { METADATA, defineMap } from '../../core/values/schema';
import { validateDeploymentStrategy } from '../../workloads/deployment/validation';
import type { StrategyLocation } from './embedded-strategy';
import { checkBawQuotedInteger } from './rules/quoted-integer';
import { checkUnknownMount } from './rules/unknown-mount';
import { NUMBERS_ANNOTATION, OPERATOR_FIELD_NAMES, parseQuotedNumber } from './strategy';

/** The actor that reads the CR and writes the Deployment, as named in messages. */
const OPERATOR = 'the operator';

/** The fields that the API server validates in every object, even if its CRD preserves unknown fields. */
const OBJECT = defineMap({ metadata: METADATA });

/** Reports what is wrong with a CR as an object, independent of its strategies. */
export function checkOperatorObject(object: Manifest): Finding[] {
  return checkFieldTypes(object, OBJECT);
}

/** Returns the path of the replicas that a strategy applies to. */
export function replicasPathOf({ holderPath }: StrategyLocation): FieldPath {
  return appendToPath(holderPath, 'replicas');
}

/** Reports an invalid number of replicas, quoted or not. The API server accepts the CR, but refuses the Deployment. */
function checkReplicas(written: unknown, path: FieldPath): Finding[] {
  const value = parseQuotedNumber(written);
  if (value === undefined || value === null) return [];
  return isInt32(value)
    ? checkNonNegative({ path, value, rawValue: written, writer: OPERATOR })
    : [buildTypeFinding({ kind: 'wrong-type', path, value, rawValue: written, expected: 'int32' }, { writer: OPERATOR })];
}

/** Reports what is wrong with a CR's strategy, what the operator drops, and what it reads differently from a Deployment. */
export function validateOperatorStrategy(object: Manifest, location: StrategyLocation): Finding[] {
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
    // OperatorRollingUpdate writes the quotes of IBM's page on purpose.
    ...(annotationOf(object, NUMBERS_ANNOTATION) === 'quoted'
      ? []
      : checkBawQuotedInteger(limits, appendToPath(path, rollingUpdate), [maxSurge, maxUnavailable])),
    ...(hasKnownReplicas ? checkBawQuotedInteger(holder, holderPath, ['replicas']) : []),
    ...checkUnknownMount(location),
  ];
}
