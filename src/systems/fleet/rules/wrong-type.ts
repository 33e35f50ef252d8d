import { at, childPath, fieldName } from '../../../core/field-path';
import type { FieldPath } from '../../../core/field-path';
import { message, partOf } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { wrongType } from '../../../core/rules/wrong-type';
import { seen, show } from '../../../core/seen';
import type { Seen } from '../../../core/seen';
import { listed } from '../../../core/words';
import type { ReadBundle } from '../bundle';
import { BUNDLE_STATES, CUSTOMIZATION_MODES } from '../types';
import type { BundleRef } from '../types';

interface ChoiceData {
  readonly field: string;
  readonly value: Seen;
  readonly choices: readonly string[];
  /** Who refuses it. @default the API server */
  readonly by?: string;
}

interface DependencyData {
  /** Where it stands: `spec.dependsOn[1]`. */
  readonly dependency: string;
}

/** Values that have the right type and that the API server or Fleet refuses all the same. */
export const refusedByFleet = partOf(wrongType, {
  choice: message<ChoiceData>({
    text: ({ field, value, by = 'the API server' }) => `${field} is ${show(value)}, which ${by} refuses.`,
    help: ({ choices }) => `Write ${listed(choices, 'or')}.`,
    sample: { field: 'targetCustomizationMode', value: 'allMatches', choices: ['FirstMatch', 'AllMatches'] },
  }),
  unnamedDependency: message<DependencyData>({
    text: ({ dependency }) => `${dependency} has neither name nor selector: Fleet refuses the bundle.`,
    help: () => 'Write the name of a bundle, or a selector of its labels.',
    sample: { dependency: 'spec.dependsOn[1]' },
  }),
});

/** Why `fleet apply` refuses a dependency, and where. */
export type DependencyError = { readonly path: FieldPath } & (
  | { readonly kind: 'unnamed' }
  | { readonly kind: 'unknown-state'; readonly state: Seen }
);

/** What Fleet refuses in dependencies. Source: rancher/fleet v0.16.1 internal/bundlereader/validate_fleetyaml.go. */
export function dependencyErrors(dependsOn: readonly BundleRef[], path: FieldPath = at`dependsOn`): DependencyError[] {
  const states: readonly string[] = BUNDLE_STATES;
  return dependsOn.flatMap(({ name, selector, acceptedStates = [] }, index): DependencyError[] => {
    const place = childPath(path, index);
    const unnamed: DependencyError[] = name || selector ? [] : [{ path: place, kind: 'unnamed' }];
    const unknown = acceptedStates.flatMap((state, position): DependencyError[] =>
      states.includes(state) ? [] : [{ path: at`${place}.acceptedStates[${position}]`, kind: 'unknown-state', state: seen(state) }],
    );
    return [...unnamed, ...unknown];
  });
}

function dependencyFinding(error: DependencyError): Finding {
  const { path } = error;
  if (error.kind === 'unnamed') return refusedByFleet.finding('unnamedDependency', { path, data: { dependency: path } });
  const data = { field: fieldName(path), value: error.state, choices: BUNDLE_STATES, by: 'Fleet' } as const;
  return refusedByFleet.finding('choice', { path, data });
}

/** Values that have the right type and that the API server or `fleet apply` refuses all the same. */
export function valueFindings({
  root,
  dependsOn = [],
  targeting: { mode },
}: Pick<ReadBundle, 'root' | 'dependsOn' | 'targeting'>): Finding[] {
  const dependencies = dependencyErrors(dependsOn, childPath(root, 'dependsOn')).map(dependencyFinding);
  const modes: readonly string[] = CUSTOMIZATION_MODES;
  if (modes.includes(mode)) return dependencies;
  const path = childPath(root, 'targetCustomizationMode');
  const data = { field: 'targetCustomizationMode', value: seen(mode), choices: CUSTOMIZATION_MODES };
  return [...dependencies, refusedByFleet.finding('choice', { path, data })];
}
