import { toFieldPath } from '../../../core/field-path';
import { defineMessage, defineRule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { getFieldsAt, nameOf } from '../../../core/manifest';
import type { Manifest } from '../../../core/manifest';
import { pluralize } from '../../../core/text-format';
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
  /** How the analysis shifts requests: `in steps of 10% up to 50%, one every 30s`. Empty if it is not known. */
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
        `${analysis === '' ? ' for an analysis' : `, shifts requests to ${pods === 1 ? 'it' : 'them'} ${analysis}`}, then replaces the pods of "${primary}" by its strategy, and scales "${target}" to 0.`,
      sample: {
        canary: 'web',
        kind: 'Deployment',
        target: 'web',
        primary: 'web-primary',
        pods: 3,
        analysis: 'in steps of 10% up to 50%, one every 30s',
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

/** Describes how an analysis shifts requests. Empty if the Canary has no numbers for it. */
function describeAnalysis(canary: Manifest): string {
  const { interval, maxWeight, stepWeight, stepWeights, iterations } = getFieldsAt(canary, 'spec', 'analysis');
  const pace = typeof interval === 'string' ? `, one every ${interval}` : '';
  if (Array.isArray(stepWeights)) return `in steps of ${stepWeights.map((weight) => `${String(weight)}%`).join(', ')}${pace}`;
  if (typeof stepWeight === 'number') return `in steps of ${stepWeight}% up to ${typeof maxWeight === 'number' ? maxWeight : 100}%${pace}`;
  return typeof iterations === 'number' ? `after ${pluralize(iterations, 'check')}${pace}` : '';
}

/** Reports that Flagger decides about the pods of a workload. */
export function checkPrimaryServes(target: Manifest, canary: Manifest, pods: FlaggerPods | undefined): Finding[] {
  const data = { canary: nameOf(canary), kind: target.kind, target: nameOf(target), primary: primaryNameOf(target) };
  const path = toFieldPath`spec.template`;
  if (isSuspended(canary)) return [flaggerPrimaryServes.createFinding('suspended', { path, data })];
  if (!pods) return [flaggerPrimaryServes.createFinding('not-simulated', { path, data })];
  return [flaggerPrimaryServes.createFinding('target', { path, data: { ...data, pods: pods.canary, analysis: describeAnalysis(canary) } })];
}
