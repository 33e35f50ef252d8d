import { at } from '../core/field-path';
import type { FieldPath } from '../core/field-path';
import { fieldsAt } from '../core/manifest';
import type { Fields, Manifest } from '../core/manifest';

/** The pod template of an object, and where it stands. */
export interface PlacedTemplate {
  readonly template: Fields;
  /** `spec.template` */
  readonly path: FieldPath;
  /** The object that has it. @default - the one that is planned */
  readonly holder?: Manifest;
}

const OWN_PATH = at`spec.template`;

/** The pod template that stands in the object itself. */
export function ownTemplate(object: Manifest): PlacedTemplate {
  return { template: fieldsAt(object, 'spec', 'template'), path: OWN_PATH };
}
