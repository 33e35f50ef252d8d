import { addToGroup } from '../core/collections/group-by';
import type { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';
import type { Finding } from '../core/findings/finding';
import { getErrorMessage } from '../core/errors/error-message';
import { isClassInstance } from '../core/manifest/manifest';
import { escapeForTerminal } from '../core/text/escape-output';
import { IntentError, UnexpectedIntentError } from '../core/errors/intent-error';
import { collectFindings } from '../core/document/plan-document';
import type { PlanDocument } from '../core/document/plan-document';
import type { PropPaths } from '../props/prop-paths';
import { formatErrorLines, hasError } from '../props/error-lines';
import { findCallSite } from '../props/call-site';
import { explainTokenLines } from './tokens';

/** Thrown for props that no object can be built from. */
export class InvalidPropsError extends Error {
  /** Takes one line per error. */
  public constructor(public readonly lines: readonly string[]) {
    super(lines.join('\n'));
  }
}

/** Returns the lines of an error without the construct path, which cdk8s adds itself. */
export function reasonsOf(error: unknown): readonly string[] {
  if (error instanceof InvalidPropsError) return error.lines;
  const hasReason = error instanceof IntentError || error instanceof UnexpectedIntentError;
  return (hasReason ? error.reason : getErrorMessage(error)).split('\n');
}

/** Escapes error lines and appends the line of the user's code that created the construct. */
export function appendCallSite(lines: readonly string[], trace?: Error): string[] {
  if (lines.length === 0) return [];
  const location = findCallSite(trace);
  const safe = lines.map(escapeForTerminal);
  return location === undefined ? safe : safe.map((line) => `${line} (created at ${location})`);
}

/**
 * Makes synth fail with these lines before it writes anything.
 *
 * cdk8s runs a validation once per chart and once more, so the lines are built here and not in the validation.
 * cdk8s prefixes each line with the path of the construct. A line names the prop and ends with the line of the user's code.
 */
export function addSynthErrors(construct: IConstruct, errors: readonly string[]): void {
  addLocatedSynthErrors(construct, appendCallSite(explainTokenLines(construct, errors)));
}

/** Makes synth fail with lines that already have the line of the user's code. */
export function addLocatedSynthErrors(construct: IConstruct, lines: readonly string[]): void {
  if (lines.length > 0) construct.node.addValidation({ validate: () => [...lines] });
}

/**
 * Makes synth fail with every error among the findings. The plan reports warnings.
 *
 * @param getPropPaths returns the props from which the objects were written. Only called for errors. @default - the findings are about props
 */
export function failSynthOnErrors(construct: IConstruct, findings: readonly Finding[], getPropPaths?: () => PropPaths): void {
  if (hasError(findings)) addSynthErrors(construct, formatErrorLines(findings, getPropPaths?.()));
}

/** Creates the error that `app.synth()` would throw, for a call that can't wait for the synth. */
export function createSynthError({ node }: IConstruct): Error {
  const lines = node.root.node
    .findAll()
    .flatMap((construct) => construct.node.validate().map((line) => `[${construct.node.path}] ${line}`));
  const error = new Error(`Validation failed with the following errors:\n  ${lines.join('\n  ')}`);
  // Each line has the line of the user's code. A stack of this package's code would hide them.
  error.stack = `${error.name}: ${error.message}`;
  return error;
}

/** Counts the patches of an object. They are private in cdk8s (`ApiObject.patches`, cdk8s 2.70); if they can't be read, the object counts as patched. */
function countPatches(object: ApiObject): number {
  const { patches } = object as unknown as { readonly patches?: unknown };
  return Array.isArray(patches) ? patches.length : 1;
}

/** Reports whether a value contains an instance of a class: a token, such as a `Lazy`, whose value cdk8s asks for only when it synthesizes. */
function containsToken(value: unknown): boolean {
  if (isClassInstance(value)) return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(containsToken);
}

/** Reports whether values of an object are known only when it is synthesized. Its props are private in cdk8s, like its patches. */
function hasTokens(object: ApiObject): boolean {
  return containsToken((object as unknown as { readonly props?: unknown }).props);
}

/** Objects of a construct that may be patched after its creation, and how to plan them. Shared by a class, because an app may have thousands of constructs. */
export interface Patchable<C extends IConstruct> {
  objects(construct: C): readonly ApiObject[];
  plan(construct: C, patched: readonly ApiObject[]): PlanDocument | readonly PlanDocument[];
}

/** Creates the `Patchable` of a construct with one object. */
export function createSingleObjectPatchable<C extends IConstruct & { readonly apiObject: ApiObject }>(
  plan: (construct: C) => PlanDocument,
): Patchable<C> {
  return { objects: ({ apiObject }) => [apiObject], plan };
}

/** Number of patches when the objects of a construct were last planned, and the resulting errors. */
interface ReplanState {
  patches: number;
  lines: readonly string[];
}

/** Constructs that may be patched, by app and `Patchable`. */
const patchables = new WeakMap<IConstruct, Map<Patchable<IConstruct>, IConstruct[]>>();
const replanStates = new WeakMap<IConstruct, ReplanState>();

/** Collects the errors of a plan, or the reasons why planning failed. */
function collectPlanErrors(plan: () => PlanDocument | readonly PlanDocument[]): readonly string[] {
  try {
    return formatErrorLines([plan()].flat().flatMap((document) => collectFindings(document)));
  } catch (error) {
    return reasonsOf(error);
  }
}

/** Plans a construct again if it was patched since the last time, or once if it has values that were not known when it was created. */
function refreshPlanErrors(construct: IConstruct, patchable: Patchable<IConstruct>): void {
  const objects = patchable.objects(construct);
  let patches = 0;
  for (const object of objects) patches += countPatches(object);
  const previous = replanStates.get(construct);
  if (patches === (previous?.patches ?? 0) && (previous || !objects.some(hasTokens))) return;
  const changed = objects.filter((object) => countPatches(object) > 0 || hasTokens(object));
  const lines = collectPlanErrors(() => patchable.plan(construct, changed));
  if (previous) {
    Object.assign(previous, { patches, lines });
    return;
  }
  const state: ReplanState = { patches, lines };
  replanStates.set(construct, state);
  construct.node.addValidation({ validate: () => [...state.lines] });
}

/**
 * Makes synth fail with the errors that a patch or a token introduces: those of the plan of the objects as they are written. Constructs with
 * neither are not planned again.
 *
 * One validation looks for both in the entire app, because few of thousands of constructs are patched. cdk8s validates the app first;
 * the errors are reported by a validation of the construct, which runs after it.
 *
 * @param findings of the construct before any patch. Errors among them already fail the synth.
 */
export function failSynthOnPatchErrors<C extends IConstruct>(construct: C, findings: readonly Finding[], patchable: Patchable<C>): void {
  if (hasError(findings)) return;
  const app = construct.node.root;
  const all = patchables.get(app) ?? watchPatches(app);
  addToGroup(all, patchable, construct);
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
