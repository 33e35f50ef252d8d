import { APPLY_EFFECTS } from './change';
import type {
  ChangeSummary,
  ApplyEffect,
  AssumedApplier,
  FieldChange,
  HookRun,
  LowestAvailability,
  ObjectChange,
  PlannedChange,
  PodChange,
  ApplyRejection,
  RestartNeeded,
} from './change';
import { sortKeys } from '../collections/key-order';
import { sortSourceKeys } from '../findings/finding';
import { sortResourceKeys } from './rollout';
import type { KeyOrder } from '../collections/key-order';

const CHANGE: KeyOrder<PlannedChange> = { apply: true, pruned: true, admissionNotChecked: true, summary: true, objects: true };
const SUMMARY: KeyOrder<ChangeSummary> = {
  ...(Object.fromEntries(APPLY_EFFECTS.map((effect) => [effect, true])) as KeyOrder<Record<ApplyEffect, number>>),
  kept: true,
  podsReplaced: true,
  podsAdded: true,
  podsRemoved: true,
  peakExtraPods: true,
  lowest: true,
};
const LOWEST: KeyOrder<LowestAvailability> = { resource: true, available: true, replicas: true };
const OBJECT: KeyOrder<ObjectChange> = {
  resource: true,
  effect: true,
  mapped: true,
  heldUntil: true,
  apply: true,
  applier: true,
  keeps: true,
  hook: true,
  because: true,
  elided: true,
  pods: true,
  clusters: true,
  causedBy: true,
  refusal: true,
  restarts: true,
  source: true,
};
const APPLIER: KeyOrder<AssumedApplier> = { tool: true, because: true };
const HOOK: KeyOrder<HookRun> = { phases: true, runsOnUpgrade: true, weight: true, deletePolicy: true };
const PODS: KeyOrder<PodChange> = { before: true, after: true };
const FIELD: KeyOrder<FieldChange> = { path: true, old: true, new: true, secret: true };
const REJECTION: KeyOrder<ApplyRejection> = { path: true, message: true };
const RESTART: KeyOrder<RestartNeeded> = {
  apiVersion: true,
  kind: true,
  namespace: true,
  name: true,
  component: true,
  reads: true,
  watchedByReloader: true,
};

function sortObjectKeys(change: ObjectChange): ObjectChange {
  const parts: ObjectChange = {
    ...change,
    resource: sortResourceKeys(change.resource),
    because: change.because.map((field) => sortKeys(field, FIELD)),
    applier: change.applier && sortKeys(change.applier, APPLIER),
    hook: change.hook && sortKeys(change.hook, HOOK),
    pods: change.pods && sortKeys(change.pods, PODS),
    causedBy: change.causedBy?.map(sortResourceKeys),
    refusal: change.refusal && sortKeys(change.refusal, REJECTION),
    restarts: change.restarts?.map((restart) => sortKeys(restart, RESTART)),
    source: change.source && sortSourceKeys(change.source),
  };
  return sortKeys(parts, OBJECT);
}

/** Sorts the keys of a planned change in the order of the contract, without those that have no value. */
export function sortChangeKeys(change: PlannedChange): PlannedChange {
  const { lowest } = change.summary;
  const orderedLowest = lowest && sortKeys({ ...lowest, resource: sortResourceKeys(lowest.resource) }, LOWEST);
  const summary = sortKeys({ ...change.summary, ...(orderedLowest && { lowest: orderedLowest }) }, SUMMARY);
  return sortKeys({ ...change, summary, objects: change.objects.map(sortObjectKeys) }, CHANGE);
}
