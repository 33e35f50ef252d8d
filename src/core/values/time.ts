const TIME = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:[.,](\d{1,3})\d*)?(?:Z|([+-])(\d{2}):(\d{2}))$/;

/**
 * Parses a time to milliseconds; undefined for anything that the API server cannot decode. `Date.parse` also takes other formats, and a text without
 * a zone for the time of this machine.
 *
 * Source: Go 1.24 `time.Parse` with RFC3339.
 */
export function parseTime(value: unknown): number | undefined {
  const found = typeof value === 'string' ? TIME.exec(value) : null;
  if (!found) return undefined;
  const [, year, month, day, hour, minute, second, fraction = '', sign, ...offset] = found;
  const [offsetHours = 0, offsetMinutes = 0] = offset.map((part) => Number(part ?? 0));
  const time = [hour, minute, second].map(Number) as [number, number, number];
  if ([...time, offsetHours, offsetMinutes].some((part, index) => part > [23, 59, 59, 24, 60][index]!)) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  // A month or a day that does not exist becomes another one.
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return undefined;
  const milliseconds = date.setUTCHours(...time, Number(fraction.padEnd(3, '0')));
  return milliseconds - (sign === '-' ? -1 : 1) * (offsetHours * 60 + offsetMinutes) * 60_000;
}
