import { at, childPath, fieldName } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import { wrongType } from '../../core/rules/wrong-type';
import { seen } from '../../core/seen';
import type { Seen } from '../../core/seen';
import type { ReadBundle } from './bundle';
import { BUNDLE_STATES, CUSTOMIZATION_MODES } from './types';
import type { BundleRef } from './types';

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
  if (error.kind === 'unnamed') return wrongType.finding('unnamedDependency', { path, data: { dependency: path } });
  const data = { field: fieldName(path), value: error.state, choices: BUNDLE_STATES, by: 'Fleet' } as const;
  return wrongType.finding('choice', { path, data });
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
  return [...dependencies, wrongType.finding('choice', { path, data })];
}
