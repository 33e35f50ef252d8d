import { childPath, fieldPath } from '../../../core/field-path';
import { message, partOf } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { valueAt } from '../../../core/manifest';
import { knownFieldAdvice, unknownField, unknownFieldData } from '../../../core/rules/unknown-field';
import type { UnknownFieldData } from '../../../core/rules/unknown-field';
import type { ProblemOf } from '../../../core/schema';
import type { FleetYaml } from '../types';

interface UnmergedData {
  /** The option, as a path in the customization: `helm.maxHistory`. */
  readonly field: string;
}

/** Fields that Fleet drops when it reads a fleet.yaml. */
export const droppedByFleet = partOf(unknownField, {
  inFile: message<UnknownFieldData>({
    text: ({ field, reader }) => `${reader} knows no field "${field}" here and drops it in silence.`,
    help: knownFieldAdvice,
    sample: { holder: '', field: 'rolloutStrateg', reader: 'Fleet', nearest: 'rolloutStrategy', known: ['rolloutStrategy', 'helm'] },
  }),
  unmerged: message<UnmergedData>({
    text: ({ field }) => `Fleet does not merge ${field} of a customization and drops it in silence.`,
    help: ({ field }) => `Set ${field} for the whole bundle, or delete it here.`,
    sample: { field: 'helm.maxHistory' },
  }),
});

/** A field of a fleet.yaml that no version of Fleet knows. */
export function unknownInFileFinding(problem: ProblemOf<'unknown'>): Finding {
  return droppedByFleet.finding('inFile', { path: problem.path, data: unknownFieldData(problem, 'Fleet') });
}

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
        droppedByFleet.finding('unmerged', { path: childPath(list, index, ...option), data: { field: fieldPath(...option) } }),
      ),
    ),
  );
}
