import { invalid, isGiven, textOf } from './checks';
import type { Check } from './rule';

const PART = /^[A-Za-z.\-_0-9+]{1,14}$/;

/** Has the data of time zones a zone of that name? Go's files are told apart by case, so the name that is found has to be the one written. */
function isZone(name: string): boolean {
  if (!/^[A-Z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Source: k/k pkg/apis/batch/validation/validation.go, `validateTimeZone`. */
export const timeZone: Check = (value) => {
  if (!isGiven(value)) return undefined;
  const name = textOf(value);
  if (name === '') return invalid('', 'timeZone must be nil or non-empty string');
  const isOdd = name.split('/').some((part) => part === '.' || part === '..' || part.startsWith('-') || !PART.test(part));
  if (isOdd) return invalid(name, `unknown time zone ${name}`);
  if (name.toLowerCase() === 'local') {
    return invalid(name, 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones');
  }
  return isZone(name) ? undefined : invalid(name, `unknown time zone ${name}`);
};
