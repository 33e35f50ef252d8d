import { formatInvalidValue, toTextOrEmpty } from './checks';
import type { Check } from './rule';

/* CronJob schedules, as the parser of the controller reads them. Source: github.com/robfig/cron/v3 parser.go; k/k pkg/apis/batch/validation, `validateScheduleFormat`. */

/** The range of a schedule field, and the names of its values, if any. */
interface FieldBounds {
  readonly minimum: number;
  readonly maximum: number;
  readonly names: readonly string[];
}

const MONTHS = ['', 'jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const CRON_FIELDS: readonly FieldBounds[] = [
  { minimum: 0, maximum: 59, names: [] },
  { minimum: 0, maximum: 23, names: [] },
  { minimum: 1, maximum: 31, names: [] },
  { minimum: 1, maximum: 12, names: MONTHS },
  { minimum: 0, maximum: 6, names: DAYS },
];

const DESCRIPTORS = ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'];
const EVERY_PREFIX = '@every ';

/** A number, or the parser's error. */
type ParsedNumber = number | { readonly why: string };

function isParseError(parsed: ParsedNumber): parsed is { readonly why: string } {
  return typeof parsed !== 'number';
}

function parseNumber(text: string): ParsedNumber {
  if (!/^[+-]?[0-9]+$/.test(text)) {
    return { why: `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax` };
  }
  return Number(text) < 0 ? { why: `negative number (${Number(text)}) not allowed: ${text}` } : Number(text);
}

function parseNumberOrName(text: string, { names }: FieldBounds): ParsedNumber {
  const nameIndex = text === '' ? -1 : names.indexOf(text.toLowerCase());
  return nameIndex < 0 ? parseNumber(text) : nameIndex;
}

/** Returns the first and last value of a range without its step. */
function parseRange(text: string, expression: string, bounds: FieldBounds): readonly [ParsedNumber, ParsedNumber] {
  const [low = '', high, ...more] = text.split('-');
  if (low === '*' || low === '?') return [bounds.minimum, bounds.maximum];
  const first = parseNumberOrName(low, bounds);
  if (isParseError(first) || high === undefined) return [first, first];
  return [first, more.length > 0 ? { why: `too many hyphens: ${expression}` } : parseNumberOrName(high, bounds)];
}

/** Describes what is wrong with an expression such as `1-5/2`. */
function checkRange(expression: string, bounds: FieldBounds): string | undefined {
  const [range = '', stepText, ...more] = expression.split('/');
  const [first, end] = parseRange(range, expression, bounds);
  if (isParseError(first)) return first.why;
  if (isParseError(end)) return end.why;
  if (more.length > 0) return `too many slashes: ${expression}`;
  const step = stepText === undefined ? 1 : parseNumber(stepText);
  if (isParseError(step)) return step.why;
  const last = stepText !== undefined && !range.includes('-') ? bounds.maximum : end;
  if (first < bounds.minimum) return `beginning of range (${first}) below minimum (${bounds.minimum}): ${expression}`;
  if (last > bounds.maximum) return `end of range (${last}) above maximum (${bounds.maximum}): ${expression}`;
  if (first > last) return `beginning of range (${first}) beyond end of range (${last}): ${expression}`;
  return step === 0 ? `step of range should be a positive number: ${expression}` : undefined;
}

const DURATION_PART = /^(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:ns|us|\u00b5s|\u03bcs|ms|s|m|h)/;

function checkDuration(text: string, expression: string): string | undefined {
  let remaining = text.replace(/^[+-]/, '');
  if (remaining === '0') return undefined;
  const why = `failed to parse duration ${expression}: time: invalid duration ${JSON.stringify(text)}`;
  if (remaining === '') return why;
  while (remaining !== '') {
    const part = DURATION_PART.exec(remaining)?.[0];
    if (part === undefined) return why;
    remaining = remaining.slice(part.length);
  }
  return undefined;
}

/** Returns what is wrong with a schedule; undefined if it is valid. A time zone prefix is refused in any case. */
function findScheduleProblem(text: string): string | undefined {
  const spec = /^(?:CRON_)?TZ=/.test(text) ? text.slice(text.indexOf(' ')).trim() : text;
  if (spec.startsWith(EVERY_PREFIX)) return checkDuration(spec.slice(EVERY_PREFIX.length), spec);
  if (spec.startsWith('@')) return DESCRIPTORS.includes(spec) ? undefined : `unrecognized descriptor: ${spec}`;
  const fields = spec.split(/\s+/).filter((field) => field !== '');
  if (fields.length !== CRON_FIELDS.length)
    return `expected exactly ${CRON_FIELDS.length} fields, found ${fields.length}: [${fields.join(' ')}]`;
  for (const [index, bounds] of CRON_FIELDS.entries()) {
    for (const expression of fields[index]!.split(',').filter((each) => each !== '')) {
      const problem = checkRange(expression, bounds);
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

export const checkSchedule: Check = (value) => {
  const text = toTextOrEmpty(value);
  const problem = findScheduleProblem(text);
  if (problem !== undefined) return formatInvalidValue(text, problem);
  return text.includes('TZ') ? formatInvalidValue(text, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead') : undefined;
};
