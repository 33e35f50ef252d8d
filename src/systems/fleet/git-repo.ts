import { at } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import { fieldsAt, groupOf, listAt, namespaceOf, valueAt } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import { ofKind, schemaProblems } from '../../core/schema';
import { oncePerPlan } from '../../cluster/context';
import type { PlanContext } from '../../cluster/context';
import { CONTEXT_KINDS } from '../../cluster/context-kinds';
import { leftOutField, readerOf } from './field-findings';
import type { WrongField } from './field-findings';
import { segmentsOf } from './fleet-yaml';
import type { FleetYamlObject } from './fleet-yaml';
import { namePattern } from './name-pattern';
import { GIT_REPO_SPEC } from './schemas';
import type { GitTarget } from './types';

/** The cluster group that a HelmOp or GitRepo without targets deploys to. */
export const DEFAULT_GROUP = 'default';

/** Where a bundle is deployed that nobody gave a target. */
export const DEFAULT_TARGETS: readonly GitTarget[] = [{ name: DEFAULT_GROUP, clusterGroup: DEFAULT_GROUP }];

export function isGitRepo(object: Manifest): boolean {
  const { group, kind } = CONTEXT_KINDS.gitRepo;
  return groupOf(object) === group && object.kind === kind;
}

/** Tells of the parts of a folder's path whether they match a part of a GitRepo's path. */
type PathPattern = readonly ((name: string) => boolean)[];

/** Does a GitRepo's path lead to this folder, or above it? The folder may have been reached from outside of the repository. */
function leadsTo(pattern: PathPattern, folder: readonly string[]): boolean {
  return folder.some((_, start) => start + pattern.length <= folder.length && pattern.every((fits, index) => fits(folder[start + index]!)));
}

/** What the API server refuses in a GitRepo, as far as a rollout reads it. */
function refusedFields(gitRepo: Manifest, version: string): WrongField[] {
  return ofKind(schemaProblems(fieldsAt(gitRepo, 'spec'), GIT_REPO_SPEC, at`spec`, readerOf('api-server', version)), 'wrong-type');
}

/** The GitRepos in view, but for those that the API server refuses. */
function gitReposOf(context: PlanContext): Manifest[] {
  return context.all(CONTEXT_KINDS.gitRepo).filter((gitRepo) => refusedFields(gitRepo, context.versions.fleet).length === 0);
}

/** What is wrong with the GitRepos in view. */
export function gitRepoFindings(context: PlanContext): Finding[] {
  return context
    .all(CONTEXT_KINDS.gitRepo)
    .flatMap((gitRepo) =>
      refusedFields(gitRepo, context.versions.fleet).map((field) => leftOutField(field, 'GitRepo', context.locate(gitRepo, field.path))),
    );
}

/** A GitRepo with the patterns of its paths. */
interface SearchedRepo {
  readonly gitRepo: Manifest;
  readonly patterns: readonly PathPattern[];
}

function patternsOf(gitRepo: Manifest): readonly PathPattern[] {
  const paths = listAt(gitRepo, 'spec', 'paths') as readonly string[];
  return paths.map((path) => segmentsOf(path).map((segment) => namePattern(segment)));
}

/** Made once, since every fleet.yaml asks for them. */
const searchedRepos = oncePerPlan((context): readonly SearchedRepo[] =>
  gitReposOf(context).map((gitRepo) => ({ gitRepo, patterns: patternsOf(gitRepo) })),
);

/** The GitRepo that finds a folder: the first one with a path to it; else one without paths, which is searched whole; else the only one. */
export function gitRepoOf({ folder }: FleetYamlObject, context: PlanContext): Manifest | undefined {
  const segments = segmentsOf(folder);
  const repos = searchedRepos(context);
  const found =
    repos.find(({ patterns }) => patterns.some((pattern) => pattern.length > 0 && leadsTo(pattern, segments))) ??
    repos.find(({ patterns }) => patterns.every((pattern) => pattern.length === 0)) ??
    (repos.length === 1 ? repos[0] : undefined);
  return found?.gitRepo;
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
