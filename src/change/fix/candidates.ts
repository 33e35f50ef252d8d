import { addToGroup } from '../../core/collections/group-by';
import type { SuggestedFix, Edit } from '../../core/findings/suggested-fix';
import { buildFieldPath, parseFieldPath } from '../../core/manifest/field-path';
import { getSuggestedFix } from '../../core/findings/finding';
import type { AnyRule, Finding, Source } from '../../core/findings/finding';
import type { Manifest } from '../../core/manifest/manifest';
import { nameOf, namespaceOf } from '../../core/manifest/manifest';
import type { SourceMap, SourcePosition } from '../../input/source-map';
import type { PlanDocument } from '../../core/document/plan-document';
import { listFindings } from './finding-keys';
import type { LocatedFinding } from './finding-keys';

/** A plan with its input. */
export interface PlannedFiles {
  readonly plan: PlanDocument;
  readonly objects: readonly Manifest[];
  readonly locations: SourceMap;
}

/** An edit in the document that contains its object. */
export interface LocatedEdit {
  readonly origin: SourcePosition;
  /** The edit, with a path that starts at the document. */
  readonly edit: Edit;
}

/** A finding with a suggested fix. */
export interface FixCandidate extends LocatedFinding {
  readonly suggestedFix: SuggestedFix;
  /** The edits in their documents; undefined if the object to edit is not found or is ambiguous. */
  readonly locatedEdits: readonly LocatedEdit[] | undefined;
}

function isSameSource(one: Source | undefined, other: Source): boolean {
  return one !== undefined && one.file === other.file && one.line === other.line && one.column === other.column;
}

/** The objects by file, since a finding names its file. */
export class ObjectsByFile {
  private readonly byFile = new Map<string, Manifest[]>();

  constructor(
    private readonly all: readonly Manifest[],
    private readonly locations: SourceMap,
  ) {
    for (const object of all) {
      const file = locations.textOf(object)?.file;
      if (file === undefined) continue;
      addToGroup(this.byFile, file, object);
    }
  }

  /** Returns the object that a finding is about: the one in which the path of the finding has the position of the finding. */
  findObject({ finding, resource }: LocatedFinding): Manifest | undefined {
    const { source, path } = finding;
    const matchesResource = (object: Manifest) =>
      resource === undefined ||
      (object.kind === resource.kind && nameOf(object) === resource.name && namespaceOf(object) === resource.namespace);
    if (source) {
      const candidatesInFile = (this.byFile.get(source.file) ?? []).filter(
        (object) => matchesResource(object) && isSameSource(this.locations.locate(object, path), source),
      );
      if (candidatesInFile.length === 1) return candidatesInFile[0];
    }
    if (resource === undefined) return undefined;
    const candidatesByName = this.all.filter(matchesResource);
    return candidatesByName.length === 1 ? candidatesByName[0] : undefined;
  }

  /** Returns another object that an edit names, in the namespace of the object that the finding is about. */
  findByName(of: NonNullable<Edit['of']>, owner: Manifest): Manifest | undefined {
    const candidates = this.all.filter(
      (object) => object.kind === of.kind && nameOf(object) === of.name && namespaceOf(object) === namespaceOf(owner),
    );
    const own = this.locations.textOf(owner)?.unit?.id;
    const near = candidates.filter((object) => this.locations.textOf(object)?.unit?.id === own);
    const chosen = near.length > 0 ? near : candidates;
    return chosen.length === 1 ? chosen[0] : undefined;
  }
}

function locateEdit(edit: Edit, origin: SourcePosition | undefined): LocatedEdit | undefined {
  if (!origin) return undefined;
  const path = buildFieldPath(...origin.trail, ...parseFieldPath(edit.path));
  return { origin, edit: { ...edit, path } };
}

/** Returns the edits of a suggested fix, each in its document. */
export function locateEdits(
  found: LocatedFinding,
  { edits }: SuggestedFix,
  objects: ObjectsByFile,
  locations: SourceMap,
): LocatedEdit[] | undefined {
  const own = objects.findObject(found);
  const locatedEdits = edits.map((edit) => {
    const object = own && (edit.of ? objects.findByName(edit.of, own) : own);
    return object && locateEdit(edit, locations.positionOf(object));
  });
  return locatedEdits.every((each) => each !== undefined) ? locatedEdits : undefined;
}

/** Returns the findings of a plan whose suggested fix edits the input. */
export function collectFixCandidates(
  { plan, objects, locations }: PlannedFiles,
  rules: readonly AnyRule[],
  isSelected: (finding: Finding) => boolean,
): FixCandidate[] {
  const byCode = new Map(rules.map((rule) => [rule.code, rule]));
  const byFile = new ObjectsByFile(objects, locations);
  return listFindings(plan).flatMap((found): FixCandidate[] => {
    const rule = byCode.get(found.finding.code);
    if (!rule || !isSelected(found.finding)) return [];
    const suggestedFix = getSuggestedFix(rule, found.finding);
    if (!suggestedFix || suggestedFix.edits.length === 0) return [];
    return [{ ...found, suggestedFix, locatedEdits: locateEdits(found, suggestedFix, byFile, locations) }];
  });
}
