import { utf8Length } from '../../../core/bytes';
import { fieldsAt, isFields } from '../../../core/manifest';
import { invalid, keyFormatted, required, textOf, when } from './checks';
import { as, on } from './rule';
import type { Check, Place, ValueRule } from './rule';

/* ConfigMaps and Secrets; no value of a Secret is ever part of the words. Source: k/k pkg/apis/core/validation/validation.go. */

const MOST_BYTES = 1_048_576;

/** Bytes of an entry, of which base64 has 4 for every 3. */
function sizeOf(value: unknown, isEncoded: boolean): number {
  const text = textOf(value);
  if (!isEncoded) return utf8Length(text);
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return (text.length / 4) * 3 - padding;
}

function sizeIn(value: unknown, isEncoded: boolean): number {
  return isFields(value) ? Object.values(value).reduce<number>((sum, each) => sum + sizeOf(each, isEncoded), 0) : 0;
}

function tooLong(size: (place: Place) => number): Check {
  return (_value, place) => (size(place) > MOST_BYTES ? `Too long: may not be more than ${MOST_BYTES} bytes` : undefined);
}

const notInBinary: Check = (_value, { object, key }) =>
  Object.hasOwn(fieldsAt(object, 'binaryData'), key) ? invalid(key, 'duplicate of key present in binaryData') : undefined;

export const CONFIG_MAP_VALUES: readonly ValueRule[] = [
  on('data{}', keyFormatted('config-key'), notInBinary),
  on('binaryData{}', keyFormatted('config-key')),
  as(
    '',
    on(
      'metadata',
      tooLong(({ object }) => sizeIn(object.data, false) + sizeIn(object.binaryData, true)),
    ),
  ),
];

/** What a Secret of a type has to hold. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
};

const BASIC_AUTH = ['username', 'password'];
const ACCOUNT_NAME = 'kubernetes.io/service-account.name';

function holds({ object }: Place, key: string): boolean {
  return Object.hasOwn(fieldsAt(object, 'data'), key);
}

function neededRules([type, keys]: readonly [string, readonly string[]]): ValueRule[] {
  return keys.map((key) =>
    as(
      `data[${key}]`,
      on('metadata', (_value, place) => (place.object.type === type && !holds(place, key) ? 'Required value' : undefined)),
    ),
  );
}

const hasNeither = (place: Place) => place.object.type === 'kubernetes.io/basic-auth' && !BASIC_AUTH.some((key) => holds(place, key));

export const SECRET_VALUES: readonly ValueRule[] = [
  on('data{}', keyFormatted('config-key')),
  as(
    'data',
    on(
      'metadata',
      tooLong(({ object }) => sizeIn(object.data, true)),
    ),
  ),
  as(
    `metadata.annotations[${ACCOUNT_NAME}]`,
    on(
      'metadata',
      when(
        ({ object }) => object.type === 'kubernetes.io/service-account-token',
        (_value, place) => required()(fieldsAt(place.object, 'metadata', 'annotations')[ACCOUNT_NAME], place),
      ),
    ),
  ),
  ...Object.entries(NEEDED).flatMap(neededRules),
  as(
    'data[username]',
    on('metadata', (_value, place) => (hasNeither(place) ? 'Required value' : undefined)),
  ),
];
