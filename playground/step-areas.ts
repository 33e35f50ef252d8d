/* Replaces the package d3-shape in a browser: step areas, the only shape in the pictures. */

type Coordinate<Datum> = (datum: Datum) => number;

interface StepArea<Datum> {
  (data: readonly Datum[]): string | null;
  readonly x: (coordinate: Coordinate<Datum>) => StepArea<Datum>;
  readonly y0: (coordinate: Coordinate<Datum> | number) => StepArea<Datum>;
  readonly y1: (coordinate: Coordinate<Datum>) => StepArea<Datum>;
  readonly curve: () => StepArea<Datum>;
}

export const curveStepAfter = undefined;

/** Returns the path of an area: its upper edge from left to right, then its lower edge back. */
function pathOf(x: readonly number[], lower: readonly number[], upper: readonly number[]): string | null {
  const last = x.length - 1;
  if (last < 0) return null;
  const there = x.map((own, at) => (at === 0 ? `M${own},${upper[0]}` : `L${own},${upper[at - 1]}L${own},${upper[at]}`));
  const back = x.map((own, at) => `${at === last ? '' : `L${x[at + 1]},${lower[at]}`}L${own},${lower[at]}`);
  return `${there.join('')}${back.toReversed().join('')}Z`;
}

export function area<Datum>(): StepArea<Datum> {
  const of: Record<'x' | 'y0' | 'y1', Coordinate<Datum>> = { x: () => 0, y0: () => 0, y1: () => 0 };
  const setting = (name: keyof typeof of) => {
    return (coordinate: Coordinate<Datum> | number) => {
      of[name] = typeof coordinate === 'number' ? () => coordinate : coordinate;
      return made;
    };
  };
  const made: StepArea<Datum> = Object.assign((data: readonly Datum[]) => pathOf(data.map(of.x), data.map(of.y0), data.map(of.y1)), {
    x: setting('x'),
    y0: setting('y0'),
    y1: setting('y1'),
    curve: () => made,
  });
  return made;
}
