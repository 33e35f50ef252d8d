import type { Advice, Edit } from '../../core/advice';
import { fieldPath, fieldPathParts } from '../../core/field-path';
import { adviceOf } from '../../core/finding';
import type { AnyRule, Finding, Source } from '../../core/finding';
import type { Manifest } from '../../core/manifest';
import { nameOf, namespaceOf } from '../../core/manifest';
import type { Locations, Origin } from '../../input/locations';
import type { PlanDocument } from '../../core/plan-document';
import { foundIn } from './identity';
import type { Found } from './identity';

/** A plan with what it was made of. */
export interface PlannedFiles {
  readonly plan: PlanDocument;
  readonly objects: readonly Manifest[];
  readonly locations: Locations;
}

/** An edit in the document that holds its object. */
export interface PlacedEdit {
  readonly origin: Origin;
  /** Its path begins at the document. */
  readonly edit: Edit;
}

/** A finding that has advice. */
export interface Candidate extends Found {
  readonly advice: Advice;
  /** Undefined where the object that an edit is of is not found, or there are several. */
  readonly placed: readonly PlacedEdit[] | undefined;
}

function isSame(one: Source | undefined, other: Source): boolean {
  return one !== undefined && one.file === other.file && one.line === other.line && one.column === other.column;
}

/** The objects of each file, since a finding names its file. */
export class ObjectsByFile {
  private readonly byFile = new Map<string, Manifest[]>();

  constructor(
    private readonly all: readonly Manifest[],
    private readonly locations: Locations,
  ) {
    for (const object of all) {
      const file = locations.textOf(object)?.file;
      if (file === undefined) continue;
      const known = this.byFile.get(file);
      if (known) known.push(object);
      else this.byFile.set(file, [object]);
    }
  }

  /** The object that a finding is of: where its path leads to its place. */
  objectOf({ finding, resource }: Found): Manifest | undefined {
    const { source, path } = finding;
    const isNamed = (object: Manifest) =>
      resource === undefined ||
      (object.kind === resource.kind && nameOf(object) === resource.name && namespaceOf(object) === resource.namespace);
    if (source) {
      const there = (this.byFile.get(source.file) ?? []).filter(
        (object) => isNamed(object) && isSame(this.locations.locate(object, path), source),
      );
      if (there.length === 1) return there[0];
    }
    if (resource === undefined) return undefined;
    const named = this.all.filter(isNamed);
    return named.length === 1 ? named[0] : undefined;
  }

  /** Another object that an edit names, in the namespace of the one that the finding is of. */
  named(of: NonNullable<Edit['of']>, beside: Manifest): Manifest | undefined {
    const candidates = this.all.filter(
      (object) => object.kind === of.kind && nameOf(object) === of.name && namespaceOf(object) === namespaceOf(beside),
    );
    const own = this.locations.textOf(beside)?.unit?.id;
    const near = candidates.filter((object) => this.locations.textOf(object)?.unit?.id === own);
    const chosen = near.length > 0 ? near : candidates;
    return chosen.length === 1 ? chosen[0] : undefined;
  }
}

function placedEdit(edit: Edit, origin: Origin | undefined): PlacedEdit | undefined {
  if (!origin) return undefined;
  const path = fieldPath(...origin.trail, ...fieldPathParts(edit.path));
  return { origin, edit: { ...edit, path } };
}

/** The edits of an advice, each in its document. */
export function placedEdits(found: Found, { edits }: Advice, objects: ObjectsByFile, locations: Locations): PlacedEdit[] | undefined {
  const own = objects.objectOf(found);
  const placed = edits.map((edit) => {
    const object = own && (edit.of ? objects.named(edit.of, own) : own);
    return object && placedEdit(edit, locations.originOf(object));
  });
  return placed.every((each) => each !== undefined) ? placed : undefined;
}

/** The findings of a plan that have advice which edits the input. */
export function candidatesOf(
  { plan, objects, locations }: PlannedFiles,
  rules: readonly AnyRule[],
  isWanted: (finding: Finding) => boolean,
): Candidate[] {
  const byCode = new Map(rules.map((rule) => [rule.code, rule]));
  const byFile = new ObjectsByFile(objects, locations);
  return foundIn(plan).flatMap((found): Candidate[] => {
    const rule = byCode.get(found.finding.code);
    if (!rule || !isWanted(found.finding)) return [];
    const advice = adviceOf(rule, found.finding);
    if (!advice || advice.edits.length === 0) return [];
    return [{ ...found, advice, placed: placedEdits(found, advice, byFile, locations) }];
  });
}
