import { Deadline, DeadlineError } from '../core/budget/deadline';
import { FORMAT_VERSION, collectFindings, summarizePlan } from '../core/document/plan-document';
import type { PlanDocument } from '../core/document/plan-document';
import type { Manifest } from '../core/manifest/manifest';
import { OptionError } from '../core/errors/option-error';
import { MAX_INT32 } from '../core/values/int-or-percent';
import { describeValue } from '../core/text/display-value';
import { isStartupSeconds } from '../core/values/startup-seconds';
import { sortPlanKeys } from '../core/document/plan-key-order';
import { resolveVersions } from '../core/values/versions';
import { parseCapacity } from '../cluster/capacity/parse-capacity';
import type { PlanContext } from '../cluster/context/context';
import { normalizeObjects } from '../input/normalize-objects';
import { planDespiteFailures } from './isolate-failures';
import type { Failure } from './isolate-failures';
import { buildKindIndex } from './object-index';
import { runPasses, toDocuments } from './passes';
import type { PlanRun } from './passes';
import { readInputDefinitions } from './input-definitions';
import { addFindings, createTimeoutFinding, resolvePlanBudget } from './plan-budget';
import type { PlanInput } from './plan-input';
import type { PlanOptions } from './plan-options';
import { SYSTEMS } from './registry';
import { PLAN_OPTIONS, validateOptions, wrapAsOptionError } from './validate-options';

/**
 * Builds the context of objects as if all were one unit, for what a system reports about one object.
 *
 * @throws as `planInput`
 */
export function buildFullContext(objects: readonly Manifest[], options: PlanOptions = {}): PlanContext {
  return {
    versions: resolveVersions(options.versions),
    objects,
    input: [...objects],
    all: buildKindIndex(objects),
    ...(options.kserveConfig && { kserveConfig: options.kserveConfig }),
    clusters: toDocuments(options.clusters),
    startupSeconds: options.startupSeconds ?? 0,
    ...(options.measuredStartupSeconds && { measuredStartupSeconds: options.measuredStartupSeconds }),
    ...(options.daemonSetNodes && { daemonSetNodes: options.daemonSetNodes }),
    ...(options.operatorResources && { operatorResources: options.operatorResources }),
    ...(options.capacity !== undefined && { capacity: parseCapacity(options.capacity) }),
    locate: () => undefined,
  };
}

function validateStartupSeconds(given = 0): number {
  if (isStartupSeconds(given)) return given;
  throw new RangeError(`startupSeconds is ${describeValue(given)}: write a number of seconds from 0 to ${MAX_INT32}`);
}

/** A run that took too long. */
interface TimedOutRun extends Pick<PlanRun, 'versions' | 'budget'> {
  readonly input: Pick<PlanInput, 'findings'>;
}

/** Plans until a deadline. Once it has passed, nothing is planned, and a finding says so. */
export function limitPlanning(run: TimedOutRun & Pick<PlanRun, 'deadline'>, plan: () => PlanDocument): PlanDocument {
  try {
    return run.deadline.limit(plan);
  } catch (error) {
    if (error instanceof DeadlineError) return buildTimeoutPlan(run);
    throw error;
  }
}

/** Returns the plan if the deadline passed before everything was ready. */
function buildTimeoutPlan({ input, versions, budget }: TimedOutRun): PlanDocument {
  const parts = { rollouts: [], notPlanned: [], findings: [...(input.findings ?? []), createTimeoutFinding(budget)] };
  return sortPlanKeys({ formatVersion: FORMAT_VERSION, versions, ...parts, summary: summarizePlan(parts) });
}

/** Reports whether an error is about the objects, and not about the caller's options. */
function isObjectError(error: unknown): boolean {
  return !(error instanceof OptionError || error instanceof DeadlineError);
}

/**
 * Plans objects that were read. If planning fails for one object, that is a finding, and the others are planned.
 *
 * @throws VersionError for an unknown product or an invalid version
 * @throws InventoryError for clusters that cannot be read
 * @throws CapacityError for a capacity that cannot be read
 * @throws RangeError for startupSeconds out of range
 */
export function planInput(input: PlanInput, options: PlanOptions = {}): PlanDocument {
  const budget = resolvePlanBudget(options.budget);
  const run: PlanRun = {
    input: {
      findings: [],
      locate: () => undefined,
      textOf: () => undefined,
      files: [],
      systems: SYSTEMS,
      refusesPlaceholders: false,
      ...input,
    },
    options,
    versions: resolveVersions(options.versions),
    capacity: options.capacity === undefined ? undefined : parseCapacity(options.capacity),
    startupSeconds: validateStartupSeconds(options.startupSeconds),
    budget,
    deadline: input.deadline ?? new Deadline(budget.seconds),
    unchanged: new Set(input.change?.unchangedObjects),
  };
  return limitPlanning(run, () => {
    const planObjects = (objects: readonly Manifest[], failures: readonly Failure[]) => runPasses(objects, failures, run);
    const rollsOut = (object: Manifest) => run.input.systems.some((system) => system.recognises(object));
    const { document, rollouts } = planDespiteFailures([...input.objects, ...run.unchanged], planObjects, isObjectError, rollsOut);
    input.onEvaluated?.(rollouts);
    return document;
  });
}

/** Plans objects with the findings that the CRDs among them cause. */
export function planWithDefinitions(input: PlanInput, options: PlanOptions): PlanDocument {
  const plan = planInput(input, options);
  const { versions } = plan;
  const budget = resolvePlanBudget(options.budget);
  return limitPlanning({ input, versions, budget, deadline: new Deadline(budget.seconds) }, () => {
    const definitions = readInputDefinitions(input, versions.kubernetes, budget.seconds);
    return definitions ? addFindings(plan, definitions.check(false, collectFindings(plan)), budget) : plan;
  });
}

/**
 * Plans Kubernetes objects given as plain data: how each rollout will proceed, and what to know before it is applied.
 *
 * Lists are flattened. Objects that neither roll out nor affect a rollout are skipped. No object makes it throw: what cannot be planned is a finding.
 * A value is reported as `input/unreadable` if it has no apiVersion or kind, or if no file could contain it: it contains itself, has more than
 * 1,000 levels, repeats more than 1,000,000 values, or has a bigint or a getter or Proxy that throws.
 *
 * @throws OptionError if objects is not a list, and for an option of another type
 * @throws VersionError for an unknown product or an invalid version
 * @throws InventoryError for clusters that cannot be read
 * @throws CapacityError for a capacity that cannot be read
 * @throws RangeError for startupSeconds out of range
 *
 * @example
 * const plan = planManifests([deployment], { versions: { kubernetes: '1.35' } });
 * plan.rollouts[0].simulation; // { kind: 'deployment', replicas: 10, surge: 3, … }
 */
export function planManifests(objects: readonly unknown[], options: PlanOptions = {}): PlanDocument {
  const resolved = validateOptions(options, PLAN_OPTIONS);
  return wrapAsOptionError(() => planWithDefinitions(normalizeObjects(objects), resolved));
}
