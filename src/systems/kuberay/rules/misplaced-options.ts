import { at } from '../../../core/field-path';
import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { listed } from '../../../core/words';
import type { ReadRayService } from '../ray-service';
import { INCREMENTAL } from '../strategy';
import { serviceText, WHOLE_SERVICE } from './examples';

interface TypeData {
  /** Of the upgrade; absent where there is none. */
  readonly type?: string;
}

interface StrayData extends TypeData {
  /** The options under upgradeStrategy itself. */
  readonly options: readonly string[];
}

function isOtherType({ type }: TypeData): boolean {
  return type !== undefined && type !== INCREMENTAL;
}

/** What becomes of the upgrade, as the end of a sentence. */
function consequence({ type }: TypeData): string {
  if (type === undefined) return '; there is no type, so the upgrade makes a whole second cluster, at 200 % of the resources.';
  return type === INCREMENTAL ? ', so the upgrade is without them.' : `; type "${type}" ignores the options.`;
}

function help(data: TypeData): string {
  return isOtherType(data)
    ? `Delete the options, or write type: ${INCREMENTAL} with them under clusterUpgradeOptions.`
    : `Write the options under upgradeStrategy.clusterUpgradeOptions, beside type: ${INCREMENTAL}.`;
}

/** Options of an incremental upgrade that nothing reads. */
export const misplacedOptions = rule({
  code: 'kuberay/misplaced-options',
  since: '0.1.0',
  severity: ['error', 'warning'],
  fires: 'The options of an incremental upgrade stand directly under upgradeStrategy, or the type is not NewClusterWithIncrementalUpgrade.',
  why:
    'The options are read only from `clusterUpgradeOptions`, and only under that type. ' +
    'Directly under `upgradeStrategy`, where the guide once prints them, ' +
    'kubectl refuses them as unknown and other clients drop them without a word. Without the type the upgrade is a NewCluster one: ' +
    'a whole second cluster, 200 percent of the GPUs (and before 1.7, with the feature gate on, the operator crashes). ' +
    'A warning where another type is set, which ignores the options.',
  fix: 'Write the options under `upgradeStrategy.clusterUpgradeOptions`, beside `type: NewClusterWithIncrementalUpgrade`.',
  example: serviceText('maxSurgePercent: 20\n    stepSizePercent: 10\n    intervalSeconds: 60'),
  fixed: WHOLE_SERVICE,
  messages: {
    stray: message<StrayData>({
      text: ({ options, type }) =>
        (options.length === 1
          ? `${listed(options)} stands directly under upgradeStrategy, where KubeRay does not read it`
          : `${listed(options)} stand directly under upgradeStrategy, where KubeRay does not read them`) +
        consequence({ ...(type !== undefined && { type }) }),
      help,
      sample: { options: ['maxSurgePercent', 'stepSizePercent'] },
    }),
    unread: message<TypeData>({
      text: (data) => `clusterUpgradeOptions is written${consequence(data)}`,
      help,
      sample: { type: 'NewCluster' },
    }),
  },
});

/** Options where nothing reads them: an error, or a warning where another type says that none are wanted. */
export function misplacedOptionsFindings({ type, options, strayOptions, places }: ReadRayService): Finding[] {
  const data: TypeData = type === undefined ? {} : { type };
  const severity = isOtherType(data) ? 'warning' : 'error';
  const [first] = strayOptions;
  if (first !== undefined) {
    const path = at`${places.strategy}.${first}`;
    return [misplacedOptions.finding('stray', { path, severity, data: { options: strayOptions, ...data } })];
  }
  if (!options || type === INCREMENTAL) return [];
  return [misplacedOptions.finding('unread', { path: places.options, severity, data })];
}
