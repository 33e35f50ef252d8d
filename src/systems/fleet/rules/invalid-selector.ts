import { at, childPath } from '../../../core/field-path';
import type { FieldPath } from '../../../core/field-path';
import { message, rule } from '../../../core/finding';
import type { Finding, Message } from '../../../core/finding';
import { show } from '../../../core/seen';
import type { CriteriaPlace } from '../bundle';
import { selectorErrors } from '../selector';
import type { SelectorErrorKind, SelectorErrorOf } from '../selector';
import type { LabelSelector } from '../types';
import { CLUSTERS, bundleWith } from './example-bundle';

/** Whose selector it is, which decides what becomes of it. */
type Holder =
  /** A target or partition. A bundle that targets no cluster never reads the selectors of its partitions. */
  | { readonly kind: 'bundle'; readonly selector: FieldPath; readonly isRead: boolean }
  | { readonly kind: 'cluster-group'; readonly name: string };

type SelectorData<K extends SelectorErrorKind> = Omit<SelectorErrorOf<K>, 'kind' | 'path'> & { readonly holder: Holder };

function holderText(holder: Holder): string {
  return holder.kind === 'cluster-group' ? `the selector of ClusterGroup ${holder.name}` : holder.selector;
}

function effectOf(holder: Holder): string {
  if (holder.kind === 'cluster-group') return 'Fleet logs that, and the group has no members';
  return holder.isRead
    ? 'the controller refuses it, and the whole bundle stops with Ready=False'
    : 'it does no harm now, since the bundle targets no cluster, but the controller refuses it once it is read';
}

/** The message about one kind of error: what is wrong, what to write, and what it may be about. */
function selectorMessage<K extends SelectorErrorKind>(
  problem: (error: SelectorData<K>) => string,
  help: string,
  sample: SelectorData<K>,
): Message<SelectorData<K>> {
  const text = (data: SelectorData<K>) => `In ${holderText(data.holder)}, ${problem(data)}: ${effectOf(data.holder)}.`;
  return message({ text, help: () => help, sample });
}

const LABEL_TEXT = 'up to 63 letters, digits, "-", "_" and ".", with a letter or digit at both ends';
const PARTITION = { kind: 'bundle', selector: at`spec.rolloutStrategy.partitions[0].clusterSelector`, isRead: true } as const;
const UNREAD_PARTITION = { ...PARTITION, isRead: false };

/** A label selector that the controller refuses. */
export const invalidSelector = rule({
  code: 'fleet/invalid-selector',
  since: '0.1.0',
  severity: ['error', 'warning'],
  fires: 'A label selector has an operator, a key or values that Kubernetes refuses.',
  why:
    'The API server does not check it. In a target or partition the controller fails to reconcile the bundle and does not try again; ' +
    'in a ClusterGroup it logs the error and the group has no members.',
  fix: 'Write one of the operators In, NotIn, Exists and DoesNotExist; the first two with values, the others without.',
  example:
    bundleWith(
      'maxUnavailable: 1',
      'partitions:',
      '  - name: all',
      '    clusterSelector:',
      '      matchExpressions:',
      '        - key: env',
      '          operator: Equals',
      '          values: [staging, prod]',
    ) + CLUSTERS,
  fixed:
    bundleWith(
      'maxUnavailable: 1',
      'partitions:',
      '  - name: all',
      '    clusterSelector:',
      '      matchExpressions:',
      '        - key: env',
      '          operator: In',
      '          values: [staging, prod]',
    ) + CLUSTERS,
  messages: {
    labelKey: selectorMessage<'labelKey'>(
      ({ key }) => `${show(key)} is not a label key`,
      `Write a label key: ${LABEL_TEXT}, and a DNS prefix before a "/" if any.`,
      { key: 'no good', holder: PARTITION },
    ),
    labelValue: selectorMessage<'labelValue'>(({ value }) => `${show(value)} is not a label value`, `Write a label value: ${LABEL_TEXT}.`, {
      value: 'not/a/value',
      holder: PARTITION,
    }),
    noValues: selectorMessage<'noValues'>(
      ({ operator }) => `operator ${operator} has no values`,
      'Write at least one value, or operator Exists or DoesNotExist.',
      { operator: 'In', holder: PARTITION },
    ),
    needlessValues: selectorMessage<'needlessValues'>(
      ({ operator }) => `operator ${operator} takes no values`,
      'Delete the values, or write operator In or NotIn.',
      { operator: 'Exists', holder: UNREAD_PARTITION },
    ),
    operator: selectorMessage<'operator'>(
      ({ operator }) => `${show(operator)} is not an operator`,
      'Write In, NotIn, Exists or DoesNotExist, with capitals as shown.',
      { operator: 'Equals', holder: { kind: 'cluster-group', name: 'live' } },
    ),
  },
});

/** Errors of one selector, each at its place. */
function selectorFindings(selector: LabelSelector, path: FieldPath, holder: Holder, locate?: CriteriaPlace['locate']): Finding[] {
  const isUnread = holder.kind === 'bundle' && !holder.isRead;
  return selectorErrors(selector, path).map(({ kind, path: place, ...values }) =>
    invalidSelector.finding(kind, {
      path: place,
      data: { ...values, holder },
      ...(isUnread && { severity: 'warning' as const }),
      source: locate?.(place),
    }),
  );
}

/**
 * Selectors of targets or partitions that the controller refuses.
 *
 * @param targets of the bundle; without any, the selectors of its partitions are never read, and these findings are warnings
 */
export function criteriaFindings(places: readonly CriteriaPlace[], targets?: number): Finding[] {
  return places.flatMap(({ criteria, path, locate }) =>
    (['clusterSelector', 'clusterGroupSelector'] as const).flatMap((field) => {
      const selector = criteria[field];
      const place = childPath(path, field);
      return selector ? selectorFindings(selector, place, { kind: 'bundle', selector: place, isRead: targets !== 0 }, locate) : [];
    }),
  );
}

/** What is wrong with the selector of a ClusterGroup. */
export function groupSelectorFindings(name: string, selector: LabelSelector, locate: CriteriaPlace['locate']): Finding[] {
  return selectorFindings(selector, at`spec.selector`, { kind: 'cluster-group', name }, locate);
}
