import { inputFinding } from '../../core/catalogue';
import type { Finding } from '../../core/finding';
import { valueAt } from '../../core/manifest';
import type { FleetYaml } from './types';

/** Source: rancher/fleet v0.16.1 internal/cmd/controller/options/calculate.go `Merge`. */
const IGNORED_IN_CUSTOMIZATIONS = [
  'createNamespace',
  'deleteNamespace',
  'deleteCRDResources',
  'ignore',
  'helm.maxHistory',
  'helm.skipSchemaValidation',
  'helm.disableDependencyUpdate',
] as const;

/** Options of a customization that Fleet never merges into what it deploys. */
export function ignoredOptionFindings(yaml: Pick<FleetYaml, 'targets' | 'targetCustomizations'>): Finding[] {
  return (['targets', 'targetCustomizations'] as const).flatMap((list) =>
    (yaml[list] ?? []).flatMap((customization, index) =>
      IGNORED_IN_CUSTOMIZATIONS.filter((field) => valueAt(customization, ...field.split('.')) !== undefined).map((field) =>
        inputFinding('input/unknown-field', {
          path: `${list}[${index}].${field}`,
          message: `Fleet does not merge ${field} of a customization and drops it in silence.`,
          help: `Set ${field} for the whole bundle, or delete it here.`,
        }),
      ),
    ),
  );
}
