import { memoizePerPlan } from '../../../cluster/context/context';
import { nameOf, namespaceOf } from '../../../core/manifest/manifest';
import { isAtLeast } from '../../../core/values/versions';
import type { KserveService } from '../../../systems/kserve/service';
import { resolveServiceMode } from '../../../systems/kserve/system';
import type { UpgradeRow, UpgradeSides } from '../../upgrade-row';
import { matchService } from './service-sides';

/** First version that deletes the Deployments and Services of a predictor whose names it does not know. */
const CLEANUP_VERSION = '0.20';

/** Names that KServe before 0.11 gave to the Deployments and Services of components. */
function listDefaultNames({ name, components }: KserveService): readonly string[] {
  return components.map((component) => `${name}-${component.name}-default`);
}

/** Returns the Deployments and Services in view, as namespace and name. */
const workloadNamesOf = memoizePerPlan(
  ({ objects }): ReadonlySet<string> =>
    new Set(
      objects
        .filter(({ kind }) => kind === 'Deployment' || kind === 'Service')
        .map((object) => `${namespaceOf(object) ?? ''}/${nameOf(object)}`),
    ),
);

/** Returns the objects in view with one of the old names of a service. */
function findDefaultNames(service: KserveService, { old }: UpgradeSides): readonly string[] {
  const names = workloadNamesOf(old);
  return listDefaultNames(service).filter((name) => names.has(`${namespaceOf(service.object) ?? ''}/${name}`));
}

/** Reports whether the cleanup of canaries takes the old objects of a component for leftovers. It knows the new names only. */
function areDeleted(component: string, service: KserveService, { next, to }: UpgradeSides): boolean {
  return component === 'predictor' && isAtLeast(to, CLEANUP_VERSION) && resolveServiceMode(service, next) === 'Standard';
}

/** Creates the matcher of a row about the old names of components. */
function matchDefaultNames(isDeleted: boolean): UpgradeRow['match'] {
  return matchService(({ service, sides }) =>
    findDefaultNames(service, sides).flatMap((name) => {
      const next = name.replace(/-default$/, '');
      const component = next.slice(service.name.length + 1);
      if (areDeleted(component, service, sides) !== isDeleted) return [];
      return [{ component, fields: [{ path: 'metadata.name', old: name, new: next }] }];
    }),
  );
}

export const defaultNames: UpgradeRow = {
  id: 'default-names',
  since: '0.16',
  effect: 'rename',
  message:
    'KServe 0.16 no longer looks for Deployments and Services with the names that KServe before 0.11 gave them. It creates new ones next to them.',
  match: matchDefaultNames(false),
};

/** Source: KServe v0.20.0, components/predictor.go, `reconcileCanaryDeployments`, which runs after the new Deployment is created. */
export const deletedDefaultNames: UpgradeRow = {
  id: 'deleted-default-names',
  since: '0.16',
  effect: 'rename',
  message:
    'KServe 0.20 does not know the names that KServe before 0.11 gave to the Deployment and Service of a predictor. It creates new ones, and deletes the old ones before the new pods are ready.',
  match: matchDefaultNames(true),
};
