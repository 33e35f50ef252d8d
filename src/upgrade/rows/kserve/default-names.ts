import { memoizePerPlan } from '../../../cluster/context/context';
import { nameOf, namespaceOf } from '../../../core/manifest/manifest';
import type { KserveService } from '../../../systems/kserve/service';
import type { UpgradeRow, UpgradeSides } from '../../upgrade-row';
import { matchService } from './service-sides';

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

export const defaultNames: UpgradeRow = {
  id: 'default-names',
  since: '0.16',
  effect: 'rename',
  message:
    'KServe 0.16 no longer looks for Deployments and Services with the names that KServe before 0.11 gave them. It creates new ones next to them.',
  match: matchService(({ service, sides }) =>
    findDefaultNames(service, sides).map((name) => {
      const next = name.replace(/-default$/, '');
      return { component: next.slice(service.name.length + 1), fields: [{ path: 'metadata.name', old: name, new: next }] };
    }),
  ),
};
