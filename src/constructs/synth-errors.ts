import type { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';
import type { Finding } from '../core/finding';
import { getErrorMessage } from '../core/error-message';
import { escapeForTerminal } from '../core/escape-output';
import { IntentError, UnexpectedIntentError } from '../core/intent-error';
import { collectFindings } from '../core/plan-document';
import type { PlanDocument } from '../core/plan-document';
import type { PropPaths } from '../props/prop-paths';
import { formatErrorLines, hasError } from '../props/error-lines';
import { findCallSite } from '../props/call-site';

/** Props that nothing can be made of. */
export class InvalidPropsError extends Error {
  /** One line for each thing that is wrong. */
  public constructor(public readonly lines: readonly string[]) {
    super(lines.join('\n'));
  }
}

/** The lines that something thrown says, without the place, which cdk8s puts before them. */
export function reasonsOf(error: unknown): readonly string[] {
  if (error instanceof InvalidPropsError) return error.lines;
  const hasReason = error instanceof IntentError || error instanceof UnexpectedIntentError;
  return (hasReason ? error.reason : getErrorMessage(error)).split('\n');
}

/** Lines of errors, safe to print, with the line of the user's code that made what they are about. */
export function appendCallSite(lines: readonly string[], trace?: Error): string[] {
  if (lines.length === 0) return [];
  const location = findCallSite(trace);
  const safe = lines.map(escapeForTerminal);
  return location === undefined ? safe : safe.map((line) => `${line} (made at ${location})`);
}

/**
 * Lets synth fail with these lines, before it writes anything.
 *
 * cdk8s runs a validation once for every chart and once more, so the lines are made here and not in the validation.
 * It puts the path of the construct before each; what is wrong is named by its prop, and behind it stands the line of the user's code.
 */
export function addSynthErrors(construct: IConstruct, errors: readonly string[]): void {
  addLocatedSynthErrors(construct, appendCallSite(errors));
}

/** The same for lines that have their place already. */
export function addLocatedSynthErrors(construct: IConstruct, lines: readonly string[]): void {
  if (lines.length > 0) construct.node.addValidation({ validate: () => [...lines] });
}

/**
 * Lets synth fail with every error among the findings; warnings are for the plan.
 *
 * @param places from which props the objects were written; asked for where there is an error. @default - the findings are about props
 */
export function failSynthOnErrors(construct: IConstruct, findings: readonly Finding[], getPropPaths?: () => PropPaths): void {
  if (hasError(findings)) addSynthErrors(construct, formatErrorLines(findings, getPropPaths?.()));
}

/** All that `app.synth()` fails with, in its words, for a call that can't wait for it. */
export function createSynthError({ node }: IConstruct): Error {
  const lines = node.root.node
    .findAll()
    .flatMap((construct) => construct.node.validate().map((line) => `[${construct.node.path}] ${line}`));
  return new Error(`Validation failed with the following errors:\n  ${lines.join('\n  ')}`);
}

/** How often an object was patched. cdk8s keeps the patches to itself (`ApiObject.patches`, cdk8s 2.70); what can't be told counts as patched. */
function countPatches(object: ApiObject): number {
  const { patches } = object as unknown as { readonly patches?: unknown };
  return Array.isArray(patches) ? patches.length : 1;
}

/** What of a construct may be patched after it was made, and how that is planned: one for all of a class, since an app may have thousands. */
export interface Patchable<C extends IConstruct> {
  objects(construct: C): readonly ApiObject[];
  plan(construct: C, patched: readonly ApiObject[]): PlanDocument | readonly PlanDocument[];
}

/** Of a construct that makes one object. */
export function createSingleObjectPatchable<C extends IConstruct & { readonly apiObject: ApiObject }>(
  plan: (construct: C) => PlanDocument,
): Patchable<C> {
  return { objects: ({ apiObject }) => [apiObject], plan };
}

/** How often the objects of a construct were patched when they were planned last, and what is wrong with them. */
interface ReplanState {
  patches: number;
  lines: readonly string[];
}

/** The constructs that may be patched, by app and what they have in common. */
const patchables = new WeakMap<IConstruct, Map<Patchable<IConstruct>, IConstruct[]>>();
const replanStates = new WeakMap<IConstruct, ReplanState>();

/** The errors of a plan; of what can't be planned, why. */
function collectPlanErrors(plan: () => PlanDocument | readonly PlanDocument[]): readonly string[] {
  try {
    return formatErrorLines([plan()].flat().flatMap((document) => collectFindings(document)));
  } catch (error) {
    return reasonsOf(error);
  }
}

/** Plans again what was patched since the last time. */
function refreshPlanErrors(construct: IConstruct, patchable: Patchable<IConstruct>): void {
  const objects = patchable.objects(construct);
  let patches = 0;
  for (const object of objects) patches += countPatches(object);
  const previous = replanStates.get(construct);
  if (patches === (previous?.patches ?? 0)) return;
  const patched = objects.filter((object) => countPatches(object) > 0);
  const lines = collectPlanErrors(() => patchable.plan(construct, patched));
  if (previous) {
    Object.assign(previous, { patches, lines });
    return;
  }
  const state: ReplanState = { patches, lines };
  replanStates.set(construct, state);
  construct.node.addValidation({ validate: () => [...state.lines] });
}

/**
 * Lets synth fail with what a patch has broken: the errors of the plan of what is written. Nothing is planned again where nothing was patched.
 *
 * One validation looks for patches in the whole app, since of thousands of constructs hardly one is patched. cdk8s validates the app first:
 * what is broken is said by a validation of the construct, which is asked after it.
 *
 * @param findings of the construct as it was made; errors among them fail the synth by themselves
 */
export function failSynthOnPatchErrors<C extends IConstruct>(construct: C, findings: readonly Finding[], patchable: Patchable<C>): void {
  if (hasError(findings)) return;
  const app = construct.node.root;
  const all = patchables.get(app) ?? watchPatches(app);
  const alike = all.get(patchable);
  if (alike) alike.push(construct);
  else all.set(patchable, [construct]);
}

function watchPatches(app: IConstruct): Map<Patchable<IConstruct>, IConstruct[]> {
  const all = new Map<Patchable<IConstruct>, IConstruct[]>();
  patchables.set(app, all);
  const validate = () => {
    for (const [patchable, constructs] of all) for (const construct of constructs) refreshPlanErrors(construct, patchable);
    return [];
  };
  app.node.addValidation({ validate });
  return all;
}
