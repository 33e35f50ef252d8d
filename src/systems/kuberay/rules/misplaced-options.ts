import { toFieldPath } from '../../../core/field-path';
import { defineMessage, defineRule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { joinWords } from '../../../core/text-format';
import type { ParsedRayService } from '../ray-service';
import { INCREMENTAL_UPGRADE } from '../strategy';
import { formatRayServiceExample, VALID_RAY_SERVICE_TEXT } from './examples';

interface TypeData {
  /** Of the upgrade; absent where there is none. */
  readonly type?: string;
}

interface MisplacedData extends TypeData {
  /** The options under upgradeStrategy itself. */
  readonly options: readonly string[];
}

function isOtherType({ type }: TypeData): boolean {
  return type !== undefined && type !== INCREMENTAL_UPGRADE;
}

/** What becomes of the upgrade, as the end of a sentence. */
function describeConsequence({ type }: TypeData): string {
  if (type === undefined) return '; there is no type, so the upgrade makes a whole second cluster, at 200 % of the resources.';
  return type === INCREMENTAL_UPGRADE ? ', so the upgrade is without them.' : `; type "${type}" ignores the options.`;
}

function formatHelp(data: TypeData): string {
  return isOtherType(data)
    ? `Delete the options, or write type: ${INCREMENTAL_UPGRADE} with them under clusterUpgradeOptions.`
    : `Write the options under upgradeStrategy.clusterUpgradeOptions, beside type: ${INCREMENTAL_UPGRADE}.`;
}

/** Options of an incremental upgrade that nothing reads. */
export const misplacedOptions = defineRule({
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
  example: formatRayServiceExample('maxSurgePercent: 20\n    stepSizePercent: 10\n    intervalSeconds: 60'),
  fixedExample: VALID_RAY_SERVICE_TEXT,
  messages: {
    misplaced: defineMessage<MisplacedData>({
      text: ({ options, type }) =>
        (options.length === 1
          ? `${joinWords(options)} stands directly under upgradeStrategy, where KubeRay does not read it`
          : `${joinWords(options)} stand directly under upgradeStrategy, where KubeRay does not read them`) +
        describeConsequence({ ...(type !== undefined && { type }) }),
      help: formatHelp,
      sample: { options: ['maxSurgePercent', 'stepSizePercent'] },
    }),
    unread: defineMessage<TypeData>({
      text: (data) => `clusterUpgradeOptions is written${describeConsequence(data)}`,
      help: formatHelp,
      sample: { type: 'NewCluster' },
    }),
  },
});

/** Options where nothing reads them: an error, or a warning where another type says that none are wanted. */
export function checkMisplacedOptions({ type, options, misplacedOptionFields, paths }: ParsedRayService): Finding[] {
  const data: TypeData = type === undefined ? {} : { type };
  const severity = isOtherType(data) ? 'warning' : 'error';
  const [first] = misplacedOptionFields;
  if (first !== undefined) {
    const path = toFieldPath`${paths.strategy}.${first}`;
    return [misplacedOptions.createFinding('misplaced', { path, severity, data: { options: misplacedOptionFields, ...data } })];
  }
  if (!options || type === INCREMENTAL_UPGRADE) return [];
  return [misplacedOptions.createFinding('unread', { path: paths.options, severity, data })];
}
