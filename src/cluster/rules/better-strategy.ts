import { appendToPath } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../core/findings/finding';
import type { Finding } from '../../core/findings/finding';
import { formatSeconds } from '../../core/document/goal-text';
import { suggestManualFix, setField } from '../../core/findings/suggested-fix';
import { joinWords, pluralize } from '../../core/text/text-format';
import { READY_WEB, renderDeploymentOf } from '../pods/rules/examples';

/** A figure that is better with another strategy. */
export interface BetterFigure {
  readonly figure: 'seconds' | 'waves' | 'extraPods' | 'leastAvailable' | 'brokenByBadVersion';
  /** Value with the present strategy. */
  readonly present: number;
  /** Value with the better strategy. */
  readonly better: number;
}

/** Data of the finding. */
export interface BetterStrategyData {
  /** The limits, in the terms of the object: `maxSurge 3, maxUnavailable 1`. */
  readonly limits: string;
  readonly figures: readonly BetterFigure[];
  /** The strategy in the terms of the object. */
  readonly value: unknown;
}

const FIGURE_WORDS: Readonly<Record<BetterFigure['figure'], (present: number, better: number) => string>> = {
  seconds: (present, better) => `it takes ${formatSeconds(better)} instead of ${formatSeconds(present)}`,
  waves: (present, better) => `it takes ${pluralize(better, 'wave')} instead of ${present}`,
  extraPods: (present, better) => `it needs ${pluralize(better, 'extra pod')} instead of ${present}`,
  leastAvailable: (present, better) => `${better} instead of ${present} stay available`,
  brokenByBadVersion: (present, better) => `a bad version breaks ${better} instead of ${present}`,
};

function formatFigure({ figure, present, better }: BetterFigure): string {
  return FIGURE_WORDS[figure](present, better);
}

function buildExample(maxUnavailable: string): string {
  const spec = `  strategy:
    type: RollingUpdate
    rollingUpdate:
      maxSurge: 3
      maxUnavailable: ${maxUnavailable}
`;
  return renderDeploymentOf({ replicas: 11, spec, containers: READY_WEB });
}

/** Reports that another strategy is better in at least one figure and worse in none. */
export const betterStrategy = defineRule({
  code: 'kubernetes/better-strategy',
  since: '0.1.0',
  severity: 'info',
  fires:
    'Smaller limits of the strategy are as good in every figure and better in one, under the same quotas, nodes and autoscalers. ' +
    'Only `rolloutkit plan` reports it.',
  why:
    'A rollout of 11 pods with 5 of them in flight takes 3 waves, and so does one with 4 in flight, which keeps one more pod available. ' +
    'The figures are the time, the extra pods, the fewest available pods, and the pods that a bad version breaks. ' +
    'A strategy is only reported if it leads to no other finding. A strategy that is refused, that may not fit, or that recreates all pods at once is not compared.',
  fix: 'Write the limits of the message. `rolloutkit advise` shows all strategies. If the number of replicas often changes, keep percentages and switch the rule off.',
  example: buildExample('2'),
  fixedExample: buildExample('1'),
  messages: {
    better: defineMessage<BetterStrategyData>({
      text: ({ limits, figures }) => `${limits} is strictly better: ${joinWords(figures.map(formatFigure))}. No figure is worse.`,
      help: ({ limits }) => `Write ${limits}, or run rolloutkit advise for all strategies.`,
      suggestedFix: ({ value }, path) => suggestManualFix(setField(path, value)),
      sample: {
        limits: 'maxSurge 3, maxUnavailable 1',
        figures: [
          { figure: 'leastAvailable', present: 9, better: 10 },
          { figure: 'brokenByBadVersion', present: 5, better: 4 },
        ],
        value: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 3, maxUnavailable: 1 } },
      },
      variants: [
        {
          limits: 'maxSurge 1, maxUnavailable 0',
          figures: [
            { figure: 'seconds', present: 120, better: 60 },
            { figure: 'extraPods', present: 2, better: 1 },
          ],
          value: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
        },
        { limits: 'maxUnavailable 1', figures: [{ figure: 'waves', present: 3, better: 2 }], value: {} },
      ],
    }),
  },
});

/** Creates the finding about a better strategy at the strategy of an object. */
export function createBetterStrategyFinding(strategyPath: FieldPath, data: BetterStrategyData): Finding {
  return betterStrategy.createFinding('better', { path: appendToPath(strategyPath), data });
}
