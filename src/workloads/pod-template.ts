import { toFieldPath } from '../core/field-path';
import type { FieldPath } from '../core/field-path';
import { getFieldsAt } from '../core/manifest';
import type { Fields, Manifest } from '../core/manifest';

/** The pod template of an object, and where it stands. */
export interface LocatedTemplate {
  readonly template: Fields;
  /** `spec.template` */
  readonly path: FieldPath;
  /** The object that has it. @default - the one that is planned */
  readonly sourceObject?: Manifest;
}

const INLINE_TEMPLATE_PATH = toFieldPath`spec.template`;

/** The pod template that stands in the object itself. */
export function getInlineTemplate(object: Manifest): LocatedTemplate {
  return { template: getFieldsAt(object, 'spec', 'template'), path: INLINE_TEMPLATE_PATH };
}
