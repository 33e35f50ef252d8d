import { rmSync } from 'node:fs';
import path from 'node:path';
import { entries, installedPackage } from './declarations';
import { programOf, publicApiOf, undocumented } from './public-api';

let consumer: string;
let library: string;
let program: ReturnType<typeof programOf>;

beforeAll(() => {
  ({ consumer, library } = installedPackage());
  program = programOf(library);
}, 180_000);

afterAll(() => rmSync(path.dirname(consumer), { recursive: true, force: true }));

test.each(Object.entries(entries))('%s exports every type that its signatures name', (_entry, file) => {
  const { exported, hidden } = publicApiOf(program, library, file);

  expect(exported).not.toEqual([]);
  expect(hidden).toEqual([]);
});

test.each(Object.entries(entries))('everything that %s exports is documented, including each member', (_entry, file) => {
  expect(undocumented(program, library, file)).toEqual([]);
});
