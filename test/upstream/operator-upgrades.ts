import type { PlanDocument } from '../../src/core/document/plan-document';
import type { PlannedUpgrade } from '../../src/core/document/upgrade';
import { normalizeObjects } from '../../src/input/normalize-objects';
import { planUpgrade } from '../../src/upgrade/plan-upgrade';
import { parseUpgrade } from '../../src/upgrade/version-pair';
import { RECORDING_STEP } from '../setup/recording-step';
import { recorded } from './recording';

/** What the later version of a pair does with the objects that the earlier one left. */
export interface RecordedUpgrade {
  /** Paths that it writes differently, by object. */
  readonly differences?: Readonly<Record<string, readonly string[]>>;
  /** Number of pods that it replaces. */
  readonly replaced?: number;
  /** Paths in which pods differ once they are created again, by their role. */
  readonly recreated?: Readonly<Record<string, readonly string[]>>;
}

interface UpgradeCase {
  readonly input: object;
  /** By pair of versions: `0.7..0.8`. */
  readonly pairs: Readonly<Record<string, RecordedUpgrade>>;
}

/** One object and one pair of versions: what was recorded, and what is planned. */
export interface ComparedUpgrade {
  readonly pair: string;
  readonly input: object;
  readonly recorded: RecordedUpgrade;
  readonly plan: PlanDocument;
  /** Ids of the rows that concern the object. */
  readonly rows: readonly string[];
  readonly effect: string;
}

/** Step between the compared cases: each is planned once per pair of versions. */
const STEP = RECORDING_STEP === 1 ? 1 : 2 * RECORDING_STEP;

/**
 * Plans the upgrades of a recording, or in the gate those of a sample of its objects.
 *
 * @param toInput returns the object that is planned for a pair. Its name may go on after the versions: `0.16..0.17 with the old presets`
 */
export function planRecordedUpgrades(
  recording: string,
  product: PlannedUpgrade['product'],
  toInput: (input: object, pair: string) => object = (input) => input,
): readonly ComparedUpgrade[] {
  const cases = (recorded(recording) as readonly UpgradeCase[]).filter((_, index) => index % STEP === 0);
  return cases.flatMap(({ input, pairs }) =>
    Object.entries(pairs).map(([pair, effect]): ComparedUpgrade => {
      const plan = planUpgrade(normalizeObjects([toInput(input, pair)]), parseUpgrade(`${product}=${pair.split(' ')[0]}`));
      const rows = plan.upgrade!.differences.map(({ id }) => id);
      return { pair, input, recorded: effect, plan, rows, effect: plan.change!.objects[0]!.effect };
    }),
  );
}

/** Reports whether any of the recorded paths of an object ends with some text. */
export function hasDifference({ differences = {} }: RecordedUpgrade, object: string, end: string): boolean {
  return (differences[object] ?? []).some((path) => path.endsWith(end));
}
