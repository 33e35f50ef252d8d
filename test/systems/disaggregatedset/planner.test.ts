import { computeNextStep, countRoleSteps } from '../../../src/systems/disaggregatedset/planner';

const NONE = { target: 0, initial: 0, surge: 1, unavailable: 0 };

test('without initial and desired groups there is no step', () => {
  expect(countRoleSteps(NONE)).toBe(0);
  expect(
    computeNextStep(
      [NONE, NONE],
      [
        { old: 0, next: 0 },
        { old: 0, next: 0 },
      ],
    ),
  ).toBeUndefined();
  // Otherwise the groups above the initial number would be deleted at once.
  expect(
    computeNextStep(
      [NONE, NONE],
      [
        { old: 2, next: 0 },
        { old: 0, next: 0 },
      ],
    ),
  ).toBeUndefined();
  const two = { ...NONE, target: 2, initial: 1 };
  expect(
    computeNextStep(
      [two, NONE],
      [
        { old: 2, next: 0 },
        { old: 0, next: 0 },
      ],
    ),
  ).toEqual([
    { old: 1, next: 0 },
    { old: 0, next: 0 },
  ]);
});

test('with more new groups than desired and no old groups in a role, its limits allow no step', () => {
  const [prefill, decode] = [
    { target: 3, initial: 3, surge: 1, unavailable: 0 },
    { target: 2, initial: 2, surge: 1, unavailable: 0 },
  ];
  expect(
    computeNextStep(
      [prefill, decode],
      [
        { old: 0, next: 5 },
        { old: 1, next: 1 },
      ],
    ),
  ).toBeUndefined();
  expect(
    computeNextStep(
      [prefill, decode],
      [
        { old: 0, next: 3 },
        { old: 1, next: 1 },
      ],
    ),
  ).toEqual([
    { old: 0, next: 3 },
    { old: 1, next: 2 },
  ]);
});
