import { findClosestName } from '../errors/did-you-mean';
import { describeValue } from '../text/display-value';
import { appendToPath } from '../manifest/field-path';
import type { FieldPath } from '../manifest/field-path';
import { groupOf } from '../manifest/manifest';
import type { Manifest } from '../manifest/manifest';
import { STRING } from '../values/schema';
import type { SchemasFor } from '../values/schema';
import { parseSpecPath } from '../manifest/spec-path';
import { joinWords } from '../text/text-format';

/** Kinds whose rollouts a mapped resource can follow. */
const ROLLS_LIKE = ['deployment', 'statefulset', 'leaderworkerset'] as const;

/** Kind whose rollout a mapped resource follows. */
export type RollsLike = (typeof ROLLS_LIKE)[number];

/** A custom resource whose pods an operator replaces like those of a known kind. All paths are fields below `spec`. */
export interface OperatorResourceMap {
  /** API group, without a version: `postgresql.cnpg.io`. */
  readonly group: string;
  /** Kind: `Cluster`. */
  readonly kind: string;
  /** Kind whose rollout the pods follow. */
  readonly rollsLike: RollsLike;
  /** Field with the number of pods, or of groups: `spec.instances`. */
  readonly replicas: string;
  /** Field with the pod template. Its change replaces the pods. @default - not known */
  readonly template?: string;
  /** Field with the image. Its change replaces the pods. @default - not known */
  readonly image?: string;
  /** Field with the strategy, in the format of `rollsLike`. @default - the defaults of that kind are assumed */
  readonly strategy?: string;
  /** Field with the pods of a group, for `leaderworkerset`. @default - groups of 1 pod */
  readonly size?: string;
}

/** Schemas of the fields of a map. */
export const OPERATOR_RESOURCE_MAP_FIELDS: SchemasFor<OperatorResourceMap> = {
  group: STRING,
  kind: STRING,
  rollsLike: STRING,
  replicas: STRING,
  template: STRING,
  image: STRING,
  strategy: STRING,
  size: STRING,
};

/** A map as written; a key without a value counts as omitted. */
type RawMap = { readonly [Key in keyof OperatorResourceMap]?: string | null };

/** A problem of a map, and the field that it is about. */
export interface OperatorResourceMapProblem {
  readonly path: FieldPath;
  readonly message: string;
}

const PATH_FIELDS = ['replicas', 'template', 'image', 'strategy', 'size'] as const;

function checkGroup(group: string): string | undefined {
  const [name = ''] = group.split('/');
  if (group.includes('/')) return `${describeValue(group)} has a version; write only the group, ${name}`;
  return group.includes('.')
    ? undefined
    : `${describeValue(group)} is not the group of a custom resource; write one such as postgresql.cnpg.io`;
}

function checkRollsLike(value: string): string | undefined {
  if (ROLLS_LIKE.some((kind) => kind === value)) return undefined;
  return `${describeValue(value)} is not a kind to roll like; write ${findClosestName(value, ROLLS_LIKE) ?? joinWords(ROLLS_LIKE, 'or')}`;
}

function findMapProblem(map: RawMap, path: FieldPath): OperatorResourceMapProblem | undefined {
  const { group, kind, rollsLike, replicas } = map;
  if (!group) return { path, message: 'names no group; write group: and the API group, such as postgresql.cnpg.io' };
  const groupProblem = checkGroup(group);
  if (groupProblem !== undefined) return { path: appendToPath(path, 'group'), message: groupProblem };
  if (!kind) return { path, message: 'names no kind; write kind: and the kind, such as Cluster' };
  if (!rollsLike) return { path, message: `does not say what it rolls like; write rollsLike: and ${joinWords(ROLLS_LIKE, 'or')}` };
  const kindProblem = checkRollsLike(rollsLike);
  if (kindProblem !== undefined) return { path: appendToPath(path, 'rollsLike'), message: kindProblem };
  if (!replicas) return { path, message: 'names no field with the replicas; write replicas: and its path, such as spec.instances' };
  const invalid = PATH_FIELDS.find((field) => map[field] != null && parseSpecPath(map[field]) === undefined);
  if (invalid !== undefined) {
    const message = `${describeValue(map[invalid])} is not a field below spec; write a path such as spec.${invalid === 'replicas' ? 'instances' : invalid}`;
    return { path: appendToPath(path, invalid), message };
  }
  if (map.size != null && rollsLike !== 'leaderworkerset')
    return { path: appendToPath(path, 'size'), message: `only a leaderworkerset has groups, not a ${rollsLike}; leave size out` };
  return undefined;
}

/** Returns the first problem of the maps, whose fields have the right types; undefined if they can be used. */
export function findOperatorResourceMapProblem(maps: readonly RawMap[], path: FieldPath): OperatorResourceMapProblem | undefined {
  for (const [index, map] of maps.entries()) {
    const mapPath = appendToPath(path, index);
    const problem = findMapProblem(map, mapPath);
    if (problem) return problem;
    const first = maps.findIndex(({ group, kind }) => group === map.group && kind === map.kind);
    if (first < index)
      return { path: mapPath, message: `maps ${map.kind} of ${map.group} again, after ${appendToPath(path, first)}; keep only one` };
  }
  return undefined;
}

/** Returns the map of an object; undefined if there is none. */
export function findOperatorResourceMap(
  object: Manifest,
  maps: readonly OperatorResourceMap[] | undefined,
): OperatorResourceMap | undefined {
  return maps?.find(({ group, kind }) => kind === object.kind && group === groupOf(object));
}
