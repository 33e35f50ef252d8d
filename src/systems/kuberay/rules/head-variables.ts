import { toFieldPath } from '../../../core/manifest/field-path';
import type { FieldPath } from '../../../core/manifest/field-path';
import { getListAt, getValueAt } from '../../../core/manifest/manifest';
import type { ParsedRayService } from '../ray-service';

/** Returns the value of a variable of the head's first container; undefined if the variable is not set. */
export function getHeadVariable({ cluster }: ParsedRayService, name: string): unknown {
  const variables = getListAt(cluster, 'headGroupSpec', 'template', 'spec', 'containers', 0, 'env');
  const found = variables.find((variable) => getValueAt(variable, 'name') === name);
  return found && (getValueAt(found, 'value') ?? '');
}

/** Builds the path of the variables of the head's first container. */
export function buildHeadVariablesPath({ paths }: ParsedRayService): FieldPath {
  return toFieldPath`${paths.cluster}.headGroupSpec.template.spec.containers[0].env`;
}
