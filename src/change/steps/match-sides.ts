import { findControllerMade } from '../../cluster/created-kinds';
import type { Finding } from '../../core/findings/finding';
import type { Manifest } from '../../core/manifest/manifest';
import { collectInputFindings } from '../findings/comparison-findings';
import { matchObjects } from '../match/match-objects';
import type { ObjectPair } from '../match/match-objects';
import { findRepeatedLiveObjects } from '../match/repeated-live-objects';
import type { ChangeRun } from './change-run';

/** Both sides of a change, object by object. */
export interface MatchedSides extends ChangeRun {
  /** Findings of reading both sides. */
  readonly inputFindings: readonly Finding[];
  readonly isOldIncomplete: boolean;
  /** Objects that OLD contains a second time. They are not planned. */
  readonly duplicates: readonly Manifest[];
  /** Objects of OLD without duplicates, also those that controllers created. */
  readonly oldOnce: readonly Manifest[];
  /** Objects of OLD that no controller created, or that NEW names. */
  readonly oldObjects: readonly Manifest[];
  /** Every object of NEW, with that of OLD that it replaces. */
  readonly pairs: readonly ObjectPair[];
  /** Objects of OLD that NEW does not name. */
  readonly unmatched: readonly Manifest[];
  /** Objects of OLD that NEW does not name and that are only context. */
  readonly surroundings: ReadonlySet<Manifest>;
}

/** Matches the objects of NEW with those of OLD that they replace. */
export function matchSides(run: ChangeRun): MatchedSides {
  const { old, next } = run;
  const repeated = findRepeatedLiveObjects(old);
  const objects = old.objects.filter((object) => !repeated.has(object));
  const { pairs, unmatched: onlyOld, superseded } = matchObjects({ ...old, objects }, next);
  const duplicates = new Set([...repeated, ...superseded]);
  const oldOnce = old.objects.filter((object) => !duplicates.has(object));
  const controllerMade = findControllerMade(old.objects);
  const named = new Set(pairs.flatMap(({ old: object }) => object ?? []));
  const unmatched = onlyOld.filter((object) => !controllerMade.has(object));
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
