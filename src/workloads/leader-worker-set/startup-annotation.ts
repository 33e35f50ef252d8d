import { toFieldPath } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import { checkStartupAnnotation } from '../rules/startup-annotation';
import type { GroupMembers } from './leader-worker-set';

/** Reports start-up seconds of leaders or workers that are not a number. A template that both share is checked once. */
export function checkGroupStartupAnnotations(members: readonly GroupMembers[]): Finding[] {
  const templates = new Map(members.map(({ template, path }) => [path, template]));
  return [...templates].flatMap(([path, { metadata }]) => checkStartupAnnotation({ value: metadata, path: toFieldPath`${path}.metadata` }));
}
