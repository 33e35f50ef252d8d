import { at } from '../../../core/field-path';
import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import type { ReadRayService } from '../ray-service';
import type { UpgradePace } from '../upgrade-loop';
import { WHOLE_SERVICE, withOption } from './examples';

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
    neverBegins: message<object>({
      text: () => 'maxSurgePercent is 0, so the new cluster never gets any capacity: the upgrade stands at 100/0 for ever.',
      help: () => 'Write a maxSurgePercent of at least one pod (safe: 100 / pods, rounded up), and a stepSizePercent from 1 to that.',
      sample: {},
    }),
  },
});

/** An upgrade that never begins. */
export function zeroSurgeFindings({ places }: ReadRayService, { maxSurgePercent }: UpgradePace): Finding[] {
  return maxSurgePercent === 0 ? [zeroSurge.finding('neverBegins', { path: at`${places.options}.maxSurgePercent`, data: {} })] : [];
}
