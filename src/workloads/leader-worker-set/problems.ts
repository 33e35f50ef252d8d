import { typeFinding } from '../../cluster/refusals';
import { WHOLE_OBJECT } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import type { Manifest } from '../../core/manifest';
import { tooNewFinding, unknownFieldFinding } from '../../core/rules/unknown-field';
import { ofKind, schemaProblems } from '../../core/schema';
import type { FieldSchema, SchemaProblem } from '../../core/schema';
import type { Versions } from '../../core/versions';
import { keptPart } from '../pod/kept';

/** The versions that decide which fields there are. */
export type SetVersions = Pick<Versions, 'lws' | 'kubernetes'>;

/** Of a set's pods Kubernetes' version decides which fields there are; of the set itself its own. */
function isOfPods({ path }: SchemaProblem): boolean {
  return /Template\.(?:metadata|spec)/.test(path);
}

/** What is wrong with the fields of an object whose pods are those of groups. */
export function setProblems(object: Manifest, schema: FieldSchema, versions: SetVersions): readonly SchemaProblem[] {
  const ofSet = schemaProblems(object, schema, WHOLE_OBJECT, { version: versions.lws }).filter((problem) => !isOfPods(problem));
  const ofPods = schemaProblems(object, schema, WHOLE_OBJECT, { version: versions.kubernetes }).filter(isOfPods);
  return [...ofSet, ...ofPods];
}

/** Fields of another type: the API server refuses the object. */
export function mistypedFindings(problems: readonly SchemaProblem[]): Finding[] {
  return ofKind(problems, 'wrong-type').map((problem) => typeFinding(problem));
}

/** Fields that it drops, since there are none of their name, or not yet. */
export function droppedFindings(problems: readonly SchemaProblem[], { lws }: SetVersions): Finding[] {
  return [
    ...ofKind(problems, 'unknown').map((problem) => unknownFieldFinding(problem)),
    ...ofKind(problems, 'too-new').flatMap((problem) => (isOfPods(problem) ? [] : [tooNewFinding(problem, 'lws', lws)])),
  ];
}

/** The object without the fields that are dropped. */
export function keptObject(object: Manifest, problems: readonly SchemaProblem[]): Manifest {
  return keptPart(
    object,
    ofKind(problems, 'dropped', 'too-new', 'gone').map(({ path }) => path),
  );
}
