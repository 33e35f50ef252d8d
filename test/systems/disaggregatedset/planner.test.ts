import { computeNextStep, countRoleSteps } from '../../../src/systems/disaggregatedset/planner';

const NONE = { target: 0, initial: 0, surge: 1, unavailable: 0 };

test('where no role has begun with groups, nor wants any, there is no step', () => {
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
  // More than those that it began with would go at once otherwise.
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

test('a role with more new groups than it wants, and no old one to give, leaves no step that its limits let happen', () => {
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
