import { capacityFigures } from './capacity';
import { changeFigures } from './change';
import { daemonSetFigures } from './daemonsets';
import type { Figure } from './figure';
import { fleetFigures } from './fleet';
import { growthFigures } from './growth';
import { planFigures } from './plan';
import { readingFigures } from './reading';
import { simulationFigures } from './simulation';
import { startFigures } from './start';
import { synthFigures } from './synth';
import { comparison } from './tools';

/** Prints figures, and says how many do not hold. */
function missedOf(figures: readonly Figure[]): number {
  for (const { name, measured, promised, holds } of figures) {
    console.log(`${holds ? 'holds ' : 'MISSED'}  ${name}: ${measured}, promised ${promised}`);
  }
  return figures.filter(({ holds }) => !holds).length;
}

/** Prints every promised figure, compares with other tools, and ends with 1 if a figure does not hold. `npm run bench`. */
function main(): void {
  let missed = 0;
  for (const figures of [
    simulationFigures,
    startFigures,
    readingFigures,
    planFigures,
    capacityFigures,
    changeFigures,
    daemonSetFigures,
    growthFigures,
    fleetFigures,
    synthFigures,
  ]) {
    missed += missedOf(figures());
  }
  const { figures, said } = comparison();
  missed += missedOf(figures);
  console.log(said);
  process.exitCode = missed === 0 ? 0 : 1;
}

main();
