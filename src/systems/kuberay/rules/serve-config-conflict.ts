import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { getValueAt } from '../../../core/manifest/manifest';
import { toDisplayValue, formatDisplayValue } from '../../../core/text/display-value';
import type { DisplayValue } from '../../../core/text/display-value';
import type { ParsedRayService } from '../ray-service';
import { listServeDeployments, getUnreachableCapacity } from '../serve-config';
import { simulateUpgradeSteps } from '../simulate';
import type { UpgradePace } from '../upgrade-loop';
import { RAY_CLUSTER_TEXT, INCREMENTAL_STRATEGY_TEXT, formatRayServiceExample } from './examples';

/** Returns a service whose Serve config names one deployment with these scaling fields. */
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
const CONFIG_HELP = 'Write a YAML block (serveConfigV2: |) that begins with applications:.';

interface SyntaxData {
  /** The YAML parser's error message. */
  readonly reason: string;
}

interface NotAMapData {
  readonly value: DisplayValue;
}

interface FractionData {
  /** target_capacity as written. */
  readonly value: DisplayValue;
  /** The integer part of target_capacity. The upgrade deadlocks at this capacity. */
  readonly percent: number;
}

interface ConflictingScalesData {
  /** The deployment in the Serve config: `applications[0].deployments[0]`. */
  readonly deployment: string;
  readonly name: DisplayValue;
  readonly numReplicas: DisplayValue;
}

/** Rule about a Serve config that never runs. */
export const serveConfigConflict = defineRule({
  code: 'kuberay/serve-config-conflict',
  since: '0.1.0',
  severity: 'error',
  fires:
    'serveConfigV2 is not valid YAML, a deployment has both num_replicas and autoscaling_config, ' +
    'or target_capacity is a fraction that deadlocks an incremental upgrade.',
  why:
    'The operator cannot read invalid YAML. Ray Serve refuses a deployment with both fields ("Manually setting num_replicas is not allowed ' +
    'when autoscaling_config is provided"; only `num_replicas: auto` is allowed with it). The application never runs, ' +
    'so the upgrade never finishes. The example in the KubeRay guide has both fields.',
  fix: 'Delete num_replicas and set the range with min_replicas and max_replicas under autoscaling_config.',
  example: formatScaledService(`num_replicas: 10\n            ${AUTOSCALING_RANGE_TEXT}`),
  fixedExample: formatScaledService(AUTOSCALING_RANGE_TEXT),
  messages: {
    syntax: defineMessage<SyntaxData>({
      text: ({ reason }) => `The operator cannot parse serveConfigV2 as YAML: ${reason}. The application is never deployed.`,
      help: () => CONFIG_HELP,
      sample: { reason: 'the alias *apps has no anchor &apps before it' },
    }),
    notAMap: defineMessage<NotAMapData>({
      text: ({ value }) => `serveConfigV2 is ${formatDisplayValue(value)}, which is not a map. The application is never deployed.`,
      help: () => CONFIG_HELP,
      sample: { value: 'just text' },
    }),
    fraction: defineMessage<FractionData>({
      text: ({ value, percent }) =>
        `target_capacity is ${formatDisplayValue(value)}, which the operator reads as ${percent} percent. When a cluster must get ${percent} percent, ` +
        'the operator sees nothing to change and the upgrade deadlocks.',
      help: () => 'Delete target_capacity; the upgrade sets it.',
      sample: { value: 20.5, percent: 20 },
    }),
    conflictingScales: defineMessage<ConflictingScalesData>({
      text: ({ deployment, name, numReplicas }) =>
        `${deployment} (${formatDisplayValue(name)}) has both num_replicas ${formatDisplayValue(numReplicas)} and autoscaling_config. ` +
        'Ray Serve refuses that ("Manually setting num_replicas is not allowed when autoscaling_config is provided"), ' +
        'so the application never runs.',
      help: () => 'Delete num_replicas, or delete autoscaling_config.',
      sample: { deployment: 'applications[0].deployments[0]', name: 'MyModel', numReplicas: 10 },
    }),
  },
});

/**
 * Reports whether Ray Serve refuses this deployment for having both a fixed number of replicas and a range.
 *
 * `num_replicas: auto` is allowed with a range.
 */
function hasConflictingScales(deployment: unknown): boolean {
  const replicas = getValueAt(deployment, 'num_replicas') ?? undefined;
  return replicas !== undefined && replicas !== 'auto' && (getValueAt(deployment, 'autoscaling_config') ?? undefined) !== undefined;
}

/** Reports a fractional target_capacity that deadlocks an incremental upgrade. */
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

/** Reports the problems that keep the Serve config of a RayService from ever running. */
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
