import { inputFinding } from '../../core/catalogue';
import type { Finding } from '../../core/finding';
import { describeValue } from '../../core/shape';
import { strategyPath } from './bundle';
import type { CriteriaPlace, ReadBundle } from './bundle';
import { fleetFinding } from './catalogue';
import { childPath } from './field-check';
import { isLimit } from './limit';
import { formsPartitions, hasManualPartitions } from './partitions';
import { selectorErrors } from './selector';
import { BUNDLE_STATES, CUSTOMIZATION_MODES } from './types';
import type { BundleRef } from './types';

/** How many clusters a limit is about, as far as it is known: what the controller does not evaluate, it does not refuse. */
export interface Evaluated {
  /** Targeted clusters; undefined without an inventory, when some are taken for granted. */
  readonly targets: number | undefined;
  /** Members of each partition that is written. */
  members(partition: number): number | undefined;
}

const REFUSED = 'the controller refuses it, and the whole bundle stops with Ready=False';
const UNREAD_SELECTOR = 'it does no harm now, since the bundle targets no cluster, but the controller refuses it once it is read';

interface LimitPlace {
  readonly path: string;
  readonly value: unknown;
  /** Why the controller never looks at it, where it does not. */
  readonly unread: () => string | undefined;
}

function limitPlaces(bundle: ReadBundle, evaluated: Evaluated): LimitPlace[] {
  const { strategy } = bundle;
  const manual = hasManualPartitions(strategy);
  const noTargets = evaluated.targets === 0 ? 'the bundle targets no cluster' : undefined;
  const sizeUnread = (): string | undefined => {
    if (noTargets) return noTargets;
    if (manual) return 'partitions are written by hand';
    const targets = evaluated.targets ?? Infinity;
    return formsPartitions(strategy, targets) ? undefined : 'Fleet forms no partitions of so few clusters';
  };
  const place = (field: 'maxUnavailable' | 'maxUnavailablePartitions' | 'autoPartitionSize', unread: LimitPlace['unread']): LimitPlace => ({
    path: strategyPath(bundle, field),
    value: strategy[field],
    unread,
  });
  return [
    place('maxUnavailable', () => noTargets),
    place('maxUnavailablePartitions', () => noTargets),
    place('autoPartitionSize', sizeUnread),
    ...(strategy.partitions ?? []).map(({ maxUnavailable }, index) => ({
      path: strategyPath(bundle, `partitions[${index}].maxUnavailable`),
      value: maxUnavailable,
      unread: () => noTargets ?? (evaluated.members(index) === 0 ? 'the partition matches no cluster' : undefined),
    })),
  ];
}

/** Limits that are no limit: errors where the controller refuses them, warnings where it never looks at them. */
export function limitFindings(bundle: ReadBundle, evaluated: Evaluated): Finding[] {
  return limitPlaces(bundle, evaluated).flatMap(({ path, value, unread: whyUnread }) => {
    if (value === undefined || isLimit(value)) return [];
    const unread = whyUnread();
    const field = path.slice(path.lastIndexOf('.') + 1);
    const effect = unread ? `it does no harm now, since ${unread}, but the controller refuses it once it is read` : REFUSED;
    return fleetFinding('fleet/invalid-limit', {
      path,
      ...(unread && { severity: 'warning' as const }),
      message: `${field} is ${describeValue(value)}, neither a number above 0 nor a percentage: ${effect}.`,
      help: 'Write a whole number such as 1, or a percentage such as "10%" without spaces.',
    });
  });
}

/**
 * Selectors that the controller refuses.
 *
 * @param targets of the bundle; without any, the selectors of its partitions are never read, and these findings are warnings
 */
export function selectorFindings(places: readonly CriteriaPlace[], targets?: number): Finding[] {
  const isRead = targets !== 0;
  return places.flatMap(({ criteria, path, locate }) =>
    (['clusterSelector', 'clusterGroupSelector'] as const).flatMap((field) => {
      const selector = criteria[field];
      if (!selector) return [];
      return selectorErrors(selector, `${path}.${field}`).map((error) =>
        fleetFinding('fleet/invalid-selector', {
          path: error.path,
          ...(!isRead && { severity: 'warning' as const }),
          message: `In ${path}.${field}, ${error.message}: ${isRead ? REFUSED : UNREAD_SELECTOR}.`,
          help: error.help,
          source: locate?.(error.path),
        }),
      );
    }),
  );
}

/** The partitions that are written, as places of criteria. */
export function partitionPlaces(bundle: ReadBundle): CriteriaPlace[] {
  return (bundle.strategy.partitions ?? []).map((criteria, index) => ({ criteria, path: strategyPath(bundle, `partitions[${index}]`) }));
}

/** Why `fleet apply` refuses a dependency, and where. */
export interface DependencyError {
  readonly path: string;
  readonly message: string;
  readonly help: string;
}

/** What Fleet refuses in dependencies. Source: rancher/fleet v0.16.1 internal/bundlereader/validate_fleetyaml.go. */
export function dependencyErrors(dependsOn: readonly BundleRef[], path = 'dependsOn'): DependencyError[] {
  const states: readonly string[] = BUNDLE_STATES;
  return dependsOn.flatMap(({ name, selector, acceptedStates = [] }, index) => {
    const place = `${path}[${index}]`;
    const unnamed =
      name || selector
        ? []
        : [{ path: place, message: 'it has neither name nor selector', help: 'Write the name of a bundle, or a selector of its labels.' }];
    const unknown = acceptedStates.flatMap((state, position) =>
      states.includes(state)
        ? []
        : [
            {
              path: `${place}.acceptedStates[${position}]`,
              message: `${describeValue(state)} is no state of a bundle`,
              help: `Write one of ${states.join(', ')}.`,
            },
          ],
    );
    return [...unnamed, ...unknown];
  });
}

function wrongValue(path: string, message: string, help: string): Finding {
  return inputFinding('input/wrong-type', { path, message, help });
}

/** Values that have the right type and that the API server or `fleet apply` refuses all the same. */
export function valueFindings({
  root,
  dependsOn,
  mode,
}: {
  root: string;
  dependsOn: readonly BundleRef[] | undefined;
  mode: string;
}): Finding[] {
  const dependencies = dependencyErrors(dependsOn ?? [], childPath(root, 'dependsOn')).map(({ path, message, help }) =>
    wrongValue(path, `In ${path}, ${message}: Fleet refuses the bundle.`, help),
  );
  const modes: readonly string[] = CUSTOMIZATION_MODES;
  if (modes.includes(mode)) return dependencies;
  const path = childPath(root, 'targetCustomizationMode');
  return [
    ...dependencies,
    wrongValue(path, `targetCustomizationMode is ${describeValue(mode)}, which the API server refuses.`, `Write ${modes.join(' or ')}.`),
  ];
}
