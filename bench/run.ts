import { capacityFigures } from './capacity';
import { changeFigures } from './change';
import { daemonSetFigures } from './daemonsets';
import { fleetFigures } from './fleet';
import { growthFigures } from './growth';
import { planFigures } from './plan';
import { readingFigures } from './reading';
import { simulationFigures } from './simulation';
import { startFigures } from './start';
import { synthFigures } from './synth';
import { comparison } from './tools';

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
    for (const figure of figures()) {
      if (!figure.holds) missed += 1;
      console.log(`${figure.holds ? 'holds ' : 'MISSED'}  ${figure.name}: ${figure.measured}, promised ${figure.promised}`);
    }
  }
  console.log(comparison());
  process.exitCode = missed === 0 ? 0 : 1;
}

main();
