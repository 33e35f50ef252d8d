import { formatInvalidValue, isSet, toTextOrEmpty } from './checks';
import type { Check } from './rule';

const ZONE_NAME_PART = /^[A-Za-z.\-_0-9+]{1,14}$/;

/** Reports whether a time zone has that name. Go's zone files are case-sensitive, so a name that starts with a lower-case letter is no zone. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Checks a time zone. Source: k/k pkg/apis/batch/validation/validation.go, `validateTimeZone`. */
export const checkTimeZone: Check = (value) => {
  if (!isSet(value)) return undefined;
  const name = toTextOrEmpty(value);
  if (name === '') return formatInvalidValue('', 'timeZone must be nil or non-empty string');
  const isOdd = name.split('/').some((part) => part === '.' || part === '..' || part.startsWith('-') || !ZONE_NAME_PART.test(part));
  if (isOdd) return formatInvalidValue(name, `unknown time zone ${name}`);
  if (name.toLowerCase() === 'local') {
    return formatInvalidValue(name, 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones');
  }
  return isTimeZone(name) ? undefined : formatInvalidValue(name, `unknown time zone ${name}`);
};
