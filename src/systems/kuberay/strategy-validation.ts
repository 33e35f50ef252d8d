import type { Finding } from '../../core/finding';
import { valueAt } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import { describeValue } from '../../core/shape';
import { kuberayFinding } from './catalogue';
import { misplacedFinding } from './misplaced';
import { INCREMENTAL, OPTIONS_PATH, optionsOf, STRATEGY_PATH, strayOptions, surgeOf, typeOf, UPGRADE_TYPES } from './strategy';
import type { OPTION_FIELDS } from './strategy';
import { behaviourOf } from './versions';

type Code = Parameters<typeof kuberayFinding>[0];

/** What is refused, by whom, and the words in which the operator says so, if it does. */
interface Refusal {
  /** The API server refuses what the CRD rules out; the operator the rest, at reconcile. @default operator */
  readonly by?: 'api-server';
  readonly code: Code;
  readonly path: string;
  /** `maxSurgePercent is 200` */
  readonly seen: string;
  /** The operator's message, without the prefix "The RayService spec is invalid: ". */
  readonly rule?: string;
  readonly help: string;
}

/**
 * Why KubeRay refuses an upgradeStrategy, in the order in which it looks: type, deletion delay, then the rules of an incremental upgrade.
 *
 * The operator's words are quoted where they are known. It checks at reconcile, so `kubectl apply` never shows them.
 * Source: KubeRay v1.7.0 `utils/validation.go`, ValidateRayServiceSpec and ValidateClusterUpgradeOptions; the CRD for required fields.
 */
export function strategyRefusals(rayService: Manifest, version: string): Finding[] {
  const type = typeOf(rayService);
  const options = optionsOf(rayService);
  const refusals = [...typeRefusals(type), ...delayRefusals(rayService), ...(type === INCREMENTAL ? autoscalingRefusals(rayService) : [])];
  const findings = refusals.map((refusal) => refusalFinding(refusal, version));

  if (options) {
    const isRead = type === INCREMENTAL;
    return [...findings, ...optionRefusals(options, isRead, version).map((refusal) => refusalFinding(refusal, version))];
  }
  if (type !== INCREMENTAL) return findings;
  return [...findings, strayOptions(rayService).length > 0 ? misplacedFinding(rayService) : refusalFinding(NO_OPTIONS, version)];
}

function refusalFinding({ by, code, path, seen, rule, help }: Refusal, version: string): Finding {
  const words = rule === undefined ? '' : ` ("${rule}")`;
  const reason =
    by === 'api-server'
      ? 'The API server refuses the object'
      : `KubeRay ${version} refuses the spec${words}: ${behaviourOf(version).onRefusal}`;
  return kuberayFinding(code, { path, message: `${seen}. ${reason}.`, help });
}

const NO_OPTIONS: Refusal = {
  code: 'kuberay/gateway-class-required',
  path: OPTIONS_PATH,
  seen: 'clusterUpgradeOptions is missing',
  rule: 'ClusterUpgradeOptions are required for NewClusterWithIncrementalUpgrade',
  help: 'Write clusterUpgradeOptions with gatewayClassName, maxSurgePercent, stepSizePercent and intervalSeconds.',
};

function typeRefusals(type: string | undefined): Refusal[] {
  if (type === undefined || UPGRADE_TYPES.includes(type)) return [];
  return [
    {
      code: 'kuberay/invalid-type',
      path: `${STRATEGY_PATH}.type`,
      seen: `type is ${describeValue(type)}`,
      help: `Write one of ${UPGRADE_TYPES.join(', ')}.`,
    },
  ];
}

function delayRefusals(rayService: Manifest): Refusal[] {
  const delay = valueAt(rayService, 'spec', 'rayClusterDeletionDelaySeconds');
  if (typeof delay !== 'number' || delay >= 0) return [];
  return [
    {
      by: 'api-server',
      code: 'kuberay/out-of-range',
      path: 'spec.rayClusterDeletionDelaySeconds',
      seen: `rayClusterDeletionDelaySeconds is ${delay}`,
      help: 'Write seconds from 0, or leave it out for 60.',
    },
  ];
}

function autoscalingRefusals(rayService: Manifest): Refusal[] {
  const spec = valueAt(rayService, 'spec');
  const config = valueAt(spec, 'rayClusterConfig');
  const isMisnamed = (config === undefined || config === null) && valueAt(spec, 'rayClusterSpec') !== undefined;
  const enabled = valueAt(config, 'enableInTreeAutoscaling');
  if (enabled === true || isMisnamed) return [];
  return [
    {
      code: 'kuberay/autoscaling-required',
      path: 'spec.rayClusterConfig.enableInTreeAutoscaling',
      seen: enabled === false ? 'enableInTreeAutoscaling is false' : 'enableInTreeAutoscaling is not set',
      rule: 'Ray Autoscaler is required for NewClusterWithIncrementalUpgrade',
      help: 'Write enableInTreeAutoscaling: true under spec.rayClusterConfig.',
    },
  ];
}

/** What is refused among the options. The CRD's rules hold for options that nothing reads, too. */
function optionRefusals(options: Fields, isRead: boolean, version: string): Refusal[] {
  const refusals = [...surgeRefusals(options), ...stepRefusals(options, version), ...intervalRefusals(options), ...classRefusals(options)];
  return isRead ? refusals : refusals.filter(({ by }) => by === 'api-server');
}

/** A required option that is not there, which the CRD rules out. */
function missing(field: (typeof OPTION_FIELDS)[number], code: Code, help: string): Refusal {
  return { by: 'api-server', code, path: `${OPTIONS_PATH}.${field}`, seen: `${field} is missing`, help };
}

const SURGE_PATH = `${OPTIONS_PATH}.maxSurgePercent`;
const STEP_PATH = `${OPTIONS_PATH}.stepSizePercent`;

function isPercentage(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 100;
}

function surgeRefusals(options: Fields): Refusal[] {
  const surge = surgeOf(options);
  if (isPercentage(surge)) return [];
  const rule = 'maxSurgePercent must be between 0 and 100';
  return [
    {
      code: 'kuberay/out-of-range',
      path: SURGE_PATH,
      seen: `maxSurgePercent is ${describeValue(surge)}`,
      rule,
      help: 'Write a whole number from 1 to 100.',
    },
  ];
}

function stepRefusals(options: Fields, version: string): Refusal[] {
  const surge = surgeOf(options);
  const step = options.stepSizePercent ?? undefined;
  const range = `Write a whole number from 1 to ${isPercentage(surge) && surge > 0 ? surge : 'maxSurgePercent'}.`;
  if (step === undefined) return [missing('stepSizePercent', 'kuberay/out-of-range', range)];
  if (!isPercentage(step)) {
    const rule = 'stepSizePercent must be between 0 and 100';
    return [{ code: 'kuberay/out-of-range', path: STEP_PATH, seen: `stepSizePercent is ${describeValue(step)}`, rule, help: range }];
  }
  if (!isPercentage(surge) || step <= surge || behaviourOf(version).stepAboveSurge === 'capped') return [];
  return [
    {
      code: 'kuberay/step-exceeds-surge',
      path: STEP_PATH,
      seen: `stepSizePercent ${step} is above maxSurgePercent ${surge}`,
      rule: 'stepSizePercent must be less than or equal to maxSurgePercent',
      help:
        surge === 0
          ? 'Write a maxSurgePercent from 1, and a stepSizePercent from 1 to that.'
          : `Write a stepSizePercent from 1 to ${surge}, or a larger maxSurgePercent.`,
    },
  ];
}

function intervalRefusals(options: Fields): Refusal[] {
  const interval = options.intervalSeconds ?? undefined;
  const code = 'kuberay/interval-required';
  const help = 'Write seconds from 1; the guide advises 60.';
  if (interval === undefined) return [missing('intervalSeconds', code, help)];
  if (typeof interval === 'number' && interval > 0) return [];
  const rule = 'intervalSeconds must be greater than 0';
  return [{ code, path: `${OPTIONS_PATH}.intervalSeconds`, seen: `intervalSeconds is ${describeValue(interval)}`, rule, help }];
}

function classRefusals(options: Fields): Refusal[] {
  const name = options.gatewayClassName ?? undefined;
  const code = 'kuberay/gateway-class-required';
  const help = 'Write the name of a GatewayClass of the cluster: gatewayClassName: istio.';
  if (name === undefined) return [missing('gatewayClassName', code, help)];
  if (name !== '') return [];
  const rule = 'gatewayClassName is required for NewClusterWithIncrementalUpgrade';
  return [{ code, path: `${OPTIONS_PATH}.gatewayClassName`, seen: 'gatewayClassName is empty', rule, help }];
}
