import { at } from '../../../core/field-path';
import { message, partOf } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { duplicateResource } from '../../../core/rules/duplicate-resource';

interface ServicesData {
  readonly name: string;
}

/** Two services of a staged upgrade that are one. */
export const sameService = partOf(duplicateResource, {
  services: message<ServicesData>({
    text: ({ name }) => `Both services are named "${name}", so they would be one and the same RayService.`,
    help: () => 'Give the next service a name of its own, such as one that ends in its version.',
    sample: { name: 'llm' },
  }),
});

/** The next service of a staged upgrade has to have another name than the current one. */
export function sameServiceFindings(current: string, next: string): Finding[] {
  return current === next ? [sameService.finding('services', { path: at`next.name`, data: { name: next } })] : [];
}
