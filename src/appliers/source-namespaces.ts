import { checkTimeNow } from '../core/budget/deadline';
import { addToGroup } from '../core/collections/group-by';
import { namespaceOf } from '../core/manifest/manifest';
import type { Manifest } from '../core/manifest/manifest';
import { FLUX } from './flux';
import { ANY_NAMESPACE } from '../core/manifest/any-namespace';
import { listFoldersOf, matchesFolder } from './deploy-source';
import type { DeploySource } from './deploy-source';

/** Reports whether the namespace of a source replaces that of an object. Others give theirs only to objects that name none. */
function replacesNamespace({ applier }: DeploySource): boolean {
  return applier.tool === FLUX.tool;
}

/**
 * Builds a function that returns the namespaces in which sources, such as an Application, may put an object of a file. Unlike the search for
 * the one source that applies an object, it returns those of all, since a second source must not take an object out of a policy. One that an
 * ApplicationSet fills in is `ANY_NAMESPACE` with its place, since each fills in others, and with the folder of the file if it fills that in too.
 */
export function createSourceNamespaces(
  sources: readonly DeploySource[],
): (object: Manifest, file: string | undefined) => readonly string[] {
  const anywhere: DeploySource[] = [];
  // Sources by the last name of their folder, since thousands of them may be in view.
  const byName = new Map<string, DeploySource[]>();
  for (const source of sources.filter(({ namespace, isAnyNamespace }) => namespace !== undefined || isAnyNamespace)) {
    const name = source.folder?.split('/').at(-1) ?? '';
    if (name === '') anywhere.push(source);
    else addToGroup(byName, name, source);
  }
  const places = new Map([...new Set(sources.map(({ object }) => object))].map((object, place) => [object, place]));
  const formatAny = ({ object, folder }: DeploySource, file: string | undefined) =>
    `${ANY_NAMESPACE}${places.get(object)}${folder === undefined && file !== undefined ? `:${file.slice(0, file.lastIndexOf('/') + 1)}` : ''}`;
  const findCandidates = (file: string | undefined): readonly DeploySource[] => {
    if (file === undefined) return [...anywhere, ...byName.values()].flat();
    const names = listFoldersOf(file);
    const inFolder = [...new Set(file.split('/').slice(0, -1))]
      .flatMap((name) => byName.get(name) ?? [])
      .filter((source) => {
        checkTimeNow();
        return matchesFolder(source, names);
      });
    return [...anywhere, ...inFolder];
  };
  return (object, file) => {
    const found = findCandidates(file).filter(
      (source) => (replacesNamespace(source) || namespaceOf(object) === undefined) && source.mayApply?.(object) !== false,
    );
    return [...new Set(found.map((source) => source.namespace ?? formatAny(source, file)))];
  };
}
