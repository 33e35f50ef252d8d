import type { PlanContext } from '../../../cluster/context/context';
import { CONTEXT_KINDS } from '../../../cluster/kinds/context-kinds';
import { toFieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { nameOf } from '../../../core/manifest/manifest';
import { findCanary, findSelectorLabel, findTarget, SELECTOR_LABELS } from '../canary';
import { renderCanary } from './examples';

interface SelectorData {
  readonly canary: string;
  readonly kind: string;
  readonly target: string;
}

const NAMES = SELECTOR_LABELS.join(', ');

/** A target whose selector Flagger cannot work with. */
export const flaggerSelectorLabel = defineRule({
  code: 'flagger/selector-label',
  since: '0.1.0',
  severity: 'warning',
  fires: 'The selector of a target has none of the labels that Flagger looks for, and no primary is in the input.',
  why:
    'Flagger gives the primary another value of one label of the selector, and looks for app, name and app.kubernetes.io/name unless its flag -selector-labels ' +
    'names others. Without one of them it makes no primary and leaves the workload alone: every change rolls out at once. Source: Flagger 1.44.0, ' +
    'pkg/canary/deployment_controller.go, `getSelectorLabel`.',
  fix: 'Add one of the labels to the selector of a new workload, since a selector is immutable, or add the label to -selector-labels.',
  example: renderCanary('', { label: 'component' }),
  fixedExample: renderCanary(''),
  messages: {
    missing: defineMessage<SelectorData>({
      text: ({ canary, kind, target }) =>
        `Canary "${canary}" has no effect: Flagger looks for ${NAMES} in the selector of ${kind} "${target}" and finds none, so it makes no primary, and changes roll out without an analysis.`,
      help: () => `Use one of these labels in the selector, or start Flagger with -selector-labels that name yours.`,
      sample: { canary: 'web', kind: 'Deployment', target: 'web' },
    }),
  },
});

/** Warns about Canaries whose target Flagger leaves alone. */
export function checkSelectorLabels(context: PlanContext): Finding[] {
  return context.all(CONTEXT_KINDS.flaggerCanary).flatMap((canary) => {
    const target = findTarget(canary, context);
    if (!target || findSelectorLabel(target) !== undefined || findCanary(target, context)) return [];
    const path = toFieldPath`spec.targetRef`;
    const source = context.locate(canary, path);
    const data = { canary: nameOf(canary), kind: target.kind, target: nameOf(target) };
    return [flaggerSelectorLabel.createFinding('missing', { path, data, ...(source && { source }) })];
  });
}
