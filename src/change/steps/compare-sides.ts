import type { ApplyRejection, ApplyTool } from '../../core/document/change';
import type { Manifest } from '../../core/manifest/manifest';
import { createApplierLookup, isKeptByApplier } from '../../plan/appliers-in-view';
import { callOrElse } from '../../plan/isolate-objects';
import { isIncomplete } from '../findings/comparison-findings';
import { refuseWrittenMetadata } from '../apiserver/value-validation';
import { compareKnownFields } from '../compare/compare-known-fields';
import { listUndefinedFields } from '../compare/custom-resource-fields';
import { compareObjects, getResultingObject } from '../compare/object-comparison';
import type { AdmissionCheck, ObjectComparison } from '../compare/object-comparison';
import { workloadKindOf } from '../../workloads/kinds';
import type { ComparedSides, MatchedSides, OldInput } from '../change-state';

function hasChanges({ differences, old, refusal, hook }: ObjectComparison): boolean {
  return refusal === undefined && hook === undefined && (old === undefined || differences.length > 0);
}

/** Tools that create neither a Namespace nor a CustomResourceDefinition for an object. */
const CREATES_NO_OTHERS: ReadonlySet<ApplyTool> = new Set(['kubectl', 'kubectl-server-side', 'kubectl-replace']);

/** Returns why the API server refuses a new object for lack of its kind or its Namespace. */
function refuseNewObject(object: Manifest, { refuseNewObject: refuse }: OldInput, tool: ApplyTool): ApplyRejection | undefined {
  const message = CREATES_NO_OTHERS.has(tool) ? refuse?.(object) : undefined;
  return message === undefined ? undefined : { path: '', message };
}

/** Returns what else refuses an object of NEW: the check of the options, a placeholder in its metadata, the cluster, and the CRDs of NEW. */
function buildAdmission(written: Manifest, { old: side, next, options, versions }: MatchedSides, tool: ApplyTool): AdmissionCheck {
  const refusesMetadata = next.refusesPlaceholders === true && !workloadKindOf(written);
  return (object, old) =>
    (refusesMetadata ? refuseWrittenMetadata(object, versions) : undefined) ??
    (old === undefined ? refuseNewObject(object, side, tool) : undefined) ??
    options.admission?.(object, old) ??
    next.definitions?.refuse(written, object, old);
}

/** Creates a function that returns what is in the cluster for an object of NEW: that of OLD, or nothing, if it is refused. */
export function createAppliedFormLookup({ pairs, comparisons }: Pick<ComparedSides, 'pairs' | 'comparisons'>) {
  const refused = new Map(
    comparisons.flatMap((comparison, index) => (comparison.refusal ? [[pairs[index]!.next, getResultingObject(comparison)] as const] : [])),
  );
  return (object: Manifest): Manifest | undefined => (refused.has(object) ? refused.get(object) : object);
}

/** Applies each object of NEW to that of OLD, as its tool and the API server do. */
export function compareSides(matched: MatchedSides): ComparedSides {
  const { next, options, versions, deadline, oldOnce, pairs, unmatched } = matched;
  const { apply, prune = false } = options;
  const applierOf = createApplierLookup(apply, oldOnce, next, versions);
  const comparisons = pairs.map((pair): ObjectComparison => {
    deadline.check();
    const applied = applierOf(pair);
    return callOrElse(
      () => {
        const admission = buildAdmission(pair.next, matched, applied.applier.tool);
        // The versions of an upgrade differ, and nothing is applied.
        return options.upgrade
          ? compareObjects(pair, applied, versions, admission)
          : compareKnownFields(pair, applied, versions, (object) => listUndefinedFields(object, versions, next, pair.next), admission);
      },
      (failure) => ({ next: pair.next, applied, result: pair.next, differences: [], isReplaced: false, failure }),
    );
  });
  // What could not be read is not gone.
  const canPrune = prune && !isIncomplete(next.findings ?? []);
  return {
    ...matched,
    applierOf,
    comparisons,
    changed: comparisons.filter(hasChanges),
    results: comparisons.map(({ result }) => result),
    prunable: canPrune ? unmatched.filter((object) => !isKeptByApplier(object, applierOf({ next: object, old: object }), 'pruned')) : [],
  };
}
