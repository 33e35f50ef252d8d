import { defineMessage, defineRule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { getValueAt } from '../../../core/manifest';
import { toDisplayValue, formatDisplayValue } from '../../../core/display-value';
import type { DisplayValue } from '../../../core/display-value';
import type { ParsedRayService } from '../ray-service';
import { listServeDeployments, getUnreachableCapacity } from '../serve-config';
import { simulateUpgradeSteps } from '../simulate';
import type { UpgradePace } from '../upgrade-loop';
import { RAY_CLUSTER_TEXT, INCREMENTAL_STRATEGY_TEXT, formatRayServiceExample } from './examples';

/** A service whose Serve config names one deployment that is scaled so. */
function formatScaledService(scale: string): string {
  return formatRayServiceExample(
    INCREMENTAL_STRATEGY_TEXT,
    `serveConfigV2: |
    applications:
      - name: my_app
        import_path: my_model:app
        route_prefix: /
        deployments:
          - name: MyModel
            ${scale}
  ${RAY_CLUSTER_TEXT}`,
  );
}

const AUTOSCALING_RANGE_TEXT = 'autoscaling_config: { min_replicas: 0, max_replicas: 20 }';
const CONFIG_HELP = 'Write a block of YAML (serveConfigV2: |) that begins with applications:.';

interface SyntaxData {
  /** Why, in the words of the YAML parser. */
  readonly reason: string;
}

interface NotAMapData {
  readonly value: DisplayValue;
}

interface FractionData {
  /** target_capacity as written. */
  readonly value: DisplayValue;
  /** Its whole part, at which the upgrade stands still. */
  readonly percent: number;
}

interface ConflictingScalesData {
  /** The deployment in the Serve config: `applications[0].deployments[0]`. */
  readonly deployment: string;
  readonly name: DisplayValue;
  readonly numReplicas: DisplayValue;
}

/** A Serve config that never runs. */
export const serveConfigConflict = defineRule({
  code: 'kuberay/serve-config-conflict',
  since: '0.1.0',
  severity: 'error',
  fires:
    'serveConfigV2 is not YAML, a deployment has num_replicas beside autoscaling_config, ' +
    'or target_capacity is a fraction at which an incremental upgrade stands still.',
  why:
    'The operator cannot read the one, Ray Serve refuses the other ("Manually setting num_replicas is not allowed ' +
    'when autoscaling_config is provided"; only `num_replicas: auto` goes with it). The application never runs, ' +
    'so the upgrade waits for ever. The guide prints both in its example.',
  fix: 'Delete num_replicas, and write the range under autoscaling_config as min_replicas and max_replicas.',
  example: formatScaledService(`num_replicas: 10\n            ${AUTOSCALING_RANGE_TEXT}`),
  fixedExample: formatScaledService(AUTOSCALING_RANGE_TEXT),
  messages: {
    syntax: defineMessage<SyntaxData>({
      text: ({ reason }) => `serveConfigV2 is not YAML that the operator can read: ${reason}. The application is never deployed.`,
      help: () => CONFIG_HELP,
      sample: { reason: 'the alias *apps has no anchor &apps before it' },
    }),
    notAMap: defineMessage<NotAMapData>({
      text: ({ value }) => `serveConfigV2 holds ${formatDisplayValue(value)}, which is not a map. The application is never deployed.`,
      help: () => CONFIG_HELP,
      sample: { value: 'just text' },
    }),
    fraction: defineMessage<FractionData>({
      text: ({ value, percent }) =>
        `target_capacity is ${formatDisplayValue(value)}: the operator takes that for ${percent} percent when it is to give a cluster ${percent} percent, ` +
        'sets nothing, and the upgrade stands still for ever.',
      help: () => 'Delete target_capacity: the upgrade sets it.',
      sample: { value: 20.5, percent: 20 },
    }),
    conflictingScales: defineMessage<ConflictingScalesData>({
      text: ({ deployment, name, numReplicas }) =>
        `${deployment} (${formatDisplayValue(name)}) has num_replicas ${formatDisplayValue(numReplicas)} beside autoscaling_config. ` +
        'Ray Serve refuses that ("Manually setting num_replicas is not allowed when autoscaling_config is provided"), ' +
        'so the application never runs.',
      help: () => 'Delete num_replicas, or delete autoscaling_config.',
      sample: { deployment: 'applications[0].deployments[0]', name: 'MyModel', numReplicas: 10 },
    }),
  },
});

/** Does Ray Serve refuse this deployment: a fixed number of replicas beside a range? `num_replicas: auto` goes with a range. */
function hasConflictingScales(deployment: unknown): boolean {
  const replicas = getValueAt(deployment, 'num_replicas') ?? undefined;
  return replicas !== undefined && replicas !== 'auto' && (getValueAt(deployment, 'autoscaling_config') ?? undefined) !== undefined;
}

/** A fractional target_capacity that keeps an incremental upgrade from ever ending. */
export function checkFractionalCapacity({ serveConfig, paths }: ParsedRayService, pace: UpgradePace): Finding[] {
  const percent = getUnreachableCapacity(serveConfig.config);
  const upgradeRows = simulateUpgradeSteps(pace).slice(1);
  const isReached = upgradeRows.some(({ activeTargetCapacity, pendingTargetCapacity }) =>
    [activeTargetCapacity, pendingTargetCapacity].includes(percent!),
  );
  if (percent === undefined || !isReached) return [];
  const data = { value: serveConfig.config!.target_capacity as number, percent };
  return [serveConfigConflict.createFinding('fraction', { path: paths.serveConfig, data })];
}

/** What keeps the Serve config of a RayService from ever running. */
export function checkServeConfigConflict({ serveConfig, paths }: ParsedRayService): Finding[] {
  const { config, problem } = serveConfig;
  const path = paths.serveConfig;
  if (problem?.kind === 'syntax') return [serveConfigConflict.createFinding('syntax', { path, data: { reason: problem.reason } })];
  if (problem?.kind === 'not-a-map') return [serveConfigConflict.createFinding('notAMap', { path, data: { value: problem.value } })];
  const deployments = config ? listServeDeployments(config) : [];
  return deployments
    .filter(({ spec }) => hasConflictingScales(spec))
    .map(({ path: deploymentPath, spec }) => {
      const data = {
        deployment: deploymentPath,
        name: toDisplayValue(getValueAt(spec, 'name')),
        numReplicas: toDisplayValue(getValueAt(spec, 'num_replicas')),
      };
      return serveConfigConflict.createFinding('conflictingScales', { path, data });
    });
}
