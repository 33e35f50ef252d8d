import type { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';
import type { Finding } from '../core/finding';
import { valueAt } from '../core/manifest';
import { allFindings } from '../core/plan-document';
import type { PlanDocument } from '../core/plan-document';
import { errorLines, hasError } from '../props/refusals';
import { callSite } from './call-site';

/** Lines of errors with the line of the user's code that made what they are about. */
export function placedLines(lines: readonly string[], trace?: Error): string[] {
  if (lines.length === 0) return [];
  const place = callSite(trace);
  return place === undefined ? [...lines] : lines.map((line) => `${line} (made at ${place})`);
}

/**
 * Lets synth fail with these lines, before it writes anything.
 *
 * cdk8s runs a validation once for every chart and once more, so the lines are made here and not in the validation.
 * It puts the path of the construct before each; what is wrong is named by its prop, and behind it stands the line of the user's code.
 */
export function refuse(construct: IConstruct, errors: readonly string[]): void {
  const lines = placedLines(errors);
  if (lines.length > 0) construct.node.addValidation({ validate: () => lines });
}

/** Lets synth fail with every error among the findings; warnings are for the plan. */
export function refuseErrors(construct: IConstruct, findings: readonly Finding[]): void {
  refuse(construct, errorLines(findings));
}

/** How often an object was patched. cdk8s keeps the patches to itself (`ApiObject.patches`, cdk8s 2.70); what can't be told counts as patched. */
function patchesOf(object: ApiObject): number {
  const patches = valueAt(object, 'patches');
  return Array.isArray(patches) ? patches.length : 1;
}

/**
 * Lets synth fail with what a patch has broken: the errors of the plan of what is written. Nothing is planned again where nothing was patched.
 *
 * @param findings of the construct as it was made; errors among them fail the synth by themselves
 * @param plan of what is written, where some of the objects were patched
 */
export function refuseBrokenByPatch(
  construct: IConstruct,
  objects: readonly ApiObject[],
  findings: readonly Finding[],
  plan: (patched: readonly ApiObject[]) => PlanDocument | readonly PlanDocument[],
): void {
  if (hasError(findings)) return;
  let known: { readonly patches: number; readonly lines: string[] } = { patches: 0, lines: [] };
  const validate = () => {
    const patches = objects.reduce((sum, object) => sum + patchesOf(object), 0);
    // cdk8s runs a validation once for every chart and once more.
    if (patches !== known.patches) {
      const planned = [plan(objects.filter((object) => patchesOf(object) > 0))].flat();
      known = { patches, lines: errorLines(planned.flatMap((document) => allFindings(document))) };
    }
    return known.lines;
  };
  construct.node.addValidation({ validate });
}
