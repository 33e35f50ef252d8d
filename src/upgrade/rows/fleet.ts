import { getFieldsAt, getListAt, groupOf, isFields } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import { FLEET_GROUP, isFleetYaml } from '../../systems/fleet/fleet-yaml';
import type { UpgradeRow } from '../upgrade-row';

/*
 * Differences between the deployment IDs that versions of Fleet compute for the same bundle. Another ID deploys the bundle again.
 * Source: rancher/fleet v0.14 to v0.16.1, options/calculate.go (`DeploymentID`) and internal/cmd/controller/options.
 */

/** Returns the options of a bundle; undefined for any other object. */
function bundleOptionsOf(object: Manifest): Fields | undefined {
  if (isFleetYaml(object)) return object.content;
  return object.kind === 'Bundle' && groupOf(object) === FLEET_GROUP ? getFieldsAt(object, 'spec') : undefined;
}

/** Returns the options of a bundle and of its targets. */
function listOptions(object: Manifest): readonly Fields[] {
  const options = bundleOptionsOf(object);
  if (!options) return [];
  const customizations = [...getListAt(options, 'targets'), ...getListAt(options, 'targetCustomizations')].filter(isFields);
  return [options, ...customizations];
}

const ID_PATH = 'BundleDeployment spec.deploymentID';

const diffOptions: UpgradeRow = {
  id: 'diff-not-hashed',
  since: '0.15',
  effect: 'redeploy',
  message:
    'Fleet 0.15 leaves diff out of the deployment ID, so a bundle with diff options gets another ID and is deployed again on every cluster.',
  match: (object) => (listOptions(object).some(({ diff }) => isFields(diff)) ? [{ fields: [{ path: ID_PATH }] }] : []),
};

const correctDrift: UpgradeRow = {
  id: 'correct-drift-not-hashed',
  since: '0.16',
  effect: 'redeploy',
  message:
    'Fleet 0.16 leaves correctDrift out of the deployment ID, so a bundle that corrects drift gets another ID and is deployed again on every cluster.',
  match: (object, { next }) => {
    const own = listOptions(object).some((options) => isFields(options.correctDrift));
    // The options of a GitRepo are those of all of its bundles.
    const inherits =
      isFleetYaml(object) && next.objects.some((one) => one.kind === 'GitRepo' && isFields(getFieldsAt(one, 'spec').correctDrift));
    return own || inherits ? [{ fields: [{ path: ID_PATH }] }] : [];
  },
};

/** Returns what identifies an entry of valuesFrom or downstreamResources. */
function keyOf(entry: unknown): string {
  const { configMapKeyRef, secretKeyRef, kind, name } = isFields(entry) ? entry : {};
  return JSON.stringify([configMapKeyRef, secretKeyRef, kind, name]);
}

/** Reports whether a target repeats an entry of the bundle. */
function repeatsEntry([options = {}, ...customizations]: readonly Fields[], ...path: readonly string[]): boolean {
  const own = new Set(getListAt(options, ...path).map(keyOf));
  return customizations.some((customization) => getListAt(customization, ...path).some((entry) => own.has(keyOf(entry))));
}

const mergedByKey: UpgradeRow = {
  id: 'merged-by-key',
  since: '0.16',
  effect: 'redeploy',
  message:
    'Fleet 0.16 merges valuesFrom and downstreamResources of a target by key instead of appending them, so a target that repeats an entry of the bundle gets another ID and is deployed again.',
  match: (object) => {
    const options = listOptions(object);
    return repeatsEntry(options, 'helm', 'valuesFrom') || repeatsEntry(options, 'downstreamResources')
      ? [{ fields: [{ path: ID_PATH }] }]
      : [];
  },
};

/** Differences between versions of Fleet. */
export const FLEET_ROWS: readonly UpgradeRow[] = [diffOptions, correctDrift, mergedByKey];
