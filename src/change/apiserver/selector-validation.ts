import { isDeepEqual } from '../../core/collections/deep-equal';
import { getFieldsAt, isFields, getListAt, getOwnValue, getValueAt } from '../../core/manifest/manifest';
import type { Fields } from '../../core/manifest/manifest';
import { toGoJson } from './go-json';
import type { ApplyRejection, StoredObject } from './types';
import { toSafeText } from '../../core/text/value-text';

function matchesLabels(selector: Fields, labels: Fields): boolean {
  const required = Object.entries(getFieldsAt(selector, 'matchLabels'));
  return (
    required.every(([name, value]) => labels[name] === value) &&
    getListAt(selector, 'matchExpressions').every((term) => matchesTerm(term, labels))
  );
}

function matchesTerm(term: unknown, labels: Fields): boolean {
  if (!isFields(term) || typeof term.key !== 'string') return false;
  const has = Object.hasOwn(labels, term.key);
  const isListed = has && getListAt(term, 'values').includes(labels[term.key]);
  const answers: Readonly<Record<string, boolean>> = { In: isListed, NotIn: !isListed, Exists: has, DoesNotExist: !has };
  return getOwnValue(answers, toSafeText(term.operator)) ?? false;
}

/**
 * Validates that the selector is present and matches the labels of the template.
 *
 * @param sent - the object before it is decoded: the server prints labels that are present and empty as `{}`, and missing ones as `null`
 */
export function validateTemplateLabels(after: StoredObject, sent: Fields): ApplyRejection | undefined {
  const { selector } = getFieldsAt(after, 'spec');
  const labels = getFieldsAt(after, 'spec', 'template', 'metadata', 'labels');
  if (isFields(selector) && matchesLabels(selector, labels)) return undefined;
  const isNone = Object.keys(labels).length === 0 && !isFields(getValueAt(sent, 'spec', 'template', 'metadata', 'labels'));
  const shown = isNone ? 'null' : toGoJson(labels);
  return { path: 'spec.template.metadata.labels', message: `Invalid value: ${shown}: \`selector\` does not match template \`labels\`` };
}

/** The owner of a selector, as the server names it. A ReplicaSet is validated and named like a Deployment. */
export type SelectorOwner = 'deployment' | 'statefulset' | 'daemonset';

export function validateWorkloadSelector(after: StoredObject, owner: SelectorOwner): ApplyRejection | undefined {
  const { selector } = getFieldsAt(after, 'spec');
  if (selector === undefined) return { path: 'spec.selector', message: 'Required value' };
  if (!isFields(selector) || !isDeepEqual(selector, {})) return undefined;
  return { path: 'spec.selector', message: `Invalid value: {}: empty selector is invalid for ${owner}` };
}

/** Validates a selector and the labels of the template together. */
export function validateSelectorAndLabels(after: StoredObject, owner: SelectorOwner, sent: Fields): ApplyRejection | undefined {
  return validateWorkloadSelector(after, owner) ?? validateTemplateLabels(after, sent);
}
