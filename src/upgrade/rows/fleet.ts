import { isDeepEqual } from '../../core/collections/deep-equal';
import { getFieldsAt, getListAt, getValueAt, groupOf, isFields } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import { FLEET_GROUP, isFleetYaml } from '../../systems/fleet/fleet-yaml';
import type { UpgradeRow } from '../upgrade-row';

/*
 * Differences between the deployment IDs that versions of Fleet compute for the same bundle. Another ID deploys the bundle again.
 * Source: rancher/fleet v0.14 to v0.16.1, internal/cmd/controller/options/calculate.go (`DeploymentID`, `Merge`).
 */

/** Kinds with the options of a bundle. Fleet creates a Bundle with those of a HelmOp. */
const BUNDLE_KINDS: ReadonlySet<string> = new Set(['Bundle', 'HelmOp']);

/** Returns the options of a bundle; undefined for any other object. */
function bundleOptionsOf(object: Manifest): Fields | undefined {
  if (isFleetYaml(object)) return object.content;
  return BUNDLE_KINDS.has(object.kind) && groupOf(object) === FLEET_GROUP ? getFieldsAt(object, 'spec') : undefined;
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

/** Returns the lists of the bundle and of each target at a path. */
function listEntries(
  object: Manifest,
  ...path: readonly string[]
): { readonly own: readonly unknown[]; readonly targets: readonly unknown[][] } {
  const [options = {}, ...customizations] = listOptions(object);
  return { own: getListAt(options, ...path), targets: customizations.map((customization) => [...getListAt(customization, ...path)]) };
}

/** Returns the key by which Fleet 0.16 merges an entry of valuesFrom; undefined for one that it appends. */
function valuesKeyOf(entry: unknown): string | undefined {
  const kind = ['configMapKeyRef', 'secretKeyRef'].find((each) => isFields(getValueAt(entry, each)));
  if (kind === undefined) return undefined;
  const { namespace, name, key } = getFieldsAt(entry, kind);
  return JSON.stringify([kind, namespace || undefined, name, key || undefined]);
}

const mergedValues: UpgradeRow = {
  id: 'merged-by-key',
  since: '0.16',
  effect: 'redeploy',
  message:
    'Fleet 0.16 merges valuesFrom of a target by key instead of appending it, so a target that repeats an entry gets another ID and is deployed again.',
  match: (object) => {
    const { own, targets } = listEntries(object, 'helm', 'valuesFrom');
    const isRepeated = (entries: readonly unknown[]) => {
      const keys = entries.flatMap((entry) => valuesKeyOf(entry) ?? []);
      const known = own.flatMap((entry) => valuesKeyOf(entry) ?? []);
      return new Set(keys).size < keys.length || keys.some((key) => known.includes(key));
    };
    return targets.some(isRepeated) ? [{ fields: [{ path: ID_PATH }] }] : [];
  },
};

const targetResources: UpgradeRow = {
  id: 'resources-of-targets',
  since: '0.16',
  effect: 'redeploy',
  message:
    'Fleet 0.16 copies downstreamResources of a target, which earlier versions ignored, so a target with entries that the bundle lacks gets another ID and is deployed again.',
  match: (object) => {
    const { own, targets } = listEntries(object, 'downstreamResources');
    const isKnown = (entry: unknown) => own.some((known) => isDeepEqual(known, entry));
    return targets.flat().every(isKnown) ? [] : [{ fields: [{ path: ID_PATH }] }];
  },
};

/** Differences between versions of Fleet. */
export const FLEET_ROWS: readonly UpgradeRow[] = [diffOptions, correctDrift, mergedValues, targetResources];
