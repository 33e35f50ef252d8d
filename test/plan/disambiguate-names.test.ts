import { disambiguateNames } from '../../src/plan/disambiguate-names';
import type { RolloutWithSource } from '../../src/plan/disambiguate-names';

const rollout = { resource: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' } } as RolloutWithSource['rollout'];

test('many rollouts of one name take linear time', () => {
  let looks = 0;
  const place = (file: string): RolloutWithSource => ({
    rollout,
    get text() {
      looks++;
      return { file };
    },
  });
  const placed = Array.from({ length: 1_000 }, (_, index) => place(`${index}.yaml`));

  expect(disambiguateNames(placed).map(({ unit }) => unit)).toEqual(placed.map((_, index) => `${index}.yaml`));
  expect(looks).toBeLessThan(5_000);
});
