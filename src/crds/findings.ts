import type { Finding, Source } from '../core/finding';
import { firstOfEachRule } from '../core/first-of-each-rule';
import type { Manifest } from '../core/manifest';
import { nearestName } from '../core/nearest-name';
import { unknownField } from '../core/rules/unknown-field';
import type { Definitions } from './definition';
import { CrdJudge } from './judge';
import { faultFinding } from './rules/invalid-object';
import { notServedFinding } from './rules/not-served';
import { notEvaluatedFinding } from './rules/rule-not-evaluated';
import type { UnknownField } from './unknown-fields';

function unknownFinding({ path, holder, field, known }: UnknownField): Finding {
  const nearest = nearestName(field, known);
  const data = { holder, field, reader: 'the API server', ...(nearest !== undefined && { nearest }), known };
  return unknownField.finding('unknown', { path, data });
}

/**
 * What the API server says of objects by their CRDs, and once of each rule that is not evaluated.
 *
 * @param isOldKnown - is it known what was there before? What an object breaks then refuses the change, which `crdAdmission` says.
 */
export function crdFindings(
  objects: readonly Manifest[],
  definitions: Definitions,
  locate: (object: object, path: string) => Source | undefined,
  isOldKnown = false,
): Finding[] {
  const judge = new CrdJudge(definitions);
  const unevaluated = new Map<string, Finding>();
  const findings = objects.flatMap((object) => {
    const verdict = judge.verdict(object);
    if (!verdict) {
      const served = definitions.servedVersions(object);
      return definitions.isKind(object) ? [{ ...notServedFinding(object, served), source: locate(object, 'apiVersion') }] : [];
    }
    for (const rule of judge.unevaluated(object, isOldKnown)) {
      const finding = notEvaluatedFinding(rule, verdict.crd, object.apiVersion);
      unevaluated.set(JSON.stringify(finding.data), finding);
    }
    const faults = isOldKnown ? [] : verdict.faults;
    const own = [...faults.map((fault) => faultFinding(fault, verdict.crd)), ...verdict.unknown.map(unknownFinding)];
    return firstOfEachRule(own).map((finding) => ({ ...finding, source: locate(object, finding.path) }));
  });
  return [...findings.map(({ source, ...finding }) => ({ ...finding, ...(source && { source }) })), ...unevaluated.values()];
}
