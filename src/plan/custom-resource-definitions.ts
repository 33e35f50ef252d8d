import { checkCustomResources } from '../crds/check-custom-resources';
import type { CrdRegistry } from '../crds/crd-registry';
import { listPrunedFields } from '../crds/unknown-fields';
import type { PlanInput } from './plan-input';

/**
 * Returns the input with the findings about its custom resources by the CRDs of the options, which decide about their fields.
 *
 * @param isOldKnown - whether the input is compared with an OLD, so the transition rules of CRDs apply
 */
export function validateWithCrds(input: PlanInput, definitions: CrdRegistry | undefined, isOldKnown: boolean, seconds?: number): PlanInput {
  if (!definitions) return input;
  const { objects, findings = [], locate = () => undefined } = input;
  return {
    ...input,
    findings: [...findings, ...checkCustomResources(objects, definitions, locate, isOldKnown, seconds)],
    listUnknownFields: (object) => listPrunedFields(object, definitions),
  };
}
