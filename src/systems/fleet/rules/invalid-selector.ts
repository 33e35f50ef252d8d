import { toFieldPath, appendToPath } from '../../../core/manifest/field-path';
import type { FieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding, RuleMessage } from '../../../core/findings/finding';
import { formatDisplayValue } from '../../../core/text/display-value';
import type { LocatedCriteria } from '../bundle';
import { findSelectorErrors } from '../selector';
import type { SelectorErrorKind, SelectorErrorOf } from '../selector';
import type { LabelSelector } from '../types';
import { EXAMPLE_CLUSTERS, formatBundleExample } from './example-bundle';

/** The owner of the selector, which decides the effect of an error. */
type SelectorOwner =
  /** A target or partition. If a bundle targets no cluster, the selectors of its partitions are not read. */
  | { readonly kind: 'bundle'; readonly selector: FieldPath; readonly isRead: boolean }
  | { readonly kind: 'cluster-group'; readonly name: string };

type SelectorData<K extends SelectorErrorKind> = Omit<SelectorErrorOf<K>, 'kind' | 'path'> & { readonly owner: SelectorOwner };

function formatOwner(owner: SelectorOwner): string {
  return owner.kind === 'cluster-group' ? `the selector of ClusterGroup ${owner.name}` : owner.selector;
}

function describeEffect(owner: SelectorOwner): string {
  if (owner.kind === 'cluster-group') return 'Fleet logs the error, and the group has no members';
  return owner.isRead
    ? 'the controller refuses the selector, and the entire bundle stops with Ready=False'
    : 'this has no effect while the bundle targets no cluster, but once it targets one, the controller refuses the selector';
}

/** Creates the message about one kind of error. */
function createSelectorMessage<K extends SelectorErrorKind>(
  problem: (error: SelectorData<K>) => string,
  help: string,
  sample: SelectorData<K>,
): RuleMessage<SelectorData<K>> {
  const text = (data: SelectorData<K>) => `In ${formatOwner(data.owner)}, ${problem(data)}: ${describeEffect(data.owner)}.`;
  return defineMessage({ text, help: () => help, sample });
}

const LABEL_TEXT = 'up to 63 letters, digits, "-", "_" and ".", with a letter or digit at both ends';
const SAMPLE_OWNER = { kind: 'bundle', selector: toFieldPath`spec.rolloutStrategy.partitions[0].clusterSelector`, isRead: true } as const;
const SAMPLE_UNREAD_OWNER = { ...SAMPLE_OWNER, isRead: false };

/** Rule about a label selector that the controller refuses. */
export const invalidSelector = defineRule({
  code: 'fleet/invalid-selector',
  since: '0.1.0',
  severity: ['error', 'warning'],
  fires: 'A label selector has an operator, a key or values that Kubernetes refuses.',
  why:
    'The API server does not check these selectors. In a target or partition, the controller fails to reconcile the bundle and does not retry. ' +
    'In a ClusterGroup, it logs the error and the group has no members.',
  fix: 'Use the operators In or NotIn with values, or Exists or DoesNotExist without values.',
  example:
    formatBundleExample(
      'maxUnavailable: 1',
      'partitions:',
      '  - name: all',
      '    clusterSelector:',
      '      matchExpressions:',
      '        - key: env',
      '          operator: Equals',
      '          values: [staging, prod]',
    ) + EXAMPLE_CLUSTERS,
  fixedExample:
    formatBundleExample(
      'maxUnavailable: 1',
      'partitions:',
      '  - name: all',
      '    clusterSelector:',
      '      matchExpressions:',
      '        - key: env',
      '          operator: In',
      '          values: [staging, prod]',
    ) + EXAMPLE_CLUSTERS,
  messages: {
    labelKey: createSelectorMessage<'labelKey'>(
      ({ key }) => `${formatDisplayValue(key)} is not a valid label key`,
      `Use ${LABEL_TEXT}. An optional prefix is a DNS name followed by "/".`,
      { key: 'no good', owner: SAMPLE_OWNER },
    ),
    labelValue: createSelectorMessage<'labelValue'>(
      ({ value }) => `${formatDisplayValue(value)} is not a valid label value`,
      `Use ${LABEL_TEXT}.`,
      {
        value: 'not/a/value',
        owner: SAMPLE_OWNER,
      },
    ),
    noValues: createSelectorMessage<'noValues'>(
      ({ operator }) => `operator ${operator} has no values`,
      'Add at least one value, or use operator Exists or DoesNotExist.',
      { operator: 'In', owner: SAMPLE_OWNER },
    ),
    needlessValues: createSelectorMessage<'needlessValues'>(
      ({ operator }) => `operator ${operator} takes no values`,
      'Delete the values, or use operator In or NotIn.',
      { operator: 'Exists', owner: SAMPLE_UNREAD_OWNER },
    ),
    operator: createSelectorMessage<'operator'>(
      ({ operator }) => `${formatDisplayValue(operator)} is not a valid operator`,
      'Use In, NotIn, Exists or DoesNotExist, with this capitalization.',
      { operator: 'Equals', owner: { kind: 'cluster-group', name: 'live' } },
    ),
  },
});

/** Reports the errors of one selector, each at its path. */
function checkSelector(selector: LabelSelector, path: FieldPath, owner: SelectorOwner, locate?: LocatedCriteria['locate']): Finding[] {
  const isUnread = owner.kind === 'bundle' && !owner.isRead;
  return findSelectorErrors(selector, path).map(({ kind, path: selectorPath, ...values }) =>
    invalidSelector.createFinding(kind, {
      path: selectorPath,
      data: { ...values, owner },
      ...(isUnread && { severity: 'warning' as const }),
      source: locate?.(selectorPath),
    }),
  );
}

/**
 * Reports selectors of targets or partitions that the controller refuses.
 *
 * @param targets number of targets of the bundle; if it is 0, the selectors of its partitions are not read and the findings are warnings
 */
export function checkInvalidSelector(criteriaList: readonly LocatedCriteria[], targets?: number): Finding[] {
  return criteriaList.flatMap(({ criteria, path, locate }) =>
    (['clusterSelector', 'clusterGroupSelector'] as const).flatMap((field) => {
      const selector = criteria[field];
      const selectorPath = appendToPath(path, field);
      return selector
        ? checkSelector(selector, selectorPath, { kind: 'bundle', selector: selectorPath, isRead: targets !== 0 }, locate)
        : [];
    }),
  );
}

/** Reports the errors in the selector of a ClusterGroup. */
export function checkGroupSelector(name: string, selector: LabelSelector, locate: LocatedCriteria['locate']): Finding[] {
  return checkSelector(selector, toFieldPath`spec.selector`, { kind: 'cluster-group', name }, locate);
}
