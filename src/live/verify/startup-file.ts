import type { VerifyReport } from '../../core/document/verify-report';
import { escapeJsonForTerminal } from '../../core/text/escape-output';
import { formatStartupKey } from '../../core/values/startup-seconds';
import { sortBy } from '../../core/collections/sort-by';

/** Formats the measured start-up times of a report as a file that later plans read. */
export function formatStartupFile({ rollouts }: VerifyReport): string {
  const measured = rollouts.flatMap(({ resource, follows = resource, startup }) =>
    startup ? [[formatStartupKey(follows), startup] as const] : [],
  );
  const json = JSON.stringify({ startupSeconds: Object.fromEntries(sortBy(measured, ([key]) => key)) }, undefined, 2);
  return `${escapeJsonForTerminal(json)}\n`;
}
