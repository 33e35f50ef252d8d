import type { CelFunc, CelInput } from '@bufbuild/cel';
import type { FunctionKit } from './function-kit';

const MILLISECONDS_PER_MINUTE = 60_000;
const MILLISECONDS_PER_DAY = 86_400_000;

/** A timestamp of the evaluator. */
interface Timestamp {
  readonly message: { readonly seconds: bigint; readonly nanos: number };
}

/** What the methods of a timestamp return, from a date whose parts in UTC are those in the time zone of the call. */
const PARTS: Readonly<Record<string, (date: Date) => number>> = {
  getFullYear: (date) => date.getUTCFullYear(),
  getMonth: (date) => date.getUTCMonth(),
  getDate: (date) => date.getUTCDate(),
  getDayOfMonth: (date) => date.getUTCDate() - 1,
  getDayOfWeek: (date) => date.getUTCDay(),
  getDayOfYear: (date) => Math.floor((date.getTime() - new Date(date.getTime()).setUTCMonth(0, 1)) / MILLISECONDS_PER_DAY),
  getHours: (date) => date.getUTCHours(),
  getMinutes: (date) => date.getUTCMinutes(),
  getSeconds: (date) => date.getUTCSeconds(),
  getMilliseconds: (date) => date.getUTCMilliseconds(),
};

/** Returns the milliseconds that a named time zone is ahead of UTC at a moment. @throws RangeError for an unknown zone */
function computeZoneOffset(date: Date, timeZone: string): number {
  const numeric = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' } as const;
  const format = new Intl.DateTimeFormat('en-US', { ...numeric, hourCycle: 'h23', timeZone });
  const parts = new Map(format.formatToParts(date).map(({ type, value }) => [type, Number(value)]));
  const partOf = (type: keyof Intl.DateTimeFormatPartTypesRegistry) => parts.get(type) ?? 0;
  // Date.UTC would take a year below 100 for one of the twentieth century.
  const local = new Date(0);
  local.setUTCFullYear(partOf('year'), partOf('month') - 1, partOf('day'));
  local.setUTCHours(partOf('hour'), partOf('minute'), partOf('second'), date.getUTCMilliseconds());
  return local.getTime() - date.getTime();
}

/** Returns a date whose parts in UTC are those of a timestamp in a time zone: that of a name, or of an offset such as `+02:00`. */
function shiftToZone({ message: { seconds, nanos } }: Timestamp, timeZone: string | undefined): Date {
  const date = new Date(Number(seconds) * 1_000 + Math.floor(nanos / 1_000_000));
  if (timeZone === undefined) return date;
  const [, sign, hours, minutes] = /^([+-]?)(\d\d):(\d\d)$/.exec(timeZone) ?? [];
  if (hours === undefined) return new Date(date.getTime() + computeZoneOffset(date, timeZone));
  const offset = (Number(hours) * 60 + Number(minutes)) * MILLISECONDS_PER_MINUTE;
  return new Date(date.getTime() + (sign === '-' ? -offset : offset));
}

/**
 * Creates the functions that read a part of a timestamp. Those of the evaluator compute in the time zone of the machine, in which some hours do not
 * exist.
 *
 * Source: cel-go v0.26 common/types/timestamp.go.
 */
export function createTimestampFunctions({ cel, types: { STRING }, method }: FunctionKit): CelFunc[] {
  const TIMESTAMP = cel.objectType('google.protobuf.Timestamp');
  return Object.entries(PARTS).flatMap(([name, partOf]) => {
    const read = (timestamp: Timestamp, timeZone?: string): CelInput => BigInt(partOf(shiftToZone(timestamp, timeZone)));
    return [method(name, TIMESTAMP, [], read), method(name, TIMESTAMP, [STRING], read)];
  });
}
