import { getValueAt, isFields } from '../../../core/manifest/manifest';
import { formatInvalidValue, isSet, requireOneOf, requireValue, toTextOrEmpty } from './checks';
import { checkField } from './rule';
import type { Check, ValueRule } from './rule';

/* Ingresses. Source: k/k pkg/apis/networking/validation/validation.go, `validateHTTPIngressPath` and `validateIngressBackend`. */

const PATH = 'spec.rules[].http.paths[]';

const checkAbsolutePath: Check = (value, { holder }) => {
  const path = toTextOrEmpty(value);
  const mayBeEmpty = holder.pathType === 'ImplementationSpecific';
  return path.startsWith('/') || (mayBeEmpty && path === '') ? undefined : formatInvalidValue(path, 'must be an absolute path');
};

const checkBackend: Check = (value) => {
  const [service, resource] = [getValueAt(value, 'service'), getValueAt(value, 'resource')];
  if (isSet(service) && isSet(resource)) return formatInvalidValue('', 'cannot set both resource and service backends');
  if (isSet(resource)) return undefined;
  if (!isFields(service)) return formatInvalidValue('', 'resource or service backend is required');
  const [name, number] = [getValueAt(service, 'port', 'name'), getValueAt(service, 'port', 'number')];
  if (name && number) return formatInvalidValue('', 'cannot set both port name & port number');
  return name || number ? undefined : 'Required value: port name or number is required';
};

/** Checks only a backend that is set. */
const checkBackendIfSet: Check = (value, location) => (isSet(value) ? checkBackend(value, location) : undefined);

export const INGRESS_VALUES: readonly ValueRule[] = [
  checkField('spec.defaultBackend', checkBackendIfSet),
  checkField(`${PATH}.pathType`, requireValue('pathType must be specified'), requireOneOf('Exact', 'ImplementationSpecific', 'Prefix')),
  checkField(`${PATH}.path`, checkAbsolutePath),
  checkField(`${PATH}.backend`, checkBackend),
];
