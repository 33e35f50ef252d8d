import { appendToPath, buildFieldPath } from '../../../core/manifest/field-path';
import { defineMessage, extendRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { getValueAt } from '../../../core/manifest/manifest';
import { formatUnknownFieldHelp, unknownField, buildUnknownFieldData } from '../../../core/rules/unknown-field';
import type { UnknownFieldData } from '../../../core/rules/unknown-field';
import type { ProblemOf } from '../../../core/values/schema';
import type { FleetYaml } from '../types';

interface UnmergedData {
  /** The option, as a path in the customization: `helm.maxHistory`. */
  readonly field: string;
}

/** Rule about fields that Fleet drops when it reads a fleet.yaml. */
export const fleetUnknownField = extendRule(unknownField, {
  inFile: defineMessage<UnknownFieldData>({
    text: ({ field, reader }) => `${reader} does not know the field "${field}" here and silently drops it.`,
    help: formatUnknownFieldHelp,
    sample: {
      parentPath: '',
      field: 'rolloutStrateg',
      reader: 'Fleet',
      nearest: 'rolloutStrategy',
      knownFields: ['rolloutStrategy', 'helm'],
    },
  }),
  unmerged: defineMessage<UnmergedData>({
    text: ({ field }) => `Fleet does not merge ${field} of a customization and silently drops it.`,
    help: ({ field }) => `Set ${field} for the entire bundle, or delete it here.`,
    sample: { field: 'helm.maxHistory' },
  }),
});

/** Creates the finding about a field of a fleet.yaml that no version of Fleet knows. */
export function createFleetUnknownFieldFinding(problem: ProblemOf<'unknown'>): Finding {
  return fleetUnknownField.createFinding('inFile', { path: problem.path, data: buildUnknownFieldData(problem, 'Fleet') });
}

/** Source: rancher/fleet v0.16.1 internal/cmd/controller/options/calculate.go `Merge`. */
const UNMERGED_OPTIONS = [
  ['createNamespace'],
  ['deleteNamespace'],
  ['deleteCRDResources'],
  ['ignore'],
  ['helm', 'maxHistory'],
  ['helm', 'skipSchemaValidation'],
  ['helm', 'disableDependencyUpdate'],
] as const;

/** Reports options of a customization that Fleet never merges into a deployment. */
export function checkFleetUnmergedOptions(yaml: Pick<FleetYaml, 'targets' | 'targetCustomizations'>): Finding[] {
  return (['targets', 'targetCustomizations'] as const).flatMap((list) =>
    (yaml[list] ?? []).flatMap((customization, index) =>
      UNMERGED_OPTIONS.filter((option) => getValueAt(customization, ...option) !== undefined).map((option) =>
        fleetUnknownField.createFinding('unmerged', {
          path: appendToPath(list, index, ...option),
          data: { field: buildFieldPath(...option) },
        }),
      ),
    ),
  );
}
