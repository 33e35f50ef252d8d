import { toFieldPath } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import { IntentError } from '../../core/intent-error';
import type { Provenance } from '../../core/provenance';
import { resolveDrainSeconds } from '../../workloads/drain';
import type { OperatorUpgradeProps, ServeConfig, ServeDeployment } from './types';

/** Seconds that Serve gives a replica to finish its requests by default. Source: ray 2.46, python/ray/serve/_private/constants.py. */
const DEFAULT_SHUTDOWN_SECONDS = 20;

/** Seconds that KubeRay keeps the old cluster by default. Source: KubeRay 1.7, rayservice_controller.go, `RayClusterDeletionDelayDuration`. */
const DEFAULT_DELETION_SECONDS = 60;

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

/**
 * Writes a drain into the props of an upgrade: every Serve deployment gets the time of the longest request to shut down, since Serve stops its
 * replicas while requests move, and the old cluster outlives the upgrade by it.
 *
 * @throws IntentError if an application does not list its deployments, or something that the user wrote is too short
 */
export function drainRayService({ drain, serveConfig, rayClusterDeletionDelaySeconds }: OperatorUpgradeProps): DrainedRayService {
  if (drain === undefined) {
    return { serveConfig, ...(rayClusterDeletionDelaySeconds !== undefined && { rayClusterDeletionDelaySeconds }), drainProvenance: [] };
  }
  const seconds = resolveDrainSeconds(drain, 'drain');
  const drainProvenance: Provenance[] = [];
  const drainDeployment = (deployment: ServeDeployment, path: FieldPath): ServeDeployment => {
    const field = 'graceful_shutdown_timeout_s';
    const written = deployment[field] ?? deployment.others?.[field];
    const resolved = resolveField(
      { field, path: toFieldPath`${path}.${field}`, written, otherwise: DEFAULT_SHUTDOWN_SECONDS, layer: 'ray-default' },
      seconds,
    );
    drainProvenance.push(resolved);
    return written === undefined || written === null ? { ...deployment, [field]: seconds } : deployment;
  };
  const applications = serveConfig.applications.map((application, index) => {
    const path = toFieldPath`serveConfig.applications[${index}].deployments`;
    const { deployments = [] } = application;
    if (deployments.length === 0) {
      throw new IntentError(
        `drain.longestRequest needs ${seconds} s, but ${path} is empty: Serve stops deployments that are not listed after ` +
          `${DEFAULT_SHUTDOWN_SECONDS} s or what their code says; list them`,
      );
    }
    return { ...application, deployments: deployments.map((deployment, at) => drainDeployment(deployment, toFieldPath`${path}[${at}]`)) };
  });
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
    serveConfig: { ...serveConfig, applications },
    rayClusterDeletionDelaySeconds: delay.value as number,
    drainProvenance: [...drainProvenance, delay],
  };
}
