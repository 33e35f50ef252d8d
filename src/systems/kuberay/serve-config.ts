import { parse, stringify } from 'yaml';
import { inputFinding } from '../../core/catalogue';
import type { Finding } from '../../core/finding';
import { isFields, isInstance, listAt, valueAt } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import { describeValue } from '../../core/shape';
import { kuberayFinding } from './catalogue';
import type { ServeConfig } from './types';

const PATH = 'spec.serveConfigV2';

/** KubeRay reads the text with a YAML 1.1 parser, so `on` and `0o7` are written and read as it does. */
const YAML_1_1 = { version: '1.1' } as const;

/** Its parser lets the last of equal keys win. */
const READING = { ...YAML_1_1, uniqueKeys: false, prettyErrors: false, logLevel: 'error', maxAliasCount: 100 } as const;

/** A Serve config as the text of `serveConfigV2`; with a capacity in percent where Git drives the upgrade. */
export function serveConfigText(config: ServeConfig, targetCapacity?: number): string {
  if (tokenFindings(config).length > 0) return '';
  const capacity = targetCapacity === undefined ? {} : { target_capacity: targetCapacity };
  return stringify({ ...capacity, ...config, ...capacity }, { ...YAML_1_1, lineWidth: 0 });
}

/** The places of a Serve config that hold no plain data but a token, whose value nobody knows when the text is written. */
export function tokenFindings(value: unknown, path = 'serveConfig'): Finding[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => tokenFindings(item, `${path}[${index}]`));
  if (isInstance(value)) {
    return [
      inputFinding('input/wrong-type', {
        path,
        message: `${path} is a token that is resolved at synth, but a Serve config is one text, which is written before.`,
        help: 'Write the plain value.',
      }),
    ];
  }
  return isFields(value) ? Object.entries(value).flatMap(([field, inner]) => tokenFindings(inner, `${path}.${field}`)) : [];
}

interface ReadConfig {
  readonly config?: Fields;
  /** Why the text can't be read. */
  readonly problem?: string;
}

/** Reads the text of `serveConfigV2`; nothing where there is none. */
function readServeConfig(text: unknown): ReadConfig {
  if (typeof text !== 'string' || text.trim() === '') return {};
  try {
    const config: unknown = parse(text, READING);
    return isFields(config) ? { config } : { problem: `it is ${describeValue(config)} and no map` };
  } catch (failure) {
    // Syntax errors, and aliases that lead nowhere or are too many.
    return { problem: (failure as Error).message };
  }
}

const READ = new WeakMap<Manifest, ReadConfig>();

/** The Serve config of a RayService, whose text is read once: findings and simulation both ask for it. */
export function serveConfigOf(rayService: Manifest): ReadConfig {
  const reading = READ.get(rayService) ?? readServeConfig(valueAt(rayService, 'spec', 'serveConfigV2'));
  READ.set(rayService, reading);
  return reading;
}

interface Deployment {
  readonly place: string;
  readonly spec: unknown;
}

function deploymentsOf(config: Fields): Deployment[] {
  return listAt(config, 'applications').flatMap((application, index) =>
    listAt(application, 'deployments').map((spec, position) => ({ place: `applications[${index}].deployments[${position}]`, spec })),
  );
}

/** Does Ray Serve refuse this deployment: a fixed number of replicas beside a range? `num_replicas: auto` goes with a range. */
function hasTwoScales(deployment: unknown): boolean {
  const replicas = valueAt(deployment, 'num_replicas') ?? undefined;
  return replicas !== undefined && replicas !== 'auto' && (valueAt(deployment, 'autoscaling_config') ?? undefined) !== undefined;
}

/** Is every deployment that the config names scaled by Serve's autoscaler, at least one? What it does not name, the code decides. */
export function isAutoscaled(config: Fields | undefined): boolean {
  const deployments = config ? deploymentsOf(config) : [];
  return (
    deployments.length > 0 &&
    deployments.every(({ spec }) => isFields(valueAt(spec, 'autoscaling_config')) || valueAt(spec, 'num_replicas') === 'auto')
  );
}

/** What keeps the Serve config of a RayService from ever running. */
export function serveConfigFindings(rayService: Manifest): Finding[] {
  const { config, problem } = serveConfigOf(rayService);
  if (problem !== undefined) {
    return [
      kuberayFinding('kuberay/serve-config-conflict', {
        path: PATH,
        message: `serveConfigV2 is not YAML that the operator can read: ${problem}. The application is never deployed.`,
        help: 'Write a block of YAML (serveConfigV2: |) that begins with applications:.',
      }),
    ];
  }
  return config
    ? deploymentsOf(config)
        .filter(({ spec }) => hasTwoScales(spec))
        .map(twoScalesFinding)
    : [];
}

function twoScalesFinding({ place, spec }: Deployment): Finding {
  const name = valueAt(spec, 'name');
  return kuberayFinding('kuberay/serve-config-conflict', {
    path: PATH,
    message:
      `${place} (${describeValue(name)}) has num_replicas ${describeValue(valueAt(spec, 'num_replicas'))} beside autoscaling_config. ` +
      'Ray Serve refuses that ("Manually setting num_replicas is not allowed when autoscaling_config is provided"), so the application ' +
      'never runs.',
    help: 'Delete num_replicas, or delete autoscaling_config.',
  });
}
