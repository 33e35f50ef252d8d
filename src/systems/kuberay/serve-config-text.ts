import type * as Yaml from 'yaml';
import { toFieldPath } from '../../core/manifest/field-path';
import { findTokenPaths } from './serve-config';
import type { Fields } from '../../core/manifest/manifest';
import type { ServeConfig, ServeDeployment } from './types';

/** Loads the YAML library only when a Serve config is written. The command line never writes one. */
function loadYaml(): typeof Yaml {
  return require('yaml') as typeof Yaml;
}

/** Merges `others`, the fields without a prop of their own, into the props. */
function flattenOthers({ others, ...props }: { readonly others?: Fields }): Fields {
  return { ...props, ...others };
}

function flattenDeployment(deployment: ServeDeployment): Fields {
  const { autoscaling_config: range, ray_actor_options: options } = deployment;
  return flattenOthers({
    ...deployment,
    ...(range && { autoscaling_config: flattenOthers(range) }),
    ...(options && { ray_actor_options: flattenOthers(options) }),
  });
}

/**
 * Formats a Serve config as the text of `serveConfigV2`, which KubeRay reads as YAML 1.1.
 *
 * @param targetCapacity capacity in percent, if Git drives the upgrade
 */
export function formatServeConfig(config: ServeConfig, targetCapacity?: number): string {
  if (findTokenPaths(config, toFieldPath`serveConfig`).length > 0) return '';
  const capacity = targetCapacity === undefined ? {} : { target_capacity: targetCapacity };
  const applications = config.applications.map((application) => ({
    ...application,
    ...(application.deployments && { deployments: application.deployments.map(flattenDeployment) }),
  }));
  return loadYaml().stringify({ ...capacity, ...config, applications, ...capacity }, { version: '1.1', lineWidth: 0 });
}
