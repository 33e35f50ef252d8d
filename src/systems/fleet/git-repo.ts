import { toFieldPath } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import { getFieldsAt, groupOf, getListAt, namespaceOf, getValueAt } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { filterProblems, findSchemaProblems } from '../../core/values/schema';
import { memoizePerPlan } from '../../cluster/context/context';
import type { PlanContext } from '../../cluster/context/context';
import { CONTEXT_KINDS } from '../../cluster/kinds/context-kinds';
import { createSkippedFieldFinding, schemaReaderOf } from './field-findings';
import type { WrongField } from './field-findings';
import { splitPath } from './fleet-yaml';
import type { FleetYamlObject } from './fleet-yaml';
import { compileNamePattern } from './name-pattern';
import { GIT_REPO_SPEC_SCHEMA } from './schemas';
import type { GitTarget } from './types';

/** The cluster group that a HelmOp or GitRepo without targets deploys to. */
export const DEFAULT_GROUP = 'default';

/** Targets of a HelmOp or GitRepo without targets. */
export const DEFAULT_TARGETS: readonly GitTarget[] = [{ name: DEFAULT_GROUP, clusterGroup: DEFAULT_GROUP }];

export function isGitRepo(object: Manifest): boolean {
  const { group, kind } = CONTEXT_KINDS.gitRepo;
  return groupOf(object) === group && object.kind === kind;
}

/** Predicates for the segments of a GitRepo's path. Each reports whether a segment of a folder's path matches. */
type PathPattern = readonly ((name: string) => boolean)[];

/** Reports whether a GitRepo's path is this folder or a parent of it. The folder's path may start outside the repository. */
function matchesFolder(pattern: PathPattern, folder: readonly string[]): boolean {
  return folder.some(
    (_, start) => start + pattern.length <= folder.length && pattern.every((matches, index) => matches(folder[start + index]!)),
  );
}

/** Finds the fields of a GitRepo that a rollout reads and the API server refuses. */
function findWrongGitRepoFields(gitRepo: Manifest, version: string): WrongField[] {
  return filterProblems(
    findSchemaProblems(getFieldsAt(gitRepo, 'spec'), GIT_REPO_SPEC_SCHEMA, toFieldPath`spec`, schemaReaderOf('api-server', version)),
    'wrong-type',
  );
}

/** Lists the GitRepos in the input except those that the API server refuses. */
function listValidGitRepos(context: PlanContext): Manifest[] {
  return context.all(CONTEXT_KINDS.gitRepo).filter((gitRepo) => findWrongGitRepoFields(gitRepo, context.versions.fleet).length === 0);
}

/** Reports the problems of the GitRepos in the input. */
export function checkGitRepos(context: PlanContext): Finding[] {
  return context
    .all(CONTEXT_KINDS.gitRepo)
    .flatMap((gitRepo) =>
      findWrongGitRepoFields(gitRepo, context.versions.fleet).map((field) =>
        createSkippedFieldFinding(field, 'GitRepo', context.locate(gitRepo, field.path)),
      ),
    );
}

/** A GitRepo with the patterns of its paths. */
interface GitRepoPatterns {
  readonly gitRepo: Manifest;
  readonly patterns: readonly PathPattern[];
}

function compilePathPatterns(gitRepo: Manifest): readonly PathPattern[] {
  const paths = getListAt(gitRepo, 'spec', 'paths') as readonly string[];
  return paths.map((path) => splitPath(path).map((segment) => compileNamePattern(segment)));
}

/** Compiles the path patterns once per plan, since every fleet.yaml needs them. */
const compileGitRepoPatterns = memoizePerPlan((context): readonly GitRepoPatterns[] =>
  listValidGitRepos(context).map((gitRepo) => ({ gitRepo, patterns: compilePathPatterns(gitRepo) })),
);

/**
 * Finds the GitRepo of a folder: the first one with a path to it, else one without paths, which is searched entirely.
 *
 * If there is only one GitRepo, it is used even if neither applies.
 */
export function findGitRepo({ folder }: FleetYamlObject, context: PlanContext): Manifest | undefined {
  const segments = splitPath(folder);
  const repos = compileGitRepoPatterns(context);
  const found =
    repos.find(({ patterns }) => patterns.some((pattern) => pattern.length > 0 && matchesFolder(pattern, segments))) ??
    repos.find(({ patterns }) => patterns.every((pattern) => pattern.length === 0)) ??
    (repos.length === 1 ? repos[0] : undefined);
  return found?.gitRepo;
}

/** Settings that a GitRepo adds to the bundles that it finds. */
export interface GitRepoSettings {
  readonly namespace: string | undefined;
  readonly paused: boolean;
  readonly targets: readonly GitTarget[];
}

/**
 * Returns the settings of a GitRepo. Without targets it deploys to the cluster group "default".
 *
 * Source: rancher/fleet bundlereader/read.go.
 */
export function gitRepoSettingsOf(gitRepo: Manifest): GitRepoSettings {
  const targets = getListAt(gitRepo, 'spec', 'targets') as readonly GitTarget[];
  return {
    namespace: namespaceOf(gitRepo),
    paused: getValueAt(gitRepo, 'spec', 'paused') === true,
    targets: targets.length > 0 ? targets : DEFAULT_TARGETS,
  };
}
