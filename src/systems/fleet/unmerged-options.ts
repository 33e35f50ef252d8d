import { childPath, fieldPath } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import { valueAt } from '../../core/manifest';
import { unknownField } from '../../core/rules/unknown-field';
import type { FleetYaml } from './types';

/** Source: rancher/fleet v0.16.1 internal/cmd/controller/options/calculate.go `Merge`. */
const UNMERGED = [
  ['createNamespace'],
  ['deleteNamespace'],
  ['deleteCRDResources'],
  ['ignore'],
  ['helm', 'maxHistory'],
  ['helm', 'skipSchemaValidation'],
  ['helm', 'disableDependencyUpdate'],
] as const;

/** Options of a customization that Fleet never merges into what it deploys. */
export function unmergedOptionFindings(yaml: Pick<FleetYaml, 'targets' | 'targetCustomizations'>): Finding[] {
  return (['targets', 'targetCustomizations'] as const).flatMap((list) =>
    (yaml[list] ?? []).flatMap((customization, index) =>
      UNMERGED.filter((option) => valueAt(customization, ...option) !== undefined).map((option) =>
        unknownField.finding('unmerged', { path: childPath(list, index, ...option), data: { field: fieldPath(...option) } }),
      ),
    ),
  );
}
