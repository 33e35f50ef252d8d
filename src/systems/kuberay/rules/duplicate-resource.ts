import { toFieldPath } from '../../../core/field-path';
import { defineMessage, extendRule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { duplicateResource } from '../../../core/rules/duplicate-resource';

interface DuplicateServicesData {
  readonly name: string;
}

/** Two services of a staged upgrade that are one. */
export const kuberayDuplicateResource = extendRule(duplicateResource, {
  services: defineMessage<DuplicateServicesData>({
    text: ({ name }) => `Both services are named "${name}", so they would be one and the same RayService.`,
    help: () => 'Give the next service a name of its own, such as one that ends in its version.',
    sample: { name: 'llm' },
  }),
});

/** The next service of a staged upgrade has to have another name than the current one. */
export function checkKuberayDuplicateResource(current: string, next: string): Finding[] {
  return current === next
    ? [kuberayDuplicateResource.createFinding('services', { path: toFieldPath`next.name`, data: { name: next } })]
    : [];
}
