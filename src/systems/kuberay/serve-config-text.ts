import type * as Yaml from 'yaml';
import { at } from '../../core/field-path';
import { tokensIn } from './serve-config';
import type { Fields } from '../../core/manifest';
import type { ServeConfig, ServeDeployment } from './types';

/** Loaded where a Serve config is written, which no plan of the command line does. */
function yaml(): typeof Yaml {
  return require('yaml') as typeof Yaml;
}

/** With the fields that are no props among the others. */
function written({ others, ...listed }: { readonly others?: Fields }): Fields {
  return { ...listed, ...others };
}

function writtenDeployment(deployment: ServeDeployment): Fields {
  const { autoscaling_config: range, ray_actor_options: options } = deployment;
  return written({
    ...deployment,
    ...(range && { autoscaling_config: written(range) }),
    ...(options && { ray_actor_options: written(options) }),
  });
}

/** A Serve config as the text of `serveConfigV2`, which KubeRay reads as YAML 1.1; with a capacity in percent where Git drives the upgrade. */
export function serveConfigText(config: ServeConfig, targetCapacity?: number): string {
  if (tokensIn(config, at`serveConfig`).length > 0) return '';
  const capacity = targetCapacity === undefined ? {} : { target_capacity: targetCapacity };
  const applications = config.applications.map((application) => ({
    ...application,
    ...(application.deployments && { deployments: application.deployments.map(writtenDeployment) }),
  }));
  return yaml().stringify({ ...capacity, ...config, applications, ...capacity }, { version: '1.1', lineWidth: 0 });
}
