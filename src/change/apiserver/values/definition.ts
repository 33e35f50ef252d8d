import { getListAt, getValueAt } from '../../../core/manifest/manifest';
import { formatInvalidValue, toTextOrEmpty } from './checks';
import { checkField } from './rule';
import type { Check, ValueRule } from './rule';

/*
 * CustomResourceDefinitions. Source: k/k staging/src/k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go,
 * `ValidateCustomResourceDefinition` and `validateCustomResourceDefinitionSpec`. Schemas are validated where custom resources are.
 */

const checkName: Check = (value, { object }) => {
  const [plural, group] = [getValueAt(object, 'spec', 'names', 'plural'), getValueAt(object, 'spec', 'group')].map(toTextOrEmpty);
  return value === `${plural}.${group}` ? undefined : formatInvalidValue(value, 'must be spec.names.plural+"."+spec.group');
};

const checkStorageVersion: Check = (_value, { object }) => {
  const stored = getListAt(object, 'spec', 'versions').filter((version) => getValueAt(version, 'storage') === true);
  return stored.length === 1 ? undefined : 'Invalid value: …: must have exactly one version marked as storage version';
};

export const DEFINITION_VALUES: readonly ValueRule[] = [
  checkField('metadata.name', checkName),
  checkField('spec.versions', checkStorageVersion),
];
