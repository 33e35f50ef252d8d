import { toFieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { nameOf } from '../../../core/manifest/manifest';
import type { Manifest } from '../../../core/manifest/manifest';
import type { RolloutAnalysis } from '../../../core/document/rollout';
import { joinWords, pluralize } from '../../../core/text/text-format';
import { simulateAnalysis } from '../analysis';
import { isSuspended, primaryNameOf } from '../canary';
import type { FlaggerPods } from '../canary';
import { renderCanary } from './examples';

interface TargetData {
  readonly canary: string;
  readonly kind: string;
  readonly target: string;
  readonly primary: string;
}

interface AnalysisData extends TargetData {
  /** Pods of the target during the analysis. */
  readonly pods: number;
  /** What the analysis does: `shifts 10, 20 and 30% of the requests to them, one step every 30 s`. Empty if there is none. */
  readonly analysis: string;
}

/** The target of a Canary, which another controller scales and promotes. */
export const flaggerPrimaryServes = defineRule({
  code: 'flagger/primary-serves',
  since: '0.1.0',
  severity: 'info',
  fires: 'A Canary of Flagger targets the workload.',
  why:
    'Flagger keeps the target at 0 pods and serves from a copy, the primary. A new template starts pods of the target for an analysis. ' +
    'If it succeeds, Flagger copies the template and the strategy to the primary, which is a complete rolling update, and scales the target to 0. ' +
    'If it fails, the primary is not changed.',
  fix: 'Nothing has to be done: the plan shows the rolling update of the primary, with the pods of the target next to it.',
  example: renderCanary(''),
  fixedExample: renderCanary('').split('---\n')[0]!,
  messages: {
    target: defineMessage<AnalysisData>({
      text: ({ canary, kind, target, primary, pods, analysis }) =>
        `Canary "${canary}" of Flagger keeps ${kind} "${target}" at 0 pods and serves from "${primary}". A new template starts ${pluralize(pods, 'pod')} of "${target}"` +
        (analysis === ''
          ? `. Once ${pods === 1 ? 'it is' : 'they are'} ready, Flagger skips the analysis: it scales "${target}" to 0 at once and replaces the pods of "${primary}" by its strategy.`
          : `, ${analysis}, then replaces the pods of "${primary}" by its strategy, and scales "${target}" to 0.`),
      sample: {
        canary: 'web',
        kind: 'Deployment',
        target: 'web',
        primary: 'web-primary',
        pods: 3,
        analysis: 'shifts 10, 20 and 30% of the requests to them, one step every 30 s',
      },
      variants: [{ canary: 'web', kind: 'Deployment', target: 'web', primary: 'web-primary', pods: 1, analysis: '' }],
    }),
    suspended: defineMessage<TargetData>({
      text: ({ canary, kind, target, primary }) =>
        `Canary "${canary}" of Flagger is suspended: "${primary}" serves and does not change, and ${kind} "${target}" gets the new template.`,
      help: () => 'Resume the Canary to have the new template analyzed and promoted.',
      sample: { canary: 'web', kind: 'Deployment', target: 'web', primary: 'web-primary' },
    }),
    'not-simulated': defineMessage<TargetData>({
      text: ({ canary, kind, target, primary }) =>
        `Canary "${canary}" of Flagger decides about the pods of ${kind} "${target}": it serves from "${primary}", and the plan shows no waves for a ${kind}.`,
      sample: { canary: 'agent', kind: 'DaemonSet', target: 'agent', primary: 'agent-primary' },
    }),
  },
});

/** Maximum number of steps that a message lists. */
const MAX_LISTED_STEPS = 8;

/** Formats percentages: `10, 20 and 30%`, or of many the first and the last. */
function formatShares(weights: readonly number[]): string {
  if (weights.length > MAX_LISTED_STEPS) return `${weights[0]} to ${weights.at(-1)}% in ${weights.length} steps`;
  return `${joinWords(weights.map(String))}%`;
}

/** Describes what an analysis does. Empty if the Canary skips it. */
function describeAnalysis({ strategy, provider, intervalSeconds, checks, elided = 0 }: RolloutAnalysis, pods: number): string {
  const them = pods === 1 ? 'it' : 'them';
  const progressing = checks.filter(({ phase }) => phase === 'Progressing');
  const weights = [...new Set(progressing.map(({ newWeight }) => newWeight))].filter((weight) => weight > 0);
  const every = `every ${intervalSeconds} s`;
  if (strategy === 'skipped') return '';
  if (strategy === 'canary') return `shifts ${formatShares(weights)} of the requests to ${them}, one step ${every}`;
  // The first row only detects the new version. With a router, a last one sends it all requests.
  const sendsAll = strategy === 'blue-green' && weights.length > 0;
  const count = progressing.length + elided - (sendsAll ? 2 : 1);
  if (strategy === 'ab-testing') return `sends the requests that match to ${them} for ${pluralize(count, 'check')}, one ${every}`;
  const copies = progressing.some(({ mirrors }) => mirrors) ? 'with copies of the requests' : 'without requests';
  return provider === 'kubernetes'
    ? `checks ${them} ${pluralize(count - 1, 'time')} without requests, once ${every}`
    : `checks ${them} ${pluralize(count, 'time')} ${copies}, once ${every}, then sends all requests to ${them}`;
}

/** Reports that Flagger decides about the pods of a workload. */
export function checkPrimaryServes(target: Manifest, canary: Manifest, pods: FlaggerPods | undefined): Finding[] {
  const data = { canary: nameOf(canary), kind: target.kind, target: nameOf(target), primary: primaryNameOf(target) };
  const path = toFieldPath`spec.template`;
  if (isSuspended(canary)) return [flaggerPrimaryServes.createFinding('suspended', { path, data })];
  if (!pods) return [flaggerPrimaryServes.createFinding('not-simulated', { path, data })];
  const analysis = simulateAnalysis(canary, pods.canary);
  // The finding about an analysis that never ends says what becomes of the new template.
  if (analysis.outcome === 'never-promoted') return [];
  return [
    flaggerPrimaryServes.createFinding('target', {
      path,
      data: { ...data, pods: pods.canary, analysis: describeAnalysis(analysis, pods.canary) },
    }),
  ];
}
