import { adviseFigures } from './advise';
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
import { compareTools } from './tools';
import { upgradeFigures } from './upgrade';

function print(figures: readonly Figure[]): void {
  for (const { name, measured, promised, holds } of figures) {
    console.log(`${holds ? 'holds ' : 'MISSED'}  ${name}: ${measured}, promised ${promised}`);
  }
}

/** Prints every promised figure, compares with other tools, and sets exit code 1 if a figure exceeds its bound. Run it with `npm run bench`. */
function main(): void {
  const all: Figure[] = [];
  for (const figures of [
    simulationFigures,
    startFigures,
    readingFigures,
    planFigures,
    capacityFigures,
    adviseFigures,
    changeFigures,
    upgradeFigures,
    daemonSetFigures,
    growthFigures,
    fleetFigures,
    synthFigures,
  ]) {
    const measured = figures();
    print(measured);
    for (const figure of measured) all.push(figure);
  }
  const { figures, message } = compareTools(all);
  print(figures);
  console.log(message);
  process.exitCode = [...all, ...figures].every(({ holds }) => holds) ? 0 : 1;
}

main();
