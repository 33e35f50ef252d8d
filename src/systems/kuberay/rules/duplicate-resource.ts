import { toFieldPath } from '../../../core/manifest/field-path';
import { defineMessage, extendRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { duplicateResource } from '../../../core/rules/duplicate-resource';

interface DuplicateServicesData {
  readonly name: string;
}

/** Rule about two services of a staged upgrade with the same name. */
export const kuberayDuplicateResource = extendRule(duplicateResource, {
  services: defineMessage<DuplicateServicesData>({
    text: ({ name }) => `Both services are named "${name}", so they would be the same RayService.`,
    help: () => 'Give the next service its own name, such as one that ends in its version.',
    sample: { name: 'llm' },
  }),
});

/** Reports a staged upgrade whose next service has the same name as the current one. */
export function checkKuberayDuplicateResource(current: string, next: string): Finding[] {
  return current === next
    ? [kuberayDuplicateResource.createFinding('services', { path: toFieldPath`next.name`, data: { name: next } })]
    : [];
}
