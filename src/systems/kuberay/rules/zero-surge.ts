import { byChoice, set, siblingPath } from '../../../core/advice';
import { at } from '../../../core/field-path';
import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import type { ReadRayService } from '../ray-service';
import type { UpgradePace } from '../upgrade-loop';
import { smallestGroup, surgeOfOne } from '../worker-groups';
import { WHOLE_SERVICE, withOption } from './examples';

interface ZeroData {
  /** The least surge that is one pod of the smallest worker group. */
  readonly safe: number;
  /** A stepSizePercent that goes with it. */
  readonly step: number;
}

/** An upgrade without surge. */
export const zeroSurge = rule({
  code: 'kuberay/zero-surge',
  since: '0.1.0',
  severity: 'error',
  fires: 'maxSurgePercent is 0, so the upgrade never begins.',
  why:
    'The new cluster grows by maxSurgePercent at a time. With 0 it stays without capacity, no traffic can move, ' +
    'and the operator goes on reconciling for ever: there is no timeout. ' +
    'KubeRay accepts the value (it checks 0 to 100), with a stepSizePercent of 0 from 1.7 on.',
  fix: 'Write a maxSurgePercent of at least one pod, and a stepSizePercent from 1 to that.',
  example: withOption('maxSurgePercent: 20', 'maxSurgePercent: 0').replace('stepSizePercent: 5', 'stepSizePercent: 0'),
  fixed: WHOLE_SERVICE,
  messages: {
    neverBegins: message<ZeroData>({
      text: () => 'maxSurgePercent is 0, so the new cluster never gets any capacity: the upgrade stands at 100/0 for ever.',
      help: ({ safe }) => `Write a maxSurgePercent of at least one pod, which is ${safe}, and a stepSizePercent from 1 to that.`,
      advice: ({ safe, step }, path) => byChoice(set(path, safe), set(siblingPath(path, 'stepSizePercent'), step)),
      sample: { safe: 20, step: 5 },
    }),
  },
});

/** An upgrade that never begins. */
export function zeroSurgeFindings(
  { places, groups, cluster }: ReadRayService,
  { maxSurgePercent, stepSizePercent }: UpgradePace,
): Finding[] {
  if (maxSurgePercent !== 0) return [];
  const safe = surgeOfOne(smallestGroup(groups, cluster)?.replicas ?? 1);
  const step = stepSizePercent > 0 && stepSizePercent <= safe ? stepSizePercent : safe;
  return [zeroSurge.finding('neverBegins', { path: at`${places.options}.maxSurgePercent`, data: { safe, step } })];
}
