import { toFieldPath, appendToPath, getFieldName } from '../../../core/manifest/field-path';
import type { FieldPath } from '../../../core/manifest/field-path';
import { defineMessage, extendRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { wrongType } from '../../../core/rules/wrong-type';
import { toDisplayValue, formatDisplayValue } from '../../../core/text/display-value';
import type { DisplayValue } from '../../../core/text/display-value';
import { joinWords } from '../../../core/text/text-format';
import type { ParsedBundle } from '../bundle';
import { BUNDLE_STATES, CUSTOMIZATION_MODES } from '../types';
import type { BundleRef } from '../types';

interface ChoiceData {
  readonly field: string;
  readonly value: DisplayValue;
  readonly choices: readonly string[];
  /** The component that refuses the value. @default the API server */
  readonly by?: string;
}

interface DependencyData {
  /** Path of the dependency: `spec.dependsOn[1]`. */
  readonly dependency: string;
}

/** Rule about values of the right type that the API server or Fleet refuses anyway. */
export const fleetWrongType = extendRule(wrongType, {
  choice: defineMessage<ChoiceData>({
    text: ({ field, value, by = 'the API server' }) => `${field} is ${formatDisplayValue(value)}, which ${by} refuses.`,
    help: ({ choices }) => `Use ${joinWords(choices, 'or')}.`,
    sample: { field: 'targetCustomizationMode', value: 'allMatches', choices: ['FirstMatch', 'AllMatches'] },
  }),
  unnamedDependency: defineMessage<DependencyData>({
    text: ({ dependency }) => `${dependency} has neither a name nor a selector, so Fleet refuses the bundle.`,
    help: () => 'Set the name of a bundle, or a selector for its labels.',
    sample: { dependency: 'spec.dependsOn[1]' },
  }),
});

/** The reason why `fleet apply` refuses a dependency, with its path. */
export type DependencyError = { readonly path: FieldPath } & (
  | { readonly kind: 'unnamed' }
  | { readonly kind: 'unknown-state'; readonly state: DisplayValue }
);

/** Finds the values in dependencies that Fleet refuses. Source: rancher/fleet v0.16.1 internal/bundlereader/validate_fleetyaml.go. */
export function findDependencyErrors(dependsOn: readonly BundleRef[], path: FieldPath = toFieldPath`dependsOn`): DependencyError[] {
  const states: readonly string[] = BUNDLE_STATES;
  return dependsOn.flatMap(({ name, selector, acceptedStates = [] }, index): DependencyError[] => {
    const dependencyPath = appendToPath(path, index);
    const unnamed: DependencyError[] = name || selector ? [] : [{ path: dependencyPath, kind: 'unnamed' }];
    const unknown = acceptedStates.flatMap((state, position): DependencyError[] =>
      states.includes(state)
        ? []
        : [{ path: toFieldPath`${dependencyPath}.acceptedStates[${position}]`, kind: 'unknown-state', state: toDisplayValue(state) }],
    );
    return [...unnamed, ...unknown];
  });
}

function createDependencyFinding(error: DependencyError): Finding {
  const { path } = error;
  if (error.kind === 'unnamed') return fleetWrongType.createFinding('unnamedDependency', { path, data: { dependency: path } });
  const data = { field: getFieldName(path), value: error.state, choices: BUNDLE_STATES, by: 'Fleet' } as const;
  return fleetWrongType.createFinding('choice', { path, data });
}

/** Reports values of the right type that the API server or `fleet apply` refuses anyway. */
export function checkFleetWrongType({
  root,
  dependsOn = [],
  targeting: { mode },
}: Pick<ParsedBundle, 'root' | 'dependsOn' | 'targeting'>): Finding[] {
  const dependencies = findDependencyErrors(dependsOn, appendToPath(root, 'dependsOn')).map(createDependencyFinding);
  const modes: readonly string[] = CUSTOMIZATION_MODES;
  if (modes.includes(mode)) return dependencies;
  const path = appendToPath(root, 'targetCustomizationMode');
  const data = { field: 'targetCustomizationMode', value: toDisplayValue(mode), choices: CUSTOMIZATION_MODES };
  return [...dependencies, fleetWrongType.createFinding('choice', { path, data })];
}
