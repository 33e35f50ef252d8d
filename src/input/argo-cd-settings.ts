import { checkTimeNow } from '../core/budget/deadline';
import { getFieldsAt, getListAt, getValueAt, groupOf, isFields, nameOf } from '../core/manifest/manifest';
import type { Manifest } from '../core/manifest/manifest';
import { matchesPattern } from '../core/sources/path-pattern';
import { DocumentText } from './yaml';

/** What an entry of a setting is about. An empty list is any. */
interface ResourceFilter {
  readonly groups: readonly string[];
  readonly kinds: readonly string[];
  readonly isForAllClusters: boolean;
}

const FIELDS: ReadonlySet<string> = new Set(['apiGroups', 'kinds', 'clusters']);

function listTexts(entry: unknown, field: string): readonly string[] {
  return getListAt(entry, field).filter((value) => typeof value === 'string');
}

/** Reads a setting; undefined if it cannot be read. A setting that is empty has no entries. */
function readFilters(text: unknown): readonly ResourceFilter[] | undefined {
  if (text === undefined || text === '') return [];
  // Flux fills in a placeholder after the check.
  if (typeof text !== 'string' || text.includes('${')) return undefined;
  try {
    const documents = new DocumentText(text);
    const [first] = documents.chunks();
    const value = first === undefined || 'problem' in first ? undefined : documents.valueOf(first).value;
    // Argo CD decodes the names of fields in any case, so `Kinds` is one too.
    if (!Array.isArray(value) || !value.every((entry) => isFields(entry) && Object.keys(entry).every((name) => FIELDS.has(name))))
      return undefined;
    return value.map((entry) => {
      const clusters = listTexts(entry, 'clusters');
      return {
        groups: listTexts(entry, 'apiGroups'),
        kinds: listTexts(entry, 'kinds'),
        isForAllClusters: clusters.length === 0 || clusters.includes('*'),
      };
    });
  } catch {
    return undefined;
  }
}

/** Reports whether a pattern of a group matches. Whether one with a class of characters or alternatives does is not known: it counts as what leaves out more. */
function matchesGroup(pattern: string, group: string, leavesOut: boolean): boolean {
  checkTimeNow();
  if (/[[{\\!]/.test(pattern)) return leavesOut;
  return group === '' ? /^\**$/.test(pattern) : matchesPattern(pattern, group);
}

function matchesFilter({ groups, kinds }: ResourceFilter, object: Manifest, leavesOut: boolean): boolean {
  const isOfGroup = groups.length === 0 || groups.some((pattern) => matchesGroup(pattern, groupOf(object), leavesOut));
  return isOfGroup && (kinds.length === 0 || kinds.includes('*') || kinds.includes(object.kind));
}

/** Reports whether an object has the settings of Argo CD. */
export function isArgoCdSettings(object: Manifest): boolean {
  return object.kind === 'ConfigMap' && groupOf(object) === '' && nameOf(object) === 'argocd-cm';
}

/**
 * Settings that do not decide what Argo CD applies: those of its pages, users, logs, links and health checks, and when it looks for changes.
 * Source: argo-cd v3.2 docs/operator-manual/argocd-cm.yaml.
 */
const HARMLESS_SETTINGS: readonly RegExp[] = [
  /^(?:url|additionalUrls|passwordPattern|installationID|extension\.config|globalProjects|repositories|repository\.credentials)$/,
  /^(?:accounts|admin|dex|exec|ga|help|oidc|server|sourceHydrator|statusbadge|timeout|ui|users|webhook|commit\.author)\./,
  /^(?:application|project|resource)\.links$/,
  /^(?:application\.(?:allowedNodeLabels|resourceTrackingMethod|sync\..+)|helm\.valuesFileSchemes)$/,
  /^resource\.(?:sensitive\.mask\.annotations|customLabels|(?:include|exclude)EventLabelKeys|ignoreResourceUpdatesEnabled|respectRBAC)$/,
  /^resource\.customizations\.(?:actions|health|ignoreResourceUpdates|useOpenLibs)\./,
  // What they leave out is compared with the objects of the input.
  /^resource\.(?:exclusions|inclusions)$/,
];

/** Returns the first setting of Argo CD that may decide what it applies, such as the options of kustomize; undefined if there is none. */
export function findDecidingSetting(settings: Manifest): string | undefined {
  const name = Object.entries(getFieldsAt(settings, 'data'))
    .filter(([, value]) => value !== '' && value !== null)
    .map(([key]) => key)
    .find((key) => !HARMLESS_SETTINGS.some((pattern) => pattern.test(key)));
  return name === undefined ? undefined : `data[${JSON.stringify(name)}]`;
}

/**
 * Returns the field of the settings of Argo CD with which it may leave out one of the objects; undefined if it leaves out none. The cluster is
 * not known. Source: Argo CD v3.1 util/settings/resources_filter.go, `IsExcludedResource`.
 */
export function findExcludingSetting(settings: Manifest, objects: readonly Manifest[]): string | undefined {
  const dataOf = (name: string) => readFilters(getValueAt(settings, 'data', name));
  const [exclusions, inclusions] = [dataOf('resource.exclusions'), dataOf('resource.inclusions')];
  const isExcluded = (object: Manifest) => exclusions?.some((filter) => matchesFilter(filter, object, true)) !== false;
  const isIncluded = (object: Manifest) =>
    inclusions?.some((filter) => filter.isForAllClusters && matchesFilter(filter, object, false)) === true;
  if (objects.some(isExcluded)) return 'data["resource.exclusions"]';
  return inclusions?.length !== 0 && !objects.every(isIncluded) ? 'data["resource.inclusions"]' : undefined;
}
