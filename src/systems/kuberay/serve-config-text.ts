import type * as Yaml from 'yaml';
import { at } from '../../core/field-path';
import { tokensIn } from './serve-config';
import type { ServeConfig } from './types';

/** Loaded where a Serve config is written, which no plan of the command line does. */
function yaml(): typeof Yaml {
  return require('yaml') as typeof Yaml;
}

/** A Serve config as the text of `serveConfigV2`, which KubeRay reads as YAML 1.1; with a capacity in percent where Git drives the upgrade. */
export function serveConfigText(config: ServeConfig, targetCapacity?: number): string {
  if (tokensIn(config, at`serveConfig`).length > 0) return '';
  const capacity = targetCapacity === undefined ? {} : { target_capacity: targetCapacity };
  return yaml().stringify({ ...capacity, ...config, ...capacity }, { version: '1.1', lineWidth: 0 });
}
