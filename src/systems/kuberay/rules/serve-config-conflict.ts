import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { valueAt } from '../../../core/manifest';
import { seen, show } from '../../../core/seen';
import type { Seen } from '../../../core/seen';
import type { ReadRayService } from '../ray-service';
import { deploymentsOf, unreachableCapacity } from '../serve-config';
import { upgradeSteps } from '../simulate';
import type { UpgradePace } from '../upgrade-loop';
import { CLUSTER_TEXT, INCREMENTAL_TEXT, serviceText } from './examples';

/** A service whose Serve config names one deployment that is scaled so. */
function scaledText(scale: string): string {
  return serviceText(
    INCREMENTAL_TEXT,
    `serveConfigV2: |
    applications:
      - name: my_app
        import_path: my_model:app
        route_prefix: /
        deployments:
          - name: MyModel
            ${scale}
  ${CLUSTER_TEXT}`,
  );
}

const RANGE = 'autoscaling_config: { min_replicas: 0, max_replicas: 20 }';
const WRITE_A_CONFIG = 'Write a block of YAML (serveConfigV2: |) that begins with applications:.';

interface SyntaxData {
  /** Why, in the words of the YAML parser. */
  readonly reason: string;
}

interface NotAMapData {
  readonly value: Seen;
}

interface FractionData {
  /** target_capacity as written. */
  readonly value: Seen;
  /** Its whole part, at which the upgrade stands still. */
  readonly percent: number;
}

interface TwoScalesData {
  /** The deployment in the Serve config: `applications[0].deployments[0]`. */
  readonly deployment: string;
  readonly name: Seen;
  readonly numReplicas: Seen;
}

/** A Serve config that never runs. */
export const serveConfigConflict = rule({
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
  example: scaledText(`num_replicas: 10\n            ${RANGE}`),
  fixed: scaledText(RANGE),
  messages: {
    syntax: message<SyntaxData>({
      text: ({ reason }) => `serveConfigV2 is not YAML that the operator can read: ${reason}. The application is never deployed.`,
      help: () => WRITE_A_CONFIG,
      sample: { reason: 'the alias *apps has no anchor &apps before it' },
    }),
    notAMap: message<NotAMapData>({
      text: ({ value }) => `serveConfigV2 holds ${show(value)}, which is not a map. The application is never deployed.`,
      help: () => WRITE_A_CONFIG,
      sample: { value: 'just text' },
    }),
    fraction: message<FractionData>({
      text: ({ value, percent }) =>
        `target_capacity is ${show(value)}: the operator takes that for ${percent} percent when it is to give a cluster ${percent} percent, ` +
        'sets nothing, and the upgrade stands still for ever.',
      help: () => 'Delete target_capacity: the upgrade sets it.',
      sample: { value: 20.5, percent: 20 },
    }),
    twoScales: message<TwoScalesData>({
      text: ({ deployment, name, numReplicas }) =>
        `${deployment} (${show(name)}) has num_replicas ${show(numReplicas)} beside autoscaling_config. ` +
        'Ray Serve refuses that ("Manually setting num_replicas is not allowed when autoscaling_config is provided"), ' +
        'so the application never runs.',
      help: () => 'Delete num_replicas, or delete autoscaling_config.',
      sample: { deployment: 'applications[0].deployments[0]', name: 'MyModel', numReplicas: 10 },
    }),
  },
});

/** Does Ray Serve refuse this deployment: a fixed number of replicas beside a range? `num_replicas: auto` goes with a range. */
function hasTwoScales(deployment: unknown): boolean {
  const replicas = valueAt(deployment, 'num_replicas') ?? undefined;
  return replicas !== undefined && replicas !== 'auto' && (valueAt(deployment, 'autoscaling_config') ?? undefined) !== undefined;
}

/** A fractional target_capacity that keeps an incremental upgrade from ever ending. */
export function fractionFindings({ serveConfig, places }: ReadRayService, pace: UpgradePace): Finding[] {
  const percent = unreachableCapacity(serveConfig.config);
  const goals = upgradeSteps(pace).slice(1);
  const isGoal = goals.some(({ activeTargetCapacity, pendingTargetCapacity }) =>
    [activeTargetCapacity, pendingTargetCapacity].includes(percent!),
  );
  if (percent === undefined || !isGoal) return [];
  const data = { value: serveConfig.config!.target_capacity as number, percent };
  return [serveConfigConflict.finding('fraction', { path: places.serveConfig, data })];
}

/** What keeps the Serve config of a RayService from ever running. */
export function serveConfigFindings({ serveConfig, places }: ReadRayService): Finding[] {
  const { config, problem } = serveConfig;
  const path = places.serveConfig;
  if (problem?.kind === 'syntax') return [serveConfigConflict.finding('syntax', { path, data: { reason: problem.reason } })];
  if (problem?.kind === 'not-a-map') return [serveConfigConflict.finding('notAMap', { path, data: { value: problem.value } })];
  const deployments = config ? deploymentsOf(config) : [];
  return deployments
    .filter(({ spec }) => hasTwoScales(spec))
    .map(({ place, spec }) => {
      const data = { deployment: place, name: seen(valueAt(spec, 'name')), numReplicas: seen(valueAt(spec, 'num_replicas')) };
      return serveConfigConflict.finding('twoScales', { path, data });
    });
}
