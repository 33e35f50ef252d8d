import { byChoice, remove } from '../../../core/advice';
import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { show } from '../../../core/seen';
import type { Seen } from '../../../core/seen';
import { strategyPath } from '../bundle';
import type { ReadBundle } from '../bundle';
import { CLUSTERS, bundleWith } from './example-bundle';

interface MaxNewData {
  /** 0 or less. */
  readonly value: Seen;
}

/** A maxNew with which nothing is ever installed. */
export const maxNewZero = rule({
  code: 'fleet/max-new-zero',
  since: '0.1.0',
  severity: 'error',
  fires: 'maxNew is 0 or less.',
  why:
    'Every reconcile creates at most maxNew BundleDeployments; with 0 none is ever created, and Fleet reports no error. ' +
    'maxNew does not slow an install down either: the next reconcile follows at once. The field came with Fleet 0.16.',
  fix: 'Delete maxNew (50 is the default), or write at least 1.',
  example: bundleWith('maxUnavailable: 1', 'maxNew: 0') + CLUSTERS,
  fixed: bundleWith('maxUnavailable: 1') + CLUSTERS,
  messages: {
    nothingInstalled: message<MaxNewData>({
      text: ({ value }) => `maxNew is ${show(value)}: the bundle is never installed on any cluster, without an error.`,
      help: () => 'Delete maxNew, or write at least 1. To hold clusters back, set paused: true.',
      advice: (_data, path) => byChoice(remove(path)),
      sample: { value: 0 },
    }),
  },
});

/** A maxNew of 0 or less. */
export function maxNewFindings(bundle: ReadBundle): Finding[] {
  const { maxNew } = bundle.strategy;
  if (maxNew === undefined || maxNew > 0) return [];
  return [maxNewZero.finding('nothingInstalled', { path: strategyPath(bundle, 'maxNew'), data: { value: maxNew } })];
}
