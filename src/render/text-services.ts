import type { ServicePlan, ServiceWave } from '../core/service-plan';
import { joinTruncatedNames, pluralize, truncateNames } from '../core/text-format';
import type { Palette } from './palette';
import { renderRowTable } from './row-table';
import type { ColumnAlign } from './table';
import { formatResourceLabel } from './text-findings';

const HEAD = ['wave', 'ready', 'new %', 'answers'];
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
export function formatReadyEndpoints({ readyEndpoints: { before, least, after } }: ServicePlan): string {
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
  const { before, least, after } = service.readyEndpoints;
  return !isNewVersionOnly(service) && service.mayAlsoSelect === undefined && least === 0 && Math.max(before, after) > 0;
}

/** Renders a Service: its ready endpoints before, at the worst moment and after, and the rows if it has none at some moment. */
function renderServiceLines(service: ServicePlan, palette: Palette): string[] {
  const { resource, selects, waves = [], usedBy = [], mayAlsoSelect = [] } = service;
  const names = (resources: ServicePlan['selects']) => joinTruncatedNames(truncateNames(resources.map(formatResourceLabel)));
  const rows = waves.map((wave) => [String(wave.wave), String(wave.ready), formatShare(wave), formatAnswer(wave)]);
  const parts = [
    formatReadyEndpoints(service),
    ...(service.role === undefined ? [] : [`the ${service.role} Service of ${names(selects)}`]),
    ...(selects.length > 1 ? [`pods of ${names(selects)}`] : []),
    ...(hasGap(service) || isNewVersionOnly(service) ? [] : formatShares(waves)),
  ];
  return [
    `${palette.heading(formatResourceLabel(resource))}: ${parts.join('; ')}`,
    ...(usedBy.length > 0 ? [`  used by ${names(usedBy)}`] : []),
    ...(mayAlsoSelect.length > 0 ? [`  may also select pods of ${names(mayAlsoSelect)}, which are not counted`] : []),
    ...(hasGap(service) && rows.length > 0
      ? ['', ...renderRowTable(HEAD, rows, ALIGN, palette, { noun: 'wave' }).map((line) => `  ${line}`)]
      : []),
  ];
}

/** Largest number of Services in a text. The JSON has all of them. */
const MAX_SERVICES = 20;

/** Renders the Services of a plan, those with the fewest ready endpoints first. */
export function renderServicesLines(services: readonly ServicePlan[], palette: Palette): string[] {
  const rank = (service: ServicePlan) => {
    const { before, least, after } = service.readyEndpoints;
    return isNewVersionOnly(service) ? 1 : least / Math.max(1, before, after);
  };
  const sorted = services.toSorted((a, b) => rank(a) - rank(b));
  const omitted = sorted.length - MAX_SERVICES;
  return [
    ...sorted.slice(0, MAX_SERVICES).flatMap((service) => renderServiceLines(service, palette)),
    ...(omitted > 0 ? [palette.quiet(`and ${pluralize(omitted, 'more Service')}`)] : []),
  ];
}
