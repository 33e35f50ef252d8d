import { deepEqual } from '../../core/deep-equal';
import { fieldsAt, isFields, listAt, ownValue, valueAt } from '../../core/manifest';
import type { Fields } from '../../core/manifest';
import { goJson } from './go-json';
import type { Refusal, StoredObject } from './types';

function matches(selector: Fields, labels: Fields): boolean {
  const wanted = Object.entries(fieldsAt(selector, 'matchLabels'));
  return (
    wanted.every(([name, value]) => labels[name] === value) && listAt(selector, 'matchExpressions').every((term) => meets(term, labels))
  );
}

function meets(term: unknown, labels: Fields): boolean {
  if (!isFields(term) || typeof term.key !== 'string') return false;
  const has = Object.hasOwn(labels, term.key);
  const isListed = has && listAt(term, 'values').includes(labels[term.key]);
  const answers: Readonly<Record<string, boolean>> = { In: isListed, NotIn: !isListed, Exists: has, DoesNotExist: !has };
  return ownValue(answers, String(term.operator)) ?? false;
}

/**
 * The selector has to be there, and the template's labels have to match it.
 *
 * @param sent - the object before it is decoded: labels that are there and empty are `{}` in the words of the server, and otherwise `null`
 */
export function labelRefusal(after: StoredObject, sent: Fields): Refusal | undefined {
  const { selector } = fieldsAt(after, 'spec');
  const labels = fieldsAt(after, 'spec', 'template', 'metadata', 'labels');
  if (isFields(selector) && matches(selector, labels)) return undefined;
  const isNone = Object.keys(labels).length === 0 && !isFields(valueAt(sent, 'spec', 'template', 'metadata', 'labels'));
  const shown = isNone ? 'null' : goJson(labels);
  return { path: 'spec.template.metadata.labels', message: `Invalid value: ${shown}: \`selector\` does not match template \`labels\`` };
}

/** Whose selector it is, as the server calls it. It judges a ReplicaSet's by the rules of Deployments, and names those. */
export type SelectorOwner = 'deployment' | 'statefulset' | 'daemonset';

export function selectorRefusal(after: StoredObject, owner: SelectorOwner): Refusal | undefined {
  const { selector } = fieldsAt(after, 'spec');
  if (selector === undefined) return { path: 'spec.selector', message: 'Required value' };
  if (!isFields(selector) || !deepEqual(selector, {})) return undefined;
  return { path: 'spec.selector', message: `Invalid value: {}: empty selector is invalid for ${owner}` };
}

/** What the server says to a selector and the labels of the template together. */
export function selectionRefusal(after: StoredObject, owner: SelectorOwner, sent: Fields): Refusal | undefined {
  return selectorRefusal(after, owner) ?? labelRefusal(after, sent);
}
