import { byChoice, plainly, set } from '../../../core/advice';
import { at } from '../../../core/field-path';
import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { fieldsAt } from '../../../core/manifest';
import type { Manifest } from '../../../core/manifest';
import { seen, show } from '../../../core/seen';
import type { Seen } from '../../../core/seen';
import type { ArgoRolloutSimulation } from '../../../core/simulations/argo-rollout';
import { counted } from '../../../core/words';
import type { RolloutStrategy } from '../strategy';
import { rolloutWith } from './examples';

interface EvictsData {
  readonly restartAt: Seen;
  /** Pods that may be down at once. */
  readonly atOnce: number;
}

interface OutageData {
  readonly replicas: number;
  readonly strategy: 'canary' | 'blueGreen';
}

interface BesideData {
  readonly restartAt: Seen;
}

const BLUE_GREEN = 'blueGreen:\n  activeService: web\n  maxUnavailable: 100%';

function examples(strategy: string): string {
  return `# rolloutkit plan --from old.yaml new.yaml
# old.yaml
${rolloutWith(strategy)}# new.yaml
${rolloutWith(strategy, '  restartAt: 2026-01-01T00:00:00Z\n')}`;
}

/** What a new `restartAt` does. */
export const restart = rule({
  code: 'argo-rollouts/restart',
  since: '0.1.0',
  severity: ['info', 'warning'],
  fires: 'A Rollout gets a new restartAt, which is what `kubectl argo rollouts restart` writes.',
  why:
    'The controller evicts every pod that is older, up to maxUnavailable of them at once and at least one, whatever the strategy; no pod is started beforehand. ' +
    'Where maxUnavailable comes to all pods, none is available meanwhile: a warning. A time that is ahead restarts then. ' +
    'Beside a new template the evictions come on top of the rollout.',
  fix: 'Write a maxUnavailable below the replicas, and no restartAt beside a new template.',
  example: examples(BLUE_GREEN),
  fixed: examples(BLUE_GREEN).replaceAll('  restartAt: 2026-01-01T00:00:00Z\n', ''),
  messages: {
    evicts: message<EvictsData>({
      text: ({ restartAt, atOnce }) =>
        `It evicts the pods that are older than ${show(restartAt)}, up to ${counted(atOnce, 'pod')} at once; where that time is ahead, then.`,
      help: () => 'Nothing, where a restart is meant; "kubectl argo rollouts status" waits for it.',
      advice: () => byChoice(),
      sample: { restartAt: '2026-01-01T00:00:00Z', atOnce: 1 },
      variants: [{ restartAt: '2026-01-01T00:00:00Z', atOnce: 3 }],
    }),
    outage: message<OutageData>({
      text: ({ replicas }) =>
        replicas === 1
          ? 'The restart evicts the only pod before another one starts: nothing is available meanwhile.'
          : `The restart evicts all ${replicas} pods at once: nothing is available meanwhile.`,
      help: ({ replicas }) =>
        replicas === 1 ? 'Run 2 replicas or more: a restart starts no pod beforehand.' : `Write maxUnavailable: ${replicas - 1} or less.`,
      advice: ({ replicas }, path) => (replicas === 1 ? byChoice() : plainly(set(path, replicas - 1))),
      sample: { replicas: 4, strategy: 'blueGreen' },
      variants: [{ replicas: 1, strategy: 'canary' }],
    }),
    beside: message<BesideData>({
      text: ({ restartAt }) =>
        `restartAt (${show(restartAt)}) comes together with a new template: pods that are older are evicted while the rollout goes on, which is in no row and no figure.`,
      help: () => 'Leave restartAt as it was: the new template replaces all pods.',
      advice: () => byChoice(),
      sample: { restartAt: '2026-01-01T00:00:00Z' },
    }),
  },
});

/** What a restart means for the pods of a Rollout. */
export function restartFindings(rollout: Manifest, { type }: RolloutStrategy, simulation: ArgoRolloutSimulation): Finding[] {
  const restartAt = seen(fieldsAt(rollout, 'spec').restartAt);
  const path = at`spec.restartAt`;
  if (simulation.besideRestart) return [restart.finding('beside', { path, severity: 'warning', data: { restartAt } })];
  const { replicas, unavailable, minAvailable, waves } = simulation;
  if (simulation.type !== 'restart' || waves.length === 0) return [];
  const evicts = restart.finding('evicts', { path, severity: 'info', data: { restartAt, atOnce: unavailable } });
  if (minAvailable > 0) return [evicts];
  const limit = { path: at`spec.strategy.${type}.maxUnavailable`, severity: replicas === 1 ? 'info' : 'warning' } as const;
  return [evicts, restart.finding('outage', { ...limit, data: { replicas, strategy: type } })];
}
