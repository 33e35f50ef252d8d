import type { Finding, Source } from '../core/findings/finding';
import { capFindingsPerRule, createCountedFindings } from '../core/findings/finding-limits';
import { ROOT_PATH } from '../core/manifest/field-path';
import { describeObject } from '../core/manifest/manifest';
import type { Manifest } from '../core/manifest/manifest';
import { DeadlineError } from '../core/budget/deadline';
import { getErrorMessage } from '../core/errors/error-message';
import { findClosestName } from '../core/errors/did-you-mean';
import { formatDisplayValue } from '../core/text/display-value';
import { unreadable } from '../core/rules/unreadable';
import { unknownField } from '../core/rules/unknown-field';
import type { CrdRegistry } from './crd-registry';
import { CrdValidator } from './crd-validator';
import type { CrdValidationResult } from './crd-validator';
import { truncateValues } from './field-error';
import { createInvalidObjectFinding } from './rules/invalid-object';
import { createNotServedByCrdFinding } from './rules/not-served';
import { createObjectNotValidatedFinding, createRuleNotEvaluatedFinding } from './rules/rule-not-evaluated';
import type { UnknownField } from './unknown-fields';
import { toValidationClock, ValidationLimitError } from './validation-clock';
import type { ValidationClock } from './validation-clock';

function createDroppedFieldFinding({ path, parentPath, field, knownFields }: UnknownField): Finding {
  const nearest = findClosestName(field, knownFields);
  const data = {
    parentPath,
    field,
    reader: 'the API server',
    ...(nearest !== undefined && { nearest }),
    knownFields: truncateValues(knownFields).map((name) => (typeof name === 'string' ? name : formatDisplayValue(name))),
  };
  return unknownField.createFinding('unknown', { path, data });
}

function withSource(finding: Finding, source: Source | undefined): Finding {
  return source ? { ...finding, source } : finding;
}

/** Returns the findings of a result. Looking for the name that was meant takes time for each known field. */
function createFindings({ crd, fieldErrors, unknownFields }: CrdValidationResult, clock: ValidationClock): Finding[] {
  return [
    ...createCountedFindings(fieldErrors, (fieldError) => createInvalidObjectFinding(fieldError, crd)),
    ...createCountedFindings(unknownFields, (field) => {
      clock.tick(field.knownFields.length);
      return createDroppedFieldFinding(field);
    }),
  ];
}

/** Creates the finding about an object on which validation fails. */
function createFailureFinding(object: Manifest, error: unknown, source: Source | undefined): Finding {
  const data = { resource: describeObject(object), error: getErrorMessage(error) };
  return withSource(unreadable.createFinding('failed', { path: ROOT_PATH, data }), source);
}

/**
 * Returns what the API server reports for objects by their CRDs, one finding per rule that is not evaluated, and one per object that
 * exceeds a limit. After the time limit, no further object is validated.
 *
 * @param isOldKnown - whether the old objects are known. Then an invalid object makes the API server refuse the change, which
 * `createCrdAdmission` reports.
 * @param limit - maximum number of seconds, or a clock that other work shares. @default - no limit
 */
export function checkCustomResources(
  objects: readonly Manifest[],
  definitions: CrdRegistry,
  locate: (object: object, path: string) => Source | undefined,
  isOldKnown = false,
  limit: number | ValidationClock = Infinity,
): Finding[] {
  const clock = toValidationClock(limit);
  const validator = new CrdValidator(definitions, clock);
  let isLate = false;
  const unevaluated = new Map<string, Finding>();
  const validate = (object: Manifest): Finding[] => {
    const result = validator.validate(object);
    if (!result) {
      const served = definitions.servedVersions(object);
      return definitions.definesKind(object) ? [withSource(createNotServedByCrdFinding(object, served), locate(object, 'apiVersion'))] : [];
    }
    for (const rule of validator.listUnevaluatedRules(object, isOldKnown)) {
      const finding = createRuleNotEvaluatedFinding(rule, result.crd, object.apiVersion);
      unevaluated.set(JSON.stringify(finding.data), finding);
    }
    const own = createFindings(isOldKnown ? { ...result, fieldErrors: [] } : result, clock);
    return capFindingsPerRule(own).map((finding) => withSource(finding, locate(object, finding.path)));
  };
  const findings = objects.flatMap((object) => {
    if (isLate) return [];
    try {
      return validate(object);
    } catch (error) {
      if (error instanceof DeadlineError) throw error;
      if (!(error instanceof ValidationLimitError)) return [createFailureFinding(object, error, locate(object, ROOT_PATH))];
      isLate = error.reason === 'seconds';
      return [withSource(createObjectNotValidatedFinding(object, error.reason, clock.seconds), locate(object, ROOT_PATH))];
    }
  });
  return [...findings, ...unevaluated.values()];
}
