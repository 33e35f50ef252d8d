import { EFFECTS } from './change';
import type {
  ChangeSummary,
  Effect,
  FieldChange,
  LowestAvailability,
  ObjectChange,
  PlannedChange,
  PodChange,
  Refusal,
  Restart,
} from './change';
import { ordered } from './key-order';
import type { KeyOrder } from './key-order';
import { orderedResource, orderedSource } from './reference-order';

const CHANGE: KeyOrder<PlannedChange> = { apply: true, pruned: true, summary: true, objects: true };
const SUMMARY: KeyOrder<ChangeSummary> = {
  ...(Object.fromEntries(EFFECTS.map((effect) => [effect, true])) as KeyOrder<Record<Effect, number>>),
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
  heldUntil: true,
  apply: true,
  because: true,
  elided: true,
  pods: true,
  clusters: true,
  causedBy: true,
  refusal: true,
  restarts: true,
  source: true,
};
const PODS: KeyOrder<PodChange> = { before: true, after: true };
const FIELD: KeyOrder<FieldChange> = { path: true, old: true, new: true, secret: true };
const REFUSAL: KeyOrder<Refusal> = { path: true, message: true };
const RESTART: KeyOrder<Restart> = {
  apiVersion: true,
  kind: true,
  namespace: true,
  name: true,
  component: true,
  reads: true,
  asksReloader: true,
};

function orderedObject(change: ObjectChange): ObjectChange {
  const parts: ObjectChange = {
    ...change,
    resource: orderedResource(change.resource),
    because: change.because.map((field) => ordered(field, FIELD)),
    pods: change.pods && ordered(change.pods, PODS),
    causedBy: change.causedBy?.map(orderedResource),
    refusal: change.refusal && ordered(change.refusal, REFUSAL),
    restarts: change.restarts?.map((restart) => ordered(restart, RESTART)),
    source: change.source && orderedSource(change.source),
  };
  return ordered(parts, OBJECT);
}

/** The plan of a change with its keys in the order of the contract, without those that have no value. */
export function orderedChange(change: PlannedChange): PlannedChange {
  const { lowest } = change.summary;
  const orderedLowest = lowest && ordered({ ...lowest, resource: orderedResource(lowest.resource) }, LOWEST);
  const summary = ordered({ ...change.summary, ...(orderedLowest && { lowest: orderedLowest }) }, SUMMARY);
  return ordered({ ...change, summary, objects: change.objects.map(orderedObject) }, CHANGE);
}
