import { invalid, textOf } from './checks';
import type { Check } from './rule';

/* When a CronJob runs, as its controller's parser reads it. Source: github.com/robfig/cron/v3 parser.go; k/k pkg/apis/batch/validation, `validateScheduleFormat`. */

/** The values that a field may have, and the names of some. */
interface Bounds {
  readonly least: number;
  readonly most: number;
  readonly names: readonly string[];
}

const MONTHS = ['', 'jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const FIELDS: readonly Bounds[] = [
  { least: 0, most: 59, names: [] },
  { least: 0, most: 23, names: [] },
  { least: 1, most: 31, names: [] },
  { least: 1, most: 12, names: MONTHS },
  { least: 0, most: 6, names: DAYS },
];

const DESCRIPTORS = ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'];
const EVERY = '@every ';

/** A number, or what the parser says of it. */
type Read = number | { readonly why: string };

function isWhy(read: Read): read is { readonly why: string } {
  return typeof read !== 'number';
}

function numberOf(text: string): Read {
  if (!/^[+-]?[0-9]+$/.test(text)) {
    return { why: `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax` };
  }
  return Number(text) < 0 ? { why: `negative number (${Number(text)}) not allowed: ${text}` } : Number(text);
}

function numberOrName(text: string, { names }: Bounds): Read {
  const named = text === '' ? -1 : names.indexOf(text.toLowerCase());
  return named < 0 ? numberOf(text) : named;
}

/** First and last of a range without its step. */
function limitsOf(text: string, expression: string, bounds: Bounds): readonly [Read, Read] {
  const [low = '', high, ...more] = text.split('-');
  if (low === '*' || low === '?') return [bounds.least, bounds.most];
  const first = numberOrName(low, bounds);
  if (isWhy(first) || high === undefined) return [first, first];
  return [first, more.length > 0 ? { why: `too many hyphens: ${expression}` } : numberOrName(high, bounds)];
}

/** What is wrong with `1-5/2`. */
function rangeProblem(expression: string, bounds: Bounds): string | undefined {
  const [range = '', stepText, ...more] = expression.split('/');
  const [first, end] = limitsOf(range, expression, bounds);
  if (isWhy(first)) return first.why;
  if (isWhy(end)) return end.why;
  if (more.length > 0) return `too many slashes: ${expression}`;
  const step = stepText === undefined ? 1 : numberOf(stepText);
  if (isWhy(step)) return step.why;
  const last = stepText !== undefined && !range.includes('-') ? bounds.most : end;
  if (first < bounds.least) return `beginning of range (${first}) below minimum (${bounds.least}): ${expression}`;
  if (last > bounds.most) return `end of range (${last}) above maximum (${bounds.most}): ${expression}`;
  if (first > last) return `beginning of range (${first}) beyond end of range (${last}): ${expression}`;
  return step === 0 ? `step of range should be a positive number: ${expression}` : undefined;
}

const DURATION_PART = /^(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:ns|us|\u00b5s|\u03bcs|ms|s|m|h)/;

function durationProblem(text: string, whole: string): string | undefined {
  let rest = text.replace(/^[+-]/, '');
  if (rest === '0') return undefined;
  const why = `failed to parse duration ${whole}: time: invalid duration ${JSON.stringify(text)}`;
  if (rest === '') return why;
  while (rest !== '') {
    const part = DURATION_PART.exec(rest)?.[0];
    if (part === undefined) return why;
    rest = rest.slice(part.length);
  }
  return undefined;
}

/** What is wrong with a schedule; undefined where nothing is. A time zone in front of it is refused in any case. */
function scheduleProblem(text: string): string | undefined {
  const spec = /^(?:CRON_)?TZ=/.test(text) ? text.slice(text.indexOf(' ')).trim() : text;
  if (spec.startsWith(EVERY)) return durationProblem(spec.slice(EVERY.length), spec);
  if (spec.startsWith('@')) return DESCRIPTORS.includes(spec) ? undefined : `unrecognized descriptor: ${spec}`;
  const fields = spec.split(/\s+/).filter((field) => field !== '');
  if (fields.length !== FIELDS.length) return `expected exactly ${FIELDS.length} fields, found ${fields.length}: [${fields.join(' ')}]`;
  for (const [index, bounds] of FIELDS.entries()) {
    for (const expression of fields[index]!.split(',').filter((each) => each !== '')) {
      const problem = rangeProblem(expression, bounds);
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

export const schedule: Check = (value) => {
  const text = textOf(value);
  const problem = scheduleProblem(text);
  if (problem !== undefined) return invalid(text, problem);
  return text.includes('TZ') ? invalid(text, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead') : undefined;
};
