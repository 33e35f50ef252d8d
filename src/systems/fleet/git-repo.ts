import type { Finding } from '../../core/finding';
import { fieldsAt, listAt, namespaceOf, valueAt } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import { wrongTypeFindings } from './field-check';
import type { FieldReader } from './field-check';
import { GIT_TARGETS } from './fields';
import type { FieldTree } from './fields';
import { segmentsOf } from './fleet-yaml';
import type { FleetYamlObject } from './fleet-yaml';
import type { GitTarget } from './types';

/** Where a bundle is deployed that nobody gave a target. */
export const DEFAULT_TARGETS: readonly GitTarget[] = [{ name: 'default', clusterGroup: 'default' }];

/** Does a name match a segment of a GitRepo's path, in which `*` and `?` stand for any text and any character? */
function matchesSegment(name: string, pattern: string): boolean {
  const escaped = pattern.replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`).test(name);
}

/** Does a GitRepo's path lead to this folder, or above it? The folder may have been reached from outside of the repository. */
function leadsTo(path: string, folder: readonly string[]): boolean {
  const pattern = segmentsOf(path);
  return folder.some((_, start) =>
    pattern.every((segment, index) => start + index < folder.length && matchesSegment(folder[start + index]!, segment)),
  );
}

const GIT_REPO_FIELDS = { paths: { type: 'string-list' }, paused: { type: 'boolean' }, targets: GIT_TARGETS } as const satisfies FieldTree;

/** What the API server refuses in a GitRepo, as far as a rollout reads it. */
export function gitRepoFindings(gitRepo: Manifest, version: string): Finding[] {
  const reader: FieldReader = { version, ignoresCase: false, refusal: 'the API server refuses the GitRepo, and the plan leaves it out' };
  return wrongTypeFindings(fieldsAt(gitRepo, 'spec'), GIT_REPO_FIELDS, 'spec', reader);
}

function pathsOf(gitRepo: Manifest): readonly string[] {
  return listAt(gitRepo, 'spec', 'paths') as readonly string[];
}

/** The GitRepo that finds a folder: the first one with a path to it; else one without paths, which is searched whole; else the only one. */
export function gitRepoOf({ folder }: FleetYamlObject, gitRepos: readonly Manifest[]): Manifest | undefined {
  const segments = segmentsOf(folder);
  return (
    gitRepos.find((gitRepo) => pathsOf(gitRepo).some((path) => segmentsOf(path).length > 0 && leadsTo(path, segments))) ??
    gitRepos.find((gitRepo) => pathsOf(gitRepo).every((path) => segmentsOf(path).length === 0)) ??
    (gitRepos.length === 1 ? gitRepos[0] : undefined)
  );
}

/** What a GitRepo adds to the bundles that it finds. */
export interface GitRepoSettings {
  readonly namespace: string | undefined;
  readonly paused: boolean;
  readonly targets: readonly GitTarget[];
}

/** Without targets a GitRepo deploys to the cluster group "default". Source: rancher/fleet bundlereader/read.go. */
export function settingsOf(gitRepo: Manifest): GitRepoSettings {
  const targets = listAt(gitRepo, 'spec', 'targets') as readonly GitTarget[];
  return {
    namespace: namespaceOf(gitRepo),
    paused: valueAt(gitRepo, 'spec', 'paused') === true,
    targets: targets.length > 0 ? targets : DEFAULT_TARGETS,
  };
}
