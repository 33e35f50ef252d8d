import { toFieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { getFieldsAt, nameOf } from '../../../core/manifest/manifest';
import type { Manifest } from '../../../core/manifest/manifest';
import { canPromote, simulateAnalysis } from '../analysis';
import { isSuspended, primaryNameOf } from '../canary';
import { renderCanary } from './examples';

interface NeverPromotedData {
  readonly canary: string;
  readonly primary: string;
  readonly provider: string;
  /** Whether the router of the provider does not mirror requests, for which the analysis waits. Otherwise no weight or iteration is set. */
  readonly needsMirror: boolean;
}

/** An analysis that never ends. */
export const flaggerNeverPromoted = defineRule({
  code: 'flagger/never-promoted',
  since: '0.1.0',
  severity: 'warning',
  fires:
    'The analysis of a Canary can never end: it sets no stepWeight, stepWeights or iterations, or it waits for a mirror that its provider does not have.',
  why:
    'Flagger starts the pods of a new template next to the primary and then repeats the same check for ever. It does not promote the new template, ' +
    'and the additional pods stay. With provider kubernetes it makes 10 iterations instead. Source: Flagger 1.44.0, pkg/controller/scheduler.go.',
  fix: 'Set stepWeight or iterations in the analysis, or delete mirror.',
  example: renderCanary('', { analysis: 'interval: 30s, threshold: 5, maxWeight: 50' }),
  fixedExample: renderCanary(''),
  messages: {
    never: defineMessage<NeverPromotedData>({
      text: ({ canary, primary, provider, needsMirror }) =>
        `The analysis of Canary "${canary}" never ends: ${
          needsMirror
            ? `it waits for mirrored requests, which Flagger does not route with ${provider}`
            : 'it sets no stepWeight, stepWeights or iterations'
        }. "${primary}" keeps the old version, and the pods of the new one run next to it.`,
      help: ({ needsMirror }) =>
        needsMirror ? 'Delete mirror from the analysis of the Canary.' : 'Set stepWeight or iterations in the analysis of the Canary.',
      sample: { canary: 'web', primary: 'web-primary', provider: 'istio', needsMirror: false },
      variants: [{ canary: 'web', primary: 'web-primary', provider: 'linkerd', needsMirror: true }],
    }),
  },
});

/** Warns about an analysis that never ends. */
export function checkNeverPromoted(target: Manifest, canary: Manifest): Finding[] {
  if (isSuspended(canary) || canPromote(canary)) return [];
  const { stepWeight, stepWeights } = getFieldsAt(canary, 'spec', 'analysis');
  const data = {
    canary: nameOf(canary),
    primary: primaryNameOf(target),
    provider: simulateAnalysis(canary, 0).provider,
    needsMirror: stepWeight !== undefined || stepWeights !== undefined,
  };
  return [flaggerNeverPromoted.createFinding('never', { path: toFieldPath`spec.template`, data })];
}
