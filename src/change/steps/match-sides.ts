import { findControllerMade } from '../../cluster/kinds/created-kinds';
import { collectInputFindings } from '../findings/comparison-findings';
import { matchObjects } from '../match/match-objects';
import { findLeftCopies, findRepeatedLiveObjects } from '../match/repeated-live-objects';
import type { ChangeRun, MatchedSides } from '../change-state';

/** Matches the objects of NEW with those of OLD that they replace. */
export function matchSides(run: ChangeRun): MatchedSides {
  const { old, next } = run;
  const repeated = findRepeatedLiveObjects(old);
  const objects = old.objects.filter((object) => !repeated.has(object));
  const { pairs, unmatched: onlyOld, superseded } = matchObjects({ ...old, objects }, next);
  const named = new Set(pairs.flatMap(({ old: object }) => object ?? []));
  const copies = findLeftCopies(onlyOld, [...named]);
  const duplicates = new Set([...repeated, ...superseded, ...copies]);
  const oldOnce = old.objects.filter((object) => !duplicates.has(object));
  const controllerMade = findControllerMade(old.objects);
  const unmatched = onlyOld.filter((object) => !controllerMade.has(object) && !copies.has(object));
  const surroundings = new Set(old.isSurrounding ? unmatched.filter(old.isSurrounding) : []);
  const { findings: inputFindings, isOldIncomplete } = collectInputFindings(old, next, pairs);
  return {
    ...run,
    inputFindings,
    isOldIncomplete,
    duplicates: [...duplicates].filter((object) => !controllerMade.has(object)),
    oldOnce,
    oldObjects: oldOnce.filter((object) => named.has(object) || !controllerMade.has(object)),
    pairs,
    unmatched: surroundings.size === 0 ? unmatched : unmatched.filter((object) => !surroundings.has(object)),
    surroundings,
  };
}
