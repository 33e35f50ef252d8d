import type { Finding, Source } from '../core/finding';
import { capFindingsPerRule } from '../core/cap-findings-per-rule';
import type { Manifest } from '../core/manifest';
import { findClosestName } from '../core/did-you-mean';
import { unknownField } from '../core/rules/unknown-field';
import type { CrdRegistry } from './crd-registry';
import { startClock } from './cel-rules';
import { CrdValidator } from './crd-validator';
import { createInvalidObjectFinding } from './rules/invalid-object';
import { createNotServedByCrdFinding } from './rules/not-served';
import { createRuleNotEvaluatedFinding } from './rules/rule-not-evaluated';
import type { UnknownField } from './unknown-fields';

function createDroppedFieldFinding({ path, parentPath, field, knownFields }: UnknownField): Finding {
  const nearest = findClosestName(field, knownFields);
  const data = { parentPath, field, reader: 'the API server', ...(nearest !== undefined && { nearest }), knownFields };
  return unknownField.createFinding('unknown', { path, data });
}

/**
 * Returns what the API server reports for objects by their CRDs, and one finding per rule that is not evaluated.
 *
 * @param isOldKnown - whether the old objects are known. Then an invalid object makes the API server refuse the change, which
 * `createCrdAdmission` reports.
 * @param seconds - maximum number of seconds for evaluating rules. @default - no limit
 */
export function checkCustomResources(
  objects: readonly Manifest[],
  definitions: CrdRegistry,
  locate: (object: object, path: string) => Source | undefined,
  isOldKnown = false,
  seconds = Infinity,
): Finding[] {
  const validator = new CrdValidator(definitions, startClock(seconds));
  const unevaluated = new Map<string, Finding>();
  const findings = objects.flatMap((object) => {
    const result = validator.validate(object);
    if (!result) {
      const served = definitions.servedVersions(object);
      return definitions.definesKind(object)
        ? [{ ...createNotServedByCrdFinding(object, served), source: locate(object, 'apiVersion') }]
        : [];
    }
    for (const rule of validator.listUnevaluatedRules(object, isOldKnown)) {
      const finding = createRuleNotEvaluatedFinding(rule, result.crd, object.apiVersion);
      unevaluated.set(JSON.stringify(finding.data), finding);
    }
    const fieldErrors = isOldKnown ? [] : result.fieldErrors;
    const own = [
      ...fieldErrors.map((fieldError) => createInvalidObjectFinding(fieldError, result.crd)),
      ...result.unknownFields.map(createDroppedFieldFinding),
    ];
    return capFindingsPerRule(own).map((finding) => ({ ...finding, source: locate(object, finding.path) }));
  });
  return [...findings.map(({ source, ...finding }) => ({ ...finding, ...(source && { source }) })), ...unevaluated.values()];
}
