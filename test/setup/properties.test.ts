import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';

const TESTS = path.resolve(__dirname, '..');

test('a property that fails tells its seed and the command that runs it again', () => {
  const { seed } = fc.readConfigureGlobal();

  expect(() => fc.assert(fc.property(fc.nat(), () => false))).toThrow(
    new RegExp(`\\{ seed: ${seed}, [^]*The same again: PROPERTY_SEED=${seed} npx jest test/setup/properties\\.test\\.ts$`),
  );
});

test('an asynchronous property that fails tells them as well', async () => {
  const { seed } = fc.readConfigureGlobal();

  await expect(fc.assert(fc.asyncProperty(fc.nat(), async () => false))).rejects.toThrow(
    `The same again: PROPERTY_SEED=${seed} npx jest test/setup/properties.test.ts`,
  );
});

test('properties stand in test files, where npm run test:fresh finds them', () => {
  const importing = readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && readFileSync(path.join(TESTS, file), 'utf8').includes("from 'fast-check'"))
    .filter((file) => !file.endsWith('.test.ts'));

  expect(importing).toEqual([path.join('setup', 'properties.ts')]);
});
