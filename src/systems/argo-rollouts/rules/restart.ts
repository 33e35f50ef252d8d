import { suggestManualFix, suggestAutomaticFix, setField } from '../../../core/findings/suggested-fix';
import { toFieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { getFieldsAt } from '../../../core/manifest/manifest';
import type { Manifest } from '../../../core/manifest/manifest';
import { toDisplayValue, formatDisplayValue } from '../../../core/text/display-value';
import type { DisplayValue } from '../../../core/text/display-value';
import type { ArgoRolloutSimulation } from '../../../core/simulations/argo-rollout';
import { formatUnavailableLimit, pluralize } from '../../../core/text/text-format';
import type { ArgoRolloutStrategy } from '../strategy';
import { renderArgoRollout } from './examples';

interface EvictsData {
  readonly restartAt: DisplayValue;
  /** The number of pods that may be down at once. */
  readonly maxConcurrent: number;
}

interface OutageData {
  readonly replicas: number;
  readonly strategy: 'canary' | 'blueGreen';
}

interface DuringRolloutData {
  readonly restartAt: DisplayValue;
}

const BLUE_GREEN_EXAMPLE = 'blueGreen:\n  activeService: web\n  maxUnavailable: 100%';

function renderExamples(strategy: string): string {
  return `# rolloutkit plan --from old.yaml new.yaml
# old.yaml
${renderArgoRollout(strategy)}# new.yaml
${renderArgoRollout(strategy, '  restartAt: 2026-01-01T00:00:00Z\n')}`;
}

/** Reports the effect of a new `restartAt`. */
export const argoRolloutRestart = defineRule({
  code: 'argo-rollouts/restart',
  since: '0.1.0',
  severity: ['info', 'warning'],
  fires: 'A Rollout gets a new restartAt, the field that `kubectl argo rollouts restart` writes.',
  why:
    'The controller evicts every pod that is older than that time: up to maxUnavailable pods at once and at least one, with any strategy. It starts no pod beforehand. ' +
    'If maxUnavailable covers all pods, none is available during the restart, which is a warning. A time in the future restarts the pods at that time. ' +
    'If the template also changes, the evictions come on top of the rollout.',
  fix: 'Write a maxUnavailable below the replicas. Do not change restartAt and the template together.',
  example: renderExamples(BLUE_GREEN_EXAMPLE),
  fixedExample: renderExamples(BLUE_GREEN_EXAMPLE).replaceAll('  restartAt: 2026-01-01T00:00:00Z\n', ''),
  messages: {
    evicts: defineMessage<EvictsData>({
      text: ({ restartAt, maxConcurrent }) =>
        `The restart evicts the pods that are older than ${formatDisplayValue(restartAt)}, up to ${pluralize(maxConcurrent, 'pod')} at once. If that time is in the future, it starts then.`,
      help: () => 'Change nothing if a restart is intended; "kubectl argo rollouts status" waits for it.',
      suggestedFix: () => suggestManualFix(),
      sample: { restartAt: '2026-01-01T00:00:00Z', maxConcurrent: 1 },
      variants: [{ restartAt: '2026-01-01T00:00:00Z', maxConcurrent: 3 }],
    }),
    outage: defineMessage<OutageData>({
      text: ({ replicas }) =>
        replicas === 1
          ? 'The restart evicts the only pod before another one starts: nothing is available in between.'
          : `The restart evicts all ${replicas} pods at once: nothing is available until the new ones are ready.`,
      help: ({ replicas }) =>
        replicas === 1
          ? 'Run at least 2 replicas: a restart starts no pod beforehand.'
          : `Write ${formatUnavailableLimit('maxUnavailable', replicas - 1)}.`,
      suggestedFix: ({ replicas }, path) => (replicas === 1 ? suggestManualFix() : suggestAutomaticFix(setField(path, replicas - 1))),
      sample: { replicas: 4, strategy: 'blueGreen' },
      variants: [{ replicas: 1, strategy: 'canary' }],
    }),
    duringRollout: defineMessage<DuringRolloutData>({
      text: ({ restartAt }) =>
        `restartAt (${formatDisplayValue(restartAt)}) changes together with the template: older pods are evicted during the rollout, which the rows and numbers do not include.`,
      help: () => 'Leave restartAt unchanged: the new template replaces all pods.',
      suggestedFix: () => suggestManualFix(),
      sample: { restartAt: '2026-01-01T00:00:00Z' },
    }),
  },
});

/** Reports how a restart affects the pods of a Rollout. */
export function checkArgoRolloutRestart(rollout: Manifest, { type }: ArgoRolloutStrategy, simulation: ArgoRolloutSimulation): Finding[] {
  const restartAt = toDisplayValue(getFieldsAt(rollout, 'spec').restartAt);
  const path = toFieldPath`spec.restartAt`;
  if (simulation.alsoRestarts)
    return [argoRolloutRestart.createFinding('duringRollout', { path, severity: 'warning', data: { restartAt } })];
  const { replicas, unavailable, minAvailable, waves } = simulation;
  if (simulation.type !== 'restart' || waves.length === 0) return [];
  const evicts = argoRolloutRestart.createFinding('evicts', { path, severity: 'info', data: { restartAt, maxConcurrent: unavailable } });
  if (minAvailable > 0) return [evicts];
  const limit = { path: toFieldPath`spec.strategy.${type}.maxUnavailable`, severity: replicas === 1 ? 'info' : 'warning' } as const;
  return [evicts, argoRolloutRestart.createFinding('outage', { ...limit, data: { replicas, strategy: type } })];
}
