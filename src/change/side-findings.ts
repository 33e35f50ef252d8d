import { WHOLE_OBJECT } from '../core/field-path';
import type { Finding } from '../core/finding';
import { describeObject, groupOf, namespaceOf } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { workloadKindOf } from '../workloads/kinds';
import { isNamespaceAssumed } from './compared';
import type { Judged } from './judged';
import { knowsNoLastApply, knowsNoManagers } from './live';
import type { Pair } from './pairing';
import { givenTwice } from './rules/given-twice';
import { noLastApplied } from './rules/no-last-applied';
import { notKnown } from './rules/not-known';

/** What the two sides of a change came to. */
export interface Sides {
  readonly judgements: readonly Judged[];
  readonly pairs: readonly Pair[];
  /** Objects of OLD that stand there once more. */
  readonly again: readonly Manifest[];
}

function givenTwiceFindings(again: readonly Manifest[]): Finding[] {
  const named = new Set(again.map(describeObject));
  const [first] = named;
  return first === undefined ? [] : [givenTwice.finding('objects', { path: WHOLE_OBJECT, data: { objects: named.size, first } })];
}

function namespaceFindings(pairs: readonly Pair[]): Finding[] {
  const assumed = pairs.filter(isNamespaceAssumed);
  const [first] = assumed;
  if (!first) return [];
  const named = namespaceOf(first.next) === undefined ? first.old! : first.next;
  return [notKnown.finding('namespace', { path: WHOLE_OBJECT, data: { objects: assumed.length, first: describeObject(named) } })];
}

function heldBackFindings(judgements: readonly Judged[]): Finding[] {
  const resources = judgements
    .filter(({ compared, effect }) => effect === 'unknown' && workloadKindOf(compared.next))
    .map(({ compared }) => describeObject(compared.next));
  return resources.length === 0 ? [] : [notKnown.finding('held-back', { path: WHOLE_OBJECT, data: { resources } })];
}

/** Of an InferenceService nothing but its mode makes the effect unknown. */
function deploymentModeFindings(judgements: readonly Judged[]): Finding[] {
  const resources = judgements
    .filter(
      ({ compared: { next }, effect }) => effect === 'unknown' && next.kind === 'InferenceService' && groupOf(next) === 'serving.kserve.io',
    )
    .map(({ compared }) => describeObject(compared.next));
  return resources.length === 0 ? [] : [notKnown.finding('deployment-mode', { path: WHOLE_OBJECT, data: { resources } })];
}

function lastAppliedFindings(judgements: readonly Judged[]): Finding[] {
  const unknown = judgements.filter(({ compared }) => compared.mode === 'client' && compared.old && knowsNoLastApply(compared.old.given));
  const unmanaged = judgements.filter(({ compared }) => compared.mode === 'server' && compared.old && knowsNoManagers(compared.old.given));
  const unreleased = judgements.filter(({ compared }) => compared.mode === 'helm' && compared.old?.isLive);
  return [
    ...(unknown.length > 0 ? [noLastApplied.finding('nothing-deleted', { path: WHOLE_OBJECT, data: { objects: unknown.length } })] : []),
    ...(unmanaged.length > 0
      ? [noLastApplied.finding('managers-unknown', { path: WHOLE_OBJECT, data: { objects: unmanaged.length } })]
      : []),
    ...(unreleased.length > 0
      ? [noLastApplied.finding('release-unknown', { path: WHOLE_OBJECT, data: { objects: unreleased.length } })]
      : []),
  ];
}

/** What is said of the sides once, whatever the objects. */
export function sideFindings({ judgements, pairs, again }: Sides): Finding[] {
  const differs = judgements.some(({ effect }) => effect !== 'none');
  return [
    ...givenTwiceFindings(again),
    ...namespaceFindings(pairs),
    ...lastAppliedFindings(judgements),
    ...heldBackFindings(judgements),
    ...deploymentModeFindings(judgements),
    ...(differs ? [notKnown.finding('webhooks', { path: WHOLE_OBJECT, data: {} })] : []),
  ];
}
