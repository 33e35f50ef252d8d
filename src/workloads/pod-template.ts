import { toFieldPath } from '../core/manifest/field-path';
import type { FieldPath } from '../core/manifest/field-path';
import { getFieldsAt } from '../core/manifest/manifest';
import type { Fields, Manifest } from '../core/manifest/manifest';

/** A pod template as the input contains it. */
export interface InputTemplate {
  readonly template: Fields;
  /** `spec.template` */
  readonly path: FieldPath;
  /** The object that contains the template. @default - the planned object */
  readonly sourceObject?: Manifest;
}

const INLINE_TEMPLATE_PATH = toFieldPath`spec.template`;

/** Returns the pod template of the object itself. */
export function getInlineTemplate(object: Manifest): InputTemplate {
  return { template: getFieldsAt(object, 'spec', 'template'), path: INLINE_TEMPLATE_PATH };
}
