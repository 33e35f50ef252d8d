import { nameOf, namespaceOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import type { PlanContext } from '../../cluster/context/context';
import { bundleNameOf, isFleetYaml, splitPath } from './fleet-yaml';
import { findGitRepo } from './git-repo';

/*
 * Names of the bundles that Fleet creates. Source: rancher/fleet v0.16.1 internal/names/name.go (`HelmReleaseName`),
 * internal/cmd/cli/apply/apply.go.
 */

/** A name of a bundle. Where Fleet appends a checksum, only its length is known. */
export interface BundleName {
  /** `infra-sleep`, or `infra-Sleep-<hash>`. */
  readonly text: string;
  /** Whether the text is the complete name. */
  readonly isExact: boolean;
  readonly matches: (name: string) => boolean;
}

/** Maximum length of the name of a release. */
const MAX_LENGTH = 53;
/** Characters before the checksum of a name that is too long. */
const KEPT_LENGTH = MAX_LENGTH - 6;

/** End of a name with a checksum. */
const CHECKSUM_END = /^-?[0-9a-f]{8}$/;
/** End of a name that is cut. */
const CUT_END = /^-?[0-9a-f]{5}$/;
/** End of a name that is cut inside its checksum and shows a part of it as well. */
const CUT_CHECKSUM_END = /^[0-9a-f-]*[0-9a-f]{5}$/;

/**
 * Returns the name that Fleet derives from a GitRepo and the path of a folder. `infra` and `apps/sleep` are `infra-apps-sleep`.
 * A path with upper case or other characters gets a checksum, and a name of more than 53 characters is cut.
 */
export function deriveBundleName(gitRepo: string, path: string): BundleName {
  const joined = [gitRepo, ...splitPath(path)].join('-');
  const hasChecksum = joined !== joined.toLowerCase() || /[^a-zA-Z0-9-]/.test(joined);
  const clean = joined
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-')
    .replaceAll(/-+/g, '-')
    .replace(/^-|-$/g, '');
  const length = clean.length + (hasChecksum ? 9 : 0);
  const kept = clean.slice(0, KEPT_LENGTH);
  const isCut = length > MAX_LENGTH;
  if (!hasChecksum && !isCut) return toExactName(clean);
  const [stem, digits] = isCut ? [kept, 5] : [clean, 8];
  const end = isCut ? (hasChecksum ? CUT_CHECKSUM_END : CUT_END) : CHECKSUM_END;
  return {
    text: `${stem.replace(/-$/, '')}-<${digits} characters of a checksum>`,
    isExact: false,
    matches: (name) => name.startsWith(stem) && end.test(name.slice(stem.length)),
  };
}

/** Returns the names that a bundle may have: several if the root of the repository is not known. None if its GitRepo is not in the input. */
export function listBundleNames(object: Manifest, context: PlanContext): readonly BundleName[] {
  if (!isFleetYaml(object)) return [toExactName(nameOf(object))];
  const { name } = object.content;
  if (typeof name === 'string' && name !== '') return [toExactName(name)];
  const gitRepo = findGitRepo(object, context);
  if (!gitRepo) return [];
  const segments = splitPath(object.folder);
  const paths = getRepositoryPaths(gitRepo);
  const starts = segments.map((_, start) => segments.slice(start));
  const below = starts.filter((path) => paths.length === 0 || paths.some((prefix) => prefix.every((one, index) => path[index] === one)));
  return [...(below.length > 0 ? below : starts), ...(paths.length === 0 ? [[]] : [])].map((path) =>
    deriveBundleName(nameOf(gitRepo), path.join('/')),
  );
}

function toExactName(text: string): BundleName {
  return { text, isExact: true, matches: (name) => name === text };
}

/** Returns the paths of a GitRepo that are no patterns. */
function getRepositoryPaths(gitRepo: Manifest): readonly string[][] {
  const { paths } = (gitRepo.spec ?? {}) as { readonly paths?: readonly unknown[] };
  return (paths ?? []).filter((path) => typeof path === 'string' && !/[*?[]/.test(path)).map((path) => splitPath(path as string));
}

/** Returns the short name of a bundle, which users may take for its name: that of its folder. */
export function shortNameOf(object: Manifest): string {
  return isFleetYaml(object) ? bundleNameOf(object) : nameOf(object);
}

/**
 * Lists names that are not that of a bundle and probably mean it: the name of its folder, alone or after that of its GitRepo, and the name without
 * the checksum that Fleet appends.
 */
export function listMeantNames(object: Manifest, names: readonly BundleName[], context: PlanContext): readonly string[] {
  const short = shortNameOf(object);
  const gitRepo = isFleetYaml(object) ? findGitRepo(object, context) : undefined;
  return [
    short,
    ...(gitRepo === undefined ? [] : [`${nameOf(gitRepo)}-${short}`]),
    ...names.filter(({ isExact }) => !isExact).map(({ text }) => text.slice(0, text.indexOf('-<'))),
  ];
}

/** Returns the namespace of a bundle: that of its GitRepo for a fleet.yaml. */
export function bundleNamespaceOf(object: Manifest, context: PlanContext): string | undefined {
  const gitRepo = isFleetYaml(object) ? findGitRepo(object, context) : undefined;
  return namespaceOf(gitRepo ?? object);
}
