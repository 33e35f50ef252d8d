import { randomInt } from 'node:crypto';

/** Sets the seed of all properties once per run, before any worker starts. `PROPERTY_SEED=fresh` chooses a random one. */
export default function setSeed(): void {
  const value = process.env.PROPERTY_SEED;
  if (value === undefined) return;
  const seed = value === 'fresh' ? randomInt(2 ** 31) : Number(value);
  if (!Number.isInteger(seed)) throw new Error(`PROPERTY_SEED is "${value}": use an integer or "fresh"`);
  process.env.PROPERTY_SEED = String(seed);
  process.stderr.write(`Properties run with seed ${seed}. To reproduce: PROPERTY_SEED=${seed} npm run test:fresh\n`);
}
