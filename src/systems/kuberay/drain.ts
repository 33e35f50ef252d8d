import { toFieldPath } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import { IntentError } from '../../core/errors/intent-error';
import type { Provenance } from '../../core/document/provenance';
import { resolveDrainSeconds } from '../../workloads/drain';
import { DEFAULT_DELETION_SECONDS } from './replica-termination';
import type { ServeConfig, ServeDeployment } from './types';
import type { OperatorUpgradeProps, StagedServiceProps, StagedUpgradeProps } from './upgrade-props';

/** Seconds that Serve gives a replica to finish its requests by default. Source: ray 2.46, python/ray/serve/_private/constants.py. */
const DEFAULT_SHUTDOWN_SECONDS = 20;

/** The parts of an upgrade that decide how requests end, and the level that decided each field. */
export interface DrainedRayService {
  readonly serveConfig: ServeConfig;
  readonly rayClusterDeletionDelaySeconds?: number;
  readonly drainProvenance: readonly Provenance[];
}

/** A field of the drain: its path in the props, the written value, and its default. */
interface DrainedField {
  readonly field: string;
  readonly path: FieldPath;
  readonly written: unknown;
  readonly otherwise: number;
  readonly layer: string;
}

function resolveField({ field, path, written, otherwise, layer }: DrainedField, seconds: number): Provenance {
  if (written === undefined || written === null) {
    const overridden = [{ layer, value: otherwise, reason: 'The drain sets it.' }];
    return { field, value: seconds, layer: 'user', reason: `drain: the longest request takes ${seconds} s`, overridden };
  }
  if (typeof written === 'number' && written < seconds) {
    throw new IntentError(
      `drain.longestRequest needs ${seconds} s, but ${path} is ${written}: delete it, or set it to at least ${seconds}`,
    );
  }
  return { field, value: written, layer: 'user', reason: `${path} is set.`, overridden: [] };
}

/** A Serve config whose deployments finish their requests, and the level that decided each field. */
interface DrainedServeConfig {
  readonly serveConfig: ServeConfig;
  readonly provenance: readonly Provenance[];
}

/**
 * Gives every Serve deployment the time of the longest request to shut down, since Serve stops its replicas while requests move.
 *
 * @param path of the Serve config in the props
 * @throws IntentError if an application does not list its deployments, or a limit of the user is too short
 */
function drainServeConfig(serveConfig: ServeConfig, seconds: number, path: FieldPath): DrainedServeConfig {
  const provenance: Provenance[] = [];
  const drainDeployment = (deployment: ServeDeployment, at: FieldPath): ServeDeployment => {
    const field = 'graceful_shutdown_timeout_s';
    const written = deployment[field] ?? deployment.others?.[field];
    const resolved = resolveField(
      { field, path: toFieldPath`${at}.${field}`, written, otherwise: DEFAULT_SHUTDOWN_SECONDS, layer: 'ray-default' },
      seconds,
    );
    provenance.push(resolved);
    return written === undefined || written === null ? { ...deployment, [field]: seconds } : deployment;
  };
  const applications = serveConfig.applications.map((application, index) => {
    const list = toFieldPath`${path}.applications[${index}].deployments`;
    const { deployments = [] } = application;
    if (deployments.length === 0) {
      throw new IntentError(
        `drain.longestRequest needs ${seconds} s, but ${list} is empty: Serve stops deployments that are not listed after ` +
          `${DEFAULT_SHUTDOWN_SECONDS} s or what their code says; list them`,
      );
    }
    return { ...application, deployments: deployments.map((deployment, at) => drainDeployment(deployment, toFieldPath`${list}[${at}]`)) };
  });
  return { serveConfig: { ...serveConfig, applications }, provenance };
}

/**
 * Writes a drain into the props of an upgrade: every Serve deployment gets the time of the longest request to shut down, and the old cluster
 * outlives the upgrade by it.
 *
 * @throws IntentError if an application does not list its deployments, or something that the user wrote is too short
 */
export function drainRayService({ drain, serveConfig, rayClusterDeletionDelaySeconds }: OperatorUpgradeProps): DrainedRayService {
  if (drain === undefined) {
    return { serveConfig, ...(rayClusterDeletionDelaySeconds !== undefined && { rayClusterDeletionDelaySeconds }), drainProvenance: [] };
  }
  const seconds = resolveDrainSeconds(drain, 'drain');
  const drained = drainServeConfig(serveConfig, seconds, toFieldPath`serveConfig`);
  const delay = resolveField(
    {
      field: 'rayClusterDeletionDelaySeconds',
      path: toFieldPath`rayClusterDeletionDelaySeconds`,
      written: rayClusterDeletionDelaySeconds,
      otherwise: DEFAULT_DELETION_SECONDS,
      layer: 'kuberay-default',
    },
    seconds,
  );
  return {
    serveConfig: drained.serveConfig,
    rayClusterDeletionDelaySeconds: delay.value as number,
    drainProvenance: [...drained.provenance, delay],
  };
}

/** Both services of an upgrade by Git with their drain, and how long the last stage must wait for requests to the removed one. */
export interface DrainedStages {
  readonly current: StagedServiceProps;
  readonly next: StagedServiceProps;
  /** Undefined without a drain. */
  readonly drainSeconds?: number;
  /** The level that decided each field of the next service. */
  readonly drainProvenance: readonly Provenance[];
}

/**
 * Writes a drain into both services of an upgrade by Git: stages stop the replicas of either, also on the way back. No operator deletes the
 * current service, so that only the last stage has to wait for its requests.
 *
 * @throws IntentError if an application does not list its deployments, or a limit of the user is too short
 */
export function drainStagedServices({ drain, current, next }: Pick<StagedUpgradeProps, 'drain' | 'current' | 'next'>): DrainedStages {
  if (drain === undefined) return { current, next, drainProvenance: [] };
  const drainSeconds = resolveDrainSeconds(drain, 'drain');
  const ofCurrent = drainServeConfig(current.serveConfig, drainSeconds, toFieldPath`current.serveConfig`);
  const ofNext = drainServeConfig(next.serveConfig, drainSeconds, toFieldPath`next.serveConfig`);
  return {
    current: { ...current, serveConfig: ofCurrent.serveConfig },
    next: { ...next, serveConfig: ofNext.serveConfig },
    drainSeconds,
    drainProvenance: ofNext.provenance,
  };
}
