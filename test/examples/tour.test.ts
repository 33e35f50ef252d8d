import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { STOPS } from '../../examples/tour';

const folder = path.resolve(__dirname, '../../examples');

test('npm start describes every example', () => {
  const examples = readdirSync(folder).filter((name) => existsSync(path.join(folder, name, 'main.ts')));
  expect(Object.keys(STOPS).toSorted()).toEqual(examples.toSorted());
});
