import { suggestManualFix, setField } from '../../../core/findings/suggested-fix';
import { toFieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import type { LeaderWorkerSetSimulation } from '../../../core/simulations/leaderworkerset';
import { pluralize } from '../../../core/text/text-format';
import { LWS_CONFIGURATION_PATH } from '../../../workloads/leader-worker-set/strategy';
import { formatLwsLimits, formatLwsExample } from '../../../workloads/leader-worker-set/rules/examples';

interface StuckData {
  readonly version: string;
  readonly replicas: number;
  readonly surge: number;
  /** Number of the last wave. */
  readonly wave: number;
  /** Number of groups that keep the old version. */
  readonly groups: number;
}

interface RefusedData {
  readonly version: string;
  readonly kubernetes: string;
}

/** Rule about a rollout that the controller never finishes. */
export const lwsStuck = defineRule({
  code: 'lws/stuck',
  since: '0.1.0',
  severity: 'error',
  fires:
    'The LeaderWorkerSet controller before 0.9 never finishes the rollout: it deletes the surge group too early, or writes a StatefulSet that is refused.',
  why:
    'Before 0.9 the controller keeps one surge group fewer than there are groups left to update, regardless of maxUnavailable. ' +
    'With one group, maxSurge 1 and maxUnavailable 0, this is 0 surge groups, so the rollout deadlocks (PR 779). ' +
    'The controller also copies maxUnavailable to the StatefulSet of the leaders, and an API server that keeps this field refuses 0. ' +
    'There is no deadline, and the status stays Progressing.',
  fix: 'Run LeaderWorkerSet 0.9 or later, or set `maxUnavailable: 1`.',
  example: `# rolloutkit plan --versions lws=0.8 llama.yaml\n${formatLwsExample(1, formatLwsLimits('maxSurge: 1, maxUnavailable: 0'))}`,
  fixedExample: `# rolloutkit plan --versions lws=0.8 llama.yaml\n${formatLwsExample(2, formatLwsLimits('maxSurge: 1, maxUnavailable: 1'))}`,
  messages: {
    noStep: defineMessage<StuckData>({
      text: ({ version, replicas, surge, wave, groups }) =>
        `With ${pluralize(replicas, 'group')}, a surge of ${surge} and maxUnavailable 0, LeaderWorkerSet ${version} ` +
        `${wave === 0 ? 'never creates the surge group' : `deletes the surge after wave ${wave}`}: ` +
        `the rollout deadlocks with ${pluralize(groups, 'group')} on the old version.`,
      help: () => 'Run LeaderWorkerSet 0.9 or later, or set maxUnavailable: 1.',
      suggestedFix: (_data, path) => suggestManualFix(setField(toFieldPath`${path}.maxUnavailable`, 1)),
      sample: { version: '0.8', replicas: 1, surge: 1, wave: 0, groups: 1 },
      variants: [{ version: '0.8', replicas: 3, surge: 1, wave: 2, groups: 2 }],
    }),
    refused: defineMessage<RefusedData>({
      text: ({ version, kubernetes }) =>
        `LeaderWorkerSet ${version} writes maxUnavailable 0 into the StatefulSet of the leaders, which the API server of Kubernetes ${kubernetes} refuses: ` +
        'no group is created or changed.',
      help: () => 'Run LeaderWorkerSet 0.9 or later, or set maxUnavailable: 1.',
      suggestedFix: (_data, path) => suggestManualFix(setField(toFieldPath`${path}.maxUnavailable`, 1)),
      sample: { version: '0.8', kubernetes: '1.37' },
    }),
  },
});

/** Reports the reason why a rollout never finishes. */
export function checkLwsStuck(
  { halted, replicas, surge }: LeaderWorkerSetSimulation,
  versions: { readonly lws: string; readonly kubernetes: string },
): Finding[] {
  if (!halted || halted.reason === 'insufficient-capacity') return [];
  const path = LWS_CONFIGURATION_PATH;
  if (halted.reason === 'refused')
    return [lwsStuck.createFinding('refused', { path, data: { version: versions.lws, kubernetes: versions.kubernetes } })];
  const { wave, groups } = halted;
  return [lwsStuck.createFinding('noStep', { path, data: { version: versions.lws, replicas, surge, wave, groups } })];
}
