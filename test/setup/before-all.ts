import { randomInt } from 'node:crypto';
import { compileSchemas } from './compile-schemas';

/** Sets the seed of all properties once per run, before any worker starts. `PROPERTY_SEED=fresh` chooses a random one. */
function setSeed(): void {
  const value = process.env.PROPERTY_SEED;
  if (value === undefined) return;
  const seed = value === 'fresh' ? randomInt(2 ** 31) : Number(value);
  if (!Number.isInteger(seed)) throw new Error(`PROPERTY_SEED is "${value}": use an integer or "fresh"`);
  process.env.PROPERTY_SEED = String(seed);
  process.stderr.write(`Properties run with seed ${seed}. To reproduce: PROPERTY_SEED=${seed} npm run test:fresh\n`);
}

/** Runs once before any worker starts. Workers inherit the environment. */
export default function beforeAll(): void {
  setSeed();
  process.env.COMPILED_SCHEMAS = compileSchemas();
}
