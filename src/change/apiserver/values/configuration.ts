import { countUtf8Bytes } from '../../../core/values/bytes';
import { getFieldsAt, isFields } from '../../../core/manifest/manifest';
import { formatInvalidValue, requireKeyFormat, requireValue, toTextOrEmpty, checkWhen } from './checks';
import { reportAs, checkField } from './rule';
import type { Check, ValueLocation, ValueRule } from './rule';

/* ConfigMaps and Secrets. No message contains a value of a Secret. Source: k/k pkg/apis/core/validation/validation.go. */

const MAX_BYTES = 1_048_576;

/** Returns the bytes of an entry; base64 has 4 characters for every 3 bytes: `aGk=` is 4 / 4 * 3 - 1 = 2 bytes. */
function entrySizeOf(value: unknown, isEncoded: boolean): number {
  const text = toTextOrEmpty(value);
  if (!isEncoded) return countUtf8Bytes(text);
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return (text.length / 4) * 3 - padding;
}

function sumEntrySizes(value: unknown, isEncoded: boolean): number {
  return isFields(value) ? Object.values(value).reduce<number>((sum, each) => sum + entrySizeOf(each, isEncoded), 0) : 0;
}

function limitSize(size: (location: ValueLocation) => number): Check {
  return (_value, location) => (size(location) > MAX_BYTES ? `Too long: may not be more than ${MAX_BYTES} bytes` : undefined);
}

const checkNotInBinaryData: Check = (_value, { object, key }) =>
  Object.hasOwn(getFieldsAt(object, 'binaryData'), key) ? formatInvalidValue(key, 'duplicate of key present in binaryData') : undefined;

export const CONFIG_MAP_VALUES: readonly ValueRule[] = [
  checkField('data{}', requireKeyFormat('config-key'), checkNotInBinaryData),
  checkField('binaryData{}', requireKeyFormat('config-key')),
  reportAs(
    '',
    checkField(
      'metadata',
      limitSize(({ object }) => sumEntrySizes(object.data, false) + sumEntrySizes(object.binaryData, true)),
    ),
  ),
];

/** Keys that a Secret of a type must contain. */
const REQUIRED_SECRET_KEYS: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
};

const BASIC_AUTH_KEYS = ['username', 'password'];
const SERVICE_ACCOUNT_ANNOTATION = 'kubernetes.io/service-account.name';

function hasDataKey({ object }: ValueLocation, key: string): boolean {
  return Object.hasOwn(getFieldsAt(object, 'data'), key);
}

function buildRequiredKeyRules([type, keys]: readonly [string, readonly string[]]): ValueRule[] {
  return keys.map((key) =>
    reportAs(
      `data[${key}]`,
      checkField('metadata', (_value, location) =>
        location.object.type === type && !hasDataKey(location, key) ? 'Required value' : undefined,
      ),
    ),
  );
}

const hasNoBasicAuthKey = (location: ValueLocation) =>
  location.object.type === 'kubernetes.io/basic-auth' && !BASIC_AUTH_KEYS.some((key) => hasDataKey(location, key));

export const SECRET_VALUES: readonly ValueRule[] = [
  checkField('data{}', requireKeyFormat('config-key')),
  reportAs(
    'data',
    checkField(
      'metadata',
      limitSize(({ object }) => sumEntrySizes(object.data, true)),
    ),
  ),
  reportAs(
    `metadata.annotations[${SERVICE_ACCOUNT_ANNOTATION}]`,
    checkField(
      'metadata',
      checkWhen(
        ({ object }) => object.type === 'kubernetes.io/service-account-token',
        (_value, location) => requireValue()(getFieldsAt(location.object, 'metadata', 'annotations')[SERVICE_ACCOUNT_ANNOTATION], location),
      ),
    ),
  ),
  ...Object.entries(REQUIRED_SECRET_KEYS).flatMap(buildRequiredKeyRules),
  reportAs(
    'data[username]',
    checkField('metadata', (_value, location) => (hasNoBasicAuthKey(location) ? 'Required value' : undefined)),
  ),
];
