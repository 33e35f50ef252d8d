import { toFieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { joinWords } from '../../../core/text/text-format';
import type { ParsedRayService } from '../ray-service';
import { INCREMENTAL_UPGRADE } from '../strategy';
import { formatRayServiceExample, VALID_RAY_SERVICE_TEXT } from './examples';

interface TypeData {
  /** Type of the upgrade; unset if there is none. */
  readonly type?: string;
}

interface MisplacedData extends TypeData {
  /** The options under upgradeStrategy itself. */
  readonly options: readonly string[];
}

function isOtherType({ type }: TypeData): boolean {
  return type !== undefined && type !== INCREMENTAL_UPGRADE;
}

/** Describes the effect on the upgrade, as the end of a sentence. */
function describeConsequence({ type }: TypeData): string {
  if (type === undefined) return '; there is no type, so the upgrade creates a full second cluster, at 200% of the resources.';
  return type === INCREMENTAL_UPGRADE ? ', so the upgrade does not use them.' : `; type "${type}" ignores the options.`;
}

function formatHelp(data: TypeData): string {
  return isOtherType(data)
    ? `Delete the options, or set type: ${INCREMENTAL_UPGRADE} and move them under clusterUpgradeOptions.`
    : `Move the options under upgradeStrategy.clusterUpgradeOptions, next to type: ${INCREMENTAL_UPGRADE}.`;
}

/** Rule about options of an incremental upgrade that nothing reads. */
export const misplacedOptions = defineRule({
  code: 'kuberay/misplaced-options',
  since: '0.1.0',
  severity: ['error', 'warning'],
  fires: 'The options of an incremental upgrade are directly under upgradeStrategy, or the type is not NewClusterWithIncrementalUpgrade.',
  why:
    'The operator reads the options only from `clusterUpgradeOptions`, and only with that type. ' +
    'Directly under `upgradeStrategy`, as in one example of the guide, ' +
    'kubectl refuses them as unknown fields and other clients silently drop them. Without the type, the upgrade is a NewCluster upgrade: ' +
    'a full second cluster with 200 percent of the GPUs (before 1.7, with the feature gate on, the operator crashes). ' +
    'It is a warning if another type is set, which ignores the options.',
  fix: 'Move the options under `upgradeStrategy.clusterUpgradeOptions`, next to `type: NewClusterWithIncrementalUpgrade`.',
  example: formatRayServiceExample('maxSurgePercent: 20\n    stepSizePercent: 10\n    intervalSeconds: 60'),
  fixedExample: VALID_RAY_SERVICE_TEXT,
  messages: {
    misplaced: defineMessage<MisplacedData>({
      text: ({ options, type }) =>
        (options.length === 1
          ? `${joinWords(options)} is directly under upgradeStrategy, where KubeRay does not read it`
          : `${joinWords(options)} are directly under upgradeStrategy, where KubeRay does not read them`) +
        describeConsequence({ ...(type !== undefined && { type }) }),
      help: formatHelp,
      sample: { options: ['maxSurgePercent', 'stepSizePercent'] },
    }),
    unread: defineMessage<TypeData>({
      text: (data) => `clusterUpgradeOptions is set${describeConsequence(data)}`,
      help: formatHelp,
      sample: { type: 'NewCluster' },
    }),
  },
});

/** Reports options that nothing reads: as an error, or as a warning if another type is set on purpose. */
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
