import { groupBy } from '../core/collections/group-by';
import { ROOT_PATH } from '../core/manifest/field-path';
import type { Finding } from '../core/findings/finding';
import { isKustomization } from '../core/sources/kustomization-kind';
import { describeObject, groupOf } from '../core/manifest/manifest';
import type { Manifest } from '../core/manifest/manifest';
import {
  createAlteredObjectsFinding,
  createKustomizationFinding,
  createMergedNamespacesFinding,
  createRefusedBuildFinding,
} from '../core/rules/kustomization';
import { findAlteringField } from './altered-objects';
import { findDecidingSetting, findExcludingSetting, isArgoCdSettings } from './argo-cd-settings';
import { createInlineSearch, mayContainPlannedObject } from './files-aside';
import { findAppliedData, findInlineManifest, hasInlineFiles } from './inline-manifests';
import { listKustomizations } from './input-tree';
import { KUSTOMIZATION_FILES } from './marker-files';
import type { InputFile } from './discovered-file';
import type { InputTree } from './input-tree';
import { readKustomization } from './kustomize/kustomization';
import { findMergedNamespaces } from './kustomize/merged-namespaces';
import type { ReadState } from './read-state';
import { findRefusedKustomizations } from './kustomize/refused-kustomizations';

/* Objects with which tools and controllers apply other objects than the files show. */

/** Returns the field of an object that makes its tool or controller apply other objects than the files show; undefined if there is none. */
export function findUnseenField(object: Manifest, state: ReadState): string | undefined {
  if (hasInlineFiles(object, (text) => mayContainPlannedObject(text, state))) return 'spec.resources';
  return (
    findAlteringField(object) ??
    // Its patches have a finding of their own.
    (isKustomization(object) ? undefined : findInlineManifest(object, createInlineSearch(state)))
  );
}

/** Lists the first object of each group and kind. */
function listFirstOfEachKind(objects: readonly Manifest[]): readonly Manifest[] {
  return [...groupBy(objects, (object) => `${groupOf(object)}/${object.kind}`).values()].map(([first]) => first!);
}

/** Reports the settings of Argo CD with which it leaves out planned objects of the input, or if every file must be planned may apply others. */
export function checkArgoCdSettings({ objects, locations, isPlannedObject, trustsInput }: ReadState): Finding[] {
  const settings = objects.filter(isArgoCdSettings);
  if (settings.length === 0) return [];
  // An entry reads only the group and the kind of an object.
  const planned = listFirstOfEachKind(objects.filter((object) => !isArgoCdSettings(object) && isPlannedObject(object)));
  return settings.flatMap((object) => {
    const field = findExcludingSetting(object, planned) ?? (trustsInput || planned.length === 0 ? undefined : findDecidingSetting(object));
    const source = locations.locate(object, ROOT_PATH);
    if (field === undefined || !source) return [];
    const data = { object: describeObject(object), file: source.file, field };
    return [createAlteredObjectsFinding(data, source, trustsInput ? 'warning' : 'error')];
  });
}

/** Reports the ConfigMaps and Secrets whose texts another object makes a controller apply, if every file must be planned. */
export function checkAppliedData(state: ReadState): Finding[] {
  if (state.trustsInput) return [];
  return findAppliedData(state.objects, createInlineSearch(state)).flatMap(([object, field]) => {
    const source = state.locations.locate(object, ROOT_PATH);
    return source ? [createAlteredObjectsFinding({ object: describeObject(object), file: source.file, field }, source, 'error')] : [];
  });
}

/**
 * Reports the kustomizations that add labels or annotations, if every file must be planned: to which fields kustomize adds them depends on its
 * tables, so only what it prints is certain. A component that does so changes the kustomization around it, which has a finding then.
 *
 * @param labeled - a file to whose objects a kustomization adds labels, perhaps one above the PATH
 */
export function checkAddingKustomizations(tree: InputTree, labeled: InputFile | undefined, { trustsInput }: ReadState): Finding[] {
  if (trustsInput) return [];
  const create = (file: string, field: string) =>
    createAlteredObjectsFinding({ object: 'Kustomization', file, field }, { file, line: 1 }, 'error');
  const adding = listKustomizations(tree).flatMap(({ file, meaning }) => {
    const { addingFields, isComponent } = readKustomization(meaning);
    const [field] = addingFields;
    return field === undefined || isComponent ? [] : [create(file, field)];
  });
  // One above the PATH is in no tree.
  const isAbove = adding.length === 0 && labeled !== undefined;
  return isAbove ? [create(`${labeled.place!.unit.name}/${KUSTOMIZATION_FILES[0]}`, 'labels')] : adding;
}

/** Reports the kustomizations that kustomize refuses to build because of their entries, and those for which this was not compared. */
export function checkRefusedKustomizations(tree: InputTree, { objects, locations, trustsInput }: ReadState): Finding[] {
  const { refused, uncompared } = findRefusedKustomizations(tree, objects, locations);
  return [
    ...refused.map((data) => createRefusedBuildFinding(data, trustsInput ? 'warning' : 'error')),
    ...[...uncompared].map(([folder, file]) => createKustomizationFinding({ folder }, file, trustsInput ? 'info' : 'error')),
  ];
}

/** Reports the objects that a kustomization or a fleet.yaml puts into one namespace, although they are planned in different ones. */
export function checkMergedNamespaces({ objects, locations, isPlannedObject, trustsInput }: ReadState): Finding[] {
  return findMergedNamespaces(objects, locations.textOf, isPlannedObject).map(({ object, data }) =>
    createMergedNamespacesFinding(data, locations.locate(object, ROOT_PATH), trustsInput ? 'warning' : 'error'),
  );
}
