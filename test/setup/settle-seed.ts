import { randomInt } from 'node:crypto';

/** Settles the seed of all properties once a run, before any worker starts: `PROPERTY_SEED=fresh` draws one. */
export default function settleSeed(): void {
  const given = process.env.PROPERTY_SEED;
  if (given === undefined) return;
  const seed = given === 'fresh' ? randomInt(2 ** 31) : Number(given);
  if (!Number.isInteger(seed)) throw new Error(`PROPERTY_SEED is "${given}": write a whole number, or fresh`);
  process.env.PROPERTY_SEED = String(seed);
  process.stderr.write(`Properties run with seed ${seed}. The same again: PROPERTY_SEED=${seed} npm run test:fresh\n`);
}
