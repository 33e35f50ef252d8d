import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';

const TESTS = path.resolve(__dirname, '..');

test('a failing property reports its seed and the command to reproduce it', () => {
  const { seed } = fc.readConfigureGlobal();

  expect(() => fc.assert(fc.property(fc.nat(), () => false))).toThrow(
    new RegExp(`\\{ seed: ${seed}, [^]*To reproduce: PROPERTY_SEED=${seed} npx jest test/setup/properties\\.test\\.ts$`),
  );
});

test('a failing asynchronous property reports them too', async () => {
  const { seed } = fc.readConfigureGlobal();

  await expect(fc.assert(fc.asyncProperty(fc.nat(), async () => false))).rejects.toThrow(
    `To reproduce: PROPERTY_SEED=${seed} npx jest test/setup/properties.test.ts`,
  );
});

test('only test files use properties, so that npm run test:fresh finds them', () => {
  const importing = readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && readFileSync(path.join(TESTS, file), 'utf8').includes("from 'fast-check'"))
    .filter((file) => !file.endsWith('.test.ts'));

  expect(importing).toEqual([path.join('setup', 'properties.ts')]);
});
