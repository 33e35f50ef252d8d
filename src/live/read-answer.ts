import { describeObject, getValueAt, isFields, isManifest, nameOf, namespaceOf, kindKeyOf } from '../core/manifest/manifest';
import type { Fields, Manifest } from '../core/manifest/manifest';
import { exceedsLevels } from '../core/values/levels';
import { ClusterError } from './kubectl';
import type { ReadQuery } from './read-queries';

/** @throws ClusterError for a text that is no JSON object */
export function parseAnswer(text: string, what: string): Fields {
  try {
    const parsed: unknown = JSON.parse(text);
    if (isFields(parsed)) return parsed;
  } catch {
    // The error of the parser quotes the text, which may be a value of a Secret.
    throw new ClusterError(`kubectl ${what} prints no JSON; update kubectl`);
  }
  throw new ClusterError(`kubectl ${what} prints no JSON object; update kubectl`);
}

/** @throws ClusterError for an object that cannot be written to a snapshot */
function assertWritable(object: Manifest): void {
  // The server accepts 10,000 levels. No part of a plan reads so many.
  if (!exceedsLevels(object)) return;
  throw new ClusterError(
    `${describeObject(object)} has more than 1,000 levels of maps and lists, so the cluster cannot be read; delete the object, or name other namespaces`,
  );
}

/** Reports whether an object is one of those that a query asks for. */
function isAskedFor(object: unknown, { kind, namespace, names }: ReadQuery): object is Manifest {
  if (!isManifest(object) || kindKeyOf(object) !== kind) return false;
  return (namespace === undefined || namespaceOf(object) === namespace) && (names === undefined || names.includes(nameOf(object)));
}

/** Returns the items of an answer. @throws ClusterError for an answer that is no complete list, and no object that was asked for by its name */
function listItems(answer: Fields, query: ReadQuery): readonly unknown[] {
  if (query.names !== undefined && isAskedFor(answer, query)) return [answer];
  const isCut = Boolean(getValueAt(answer, 'metadata', 'continue'));
  if (Array.isArray(answer.items) && !isCut) return answer.items;
  throw new ClusterError(`kubectl get ${query.resource} prints ${isCut ? 'a part of a list' : 'no list'}; run the command again`);
}

/**
 * Parses the objects of an answer to `kubectl get`. An object that is missing in it would be taken for new, so the answer must be complete.
 *
 * @throws ClusterError for any other answer
 */
export function parseObjects(stdout: Buffer, query: ReadQuery): readonly Manifest[] {
  const text = stdout.toString('utf8');
  // Only with --ignore-not-found nothing is printed if there is no such object.
  if (query.names !== undefined && text.trim() === '') return [];
  return listItems(parseAnswer(text, `get ${query.resource}`), query).map((item) => {
    if (!isAskedFor(item, query)) {
      const printed = isManifest(item) ? describeObject(item) : 'an item that is no object';
      throw new ClusterError(`kubectl get ${query.resource} prints ${printed}, which it was not asked for; run the command again`);
    }
    assertWritable(item);
    return item;
  });
}
