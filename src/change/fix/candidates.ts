import { checkTime } from '../../core/budget/deadline';
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

function toNameKey(kind: string, namespace: string | undefined, name: string): string {
  return JSON.stringify([kind, namespace, name]);
}

/** An object and the lines of the document that contains it. */
interface ObjectLines {
  readonly object: Manifest;
  readonly first: number;
  readonly last: number;
}

/** The objects by file and by name, since a finding names its file or its resource. */
export class ObjectsByFile {
  private readonly byFile = new Map<string, ObjectLines[]>();
  private readonly byName = new Map<string, Manifest[]>();

  constructor(
    all: readonly Manifest[],
    private readonly locations: SourceMap,
  ) {
    for (const object of all) {
      addToGroup(this.byName, toNameKey(object.kind, namespaceOf(object), nameOf(object)), object);
      const position = locations.positionOf(object);
      if (!position) continue;
      const { text, chunk } = position;
      addToGroup(this.byFile, text.file, { object, first: text.sourceAt(chunk.at).line, last: text.sourceAt(chunk.end).line });
    }
  }

  /** Returns the objects in which the path of a finding has the position of the finding. Documents around other lines are not read again. */
  private findObjectsAt({ file, line, column }: Source, path: string, matches: (object: Manifest) => boolean): Manifest[] {
    const found: Manifest[] = [];
    for (const { object, first, last } of this.byFile.get(file) ?? []) {
      checkTime();
      if (line < first || line > last || !matches(object)) continue;
      const source = this.locations.locate(object, path);
      if (source?.line === line && source.column === column) found.push(object);
    }
    return found;
  }

  /** Returns the object that a finding is about: the one in which the path of the finding has the position of the finding. */
  findObject({ finding, resource }: LocatedFinding): Manifest | undefined {
    const { source, path } = finding;
    const named = resource && (this.byName.get(toNameKey(resource.kind, resource.namespace, resource.name)) ?? []);
    if (source) {
      const names = new Set(named);
      const found = this.findObjectsAt(source, path, (object) => named === undefined || names.has(object));
      if (found.length === 1) return found[0];
    }
    return named?.length === 1 ? named[0] : undefined;
  }

  /** Returns another object that an edit names, in the namespace of the object that the finding is about. */
  findByName(of: NonNullable<Edit['of']>, owner: Manifest): Manifest | undefined {
    const candidates = this.byName.get(toNameKey(of.kind, namespaceOf(owner), of.name)) ?? [];
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
