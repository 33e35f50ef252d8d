import { getLeastInUse } from '../../core/document/service-plan';
import type { ServicePlan, ServiceWave } from '../../core/document/service-plan';
import { joinTruncatedNames, pluralize, truncateNames } from '../../core/text/text-format';
import type { Palette } from '../layout/palette';
import { renderRowTable } from '../layout/row-table';
import type { ColumnAlign } from '../layout/table';
import { formatResourceLabel } from '../findings/text-findings';

/** Columns of the rows of a Service. */
export const SERVICE_COLUMNS = ['wave', 'ready', 'new %', 'answers'] as const;
const ALIGN: readonly ColumnAlign[] = ['right', 'right', 'right', 'left'];

/** Largest number of shares in a line. The JSON has all of them. */
const MAX_SHARES = 6;

/** Formats a share as a whole percentage, `-` if no endpoint is ready. */
function formatShare({ newShare }: ServiceWave): string {
  return newShare === undefined ? '-' : String(Math.round(newShare * 100));
}

/** Formats what answers a connection: `pods`, `terminating pods for 5 s`, `refused`. */
function formatAnswer({ ready, answers, answerSeconds }: ServiceWave): string {
  if (ready > 0) return 'pods';
  if (answers === undefined) return '-';
  if (answers === 'refused') return 'refused';
  return answerSeconds === undefined ? 'terminating pods' : `terminating pods for ${answerSeconds} s`;
}

/** Formats ready endpoints before, at the worst moment and after: `4 -> 0 -> 4 ready endpoints`, or one number if it stays. */
export function formatReadyEndpoints({ readyEndpoints }: ServicePlan): string {
  const { before, after } = readyEndpoints;
  const least = getLeastInUse(readyEndpoints);
  if (before === after && least === before) return pluralize(after, 'ready endpoint');
  const isWorse = least < Math.min(before, after);
  return `${[before, ...(isWorse ? [least] : []), after].join(' -> ')} ready endpoints`;
}

function formatShares(waves: readonly ServiceWave[]): string[] {
  const shares = waves.map(formatShare);
  const changes = shares.filter((share, index) => share !== shares[index - 1]);
  if (changes.length < 2) return [];
  const shown = changes.length > MAX_SHARES ? [...changes.slice(0, MAX_SHARES - 1), '…', changes.at(-1)!] : changes;
  return [`share of the new version in %: ${shown.join(', ')}`];
}

/** Reports whether a Service points to the new version only. It has no endpoints until a new pod is ready, and gets no requests before. */
function isNewVersionOnly({ role }: ServicePlan): boolean {
  return role === 'canary' || role === 'preview';
}

/** Reports whether a Service has fewer ready endpoints at some moment than before and after: its rows then explain why. */
function hasGap(service: ServicePlan): boolean {
  const { before, after } = service.readyEndpoints;
  const isEmpty = getLeastInUse(service.readyEndpoints) === 0 && Math.max(before, after) > 0;
  return !isNewVersionOnly(service) && service.mayAlsoSelect === undefined && isEmpty;
}

/** A Service in words, with the rows that explain a gap. */
export interface DescribedService {
  /** Name of the Service: `Service shop/api`. */
  readonly label: string;
  /** What follows the name: `4 -> 0 -> 4 ready endpoints`. */
  readonly summary: string;
  /** Further lines: the routes that use it, and pods that are not counted. */
  readonly notes: readonly string[];
  /** Rows of its waves if it has no ready endpoint at some moment, in the columns of `SERVICE_COLUMNS`. */
  readonly rows: readonly (readonly string[])[];
}

/** Describes a Service: its ready endpoints before, at the worst moment and after, and the rows if it has none at some moment. */
function describeService(service: ServicePlan): DescribedService {
  const { resource, selects, waves = [], usedBy = [], mayAlsoSelect = [] } = service;
  const names = (resources: ServicePlan['selects']) => joinTruncatedNames(truncateNames(resources.map(formatResourceLabel)));
  const parts = [
    formatReadyEndpoints(service),
    ...(service.role === undefined ? [] : [`the ${service.role} Service of ${names(selects)}`]),
    ...(selects.length > 1 ? [`pods of ${names(selects)}`] : []),
    ...(hasGap(service) || isNewVersionOnly(service) ? [] : formatShares(waves)),
  ];
  return {
    label: formatResourceLabel(resource),
    summary: parts.join('; '),
    notes: [
      ...(usedBy.length > 0 ? [`used by ${names(usedBy)}`] : []),
      ...(mayAlsoSelect.length > 0 ? [`may also select pods of ${names(mayAlsoSelect)}, which are not counted`] : []),
    ],
    rows: hasGap(service) ? waves.map((wave) => [String(wave.wave), String(wave.ready), formatShare(wave), formatAnswer(wave)]) : [],
  };
}

function renderServiceLines({ label, summary, notes, rows }: DescribedService, palette: Palette): string[] {
  const table = renderRowTable(
    [...SERVICE_COLUMNS],
    rows.map((row) => [...row]),
    ALIGN,
    palette,
    { noun: 'wave' },
  );
  return [
    `${palette.heading(label)}: ${summary}`,
    ...notes.map((note) => `  ${note}`),
    ...(rows.length > 0 ? ['', ...table.map((line) => `  ${line}`)] : []),
  ];
}

/** Largest number of Services in a text. The JSON has all of them. */
const MAX_SERVICES = 20;

/** Describes the Services of a plan, those with the fewest ready endpoints first, and counts the omitted ones. */
export function describeServices(services: readonly ServicePlan[]): {
  readonly shown: readonly DescribedService[];
  readonly omitted: number;
} {
  const rank = (service: ServicePlan) => {
    const { before, after } = service.readyEndpoints;
    return isNewVersionOnly(service) ? 1 : getLeastInUse(service.readyEndpoints) / Math.max(1, before, after);
  };
  const shown = services
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, MAX_SERVICES)
    .map(describeService);
  return { shown, omitted: services.length - shown.length };
}

/** Renders the Services of a plan, those with the fewest ready endpoints first. */
export function renderServicesLines(services: readonly ServicePlan[], palette: Palette): string[] {
  const { shown, omitted } = describeServices(services);
  return [
    ...shown.flatMap((service) => renderServiceLines(service, palette)),
    ...(omitted > 0 ? [palette.quiet(`and ${pluralize(omitted, 'more Service')}`)] : []),
  ];
}
