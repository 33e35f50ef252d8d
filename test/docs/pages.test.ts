import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

import { expectGenerated, ROOT } from './generated';
import { fillSections, runCompiled, runInProcess, synthesizeExamples } from './sections';

const PAGES = [
  'README.md',
  ...['docs', 'docs/guides'].flatMap((folder) =>
    readdirSync(path.join(ROOT, folder))
      .filter((file) => file.endsWith('.md'))
      .map((file) => `${folder}/${file}`),
  ),
];

describe('code and output in the documentation match the project (npm run docs updates them)', () => {
  let folder: string;
  beforeAll(() => {
    folder = synthesizeExamples();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each(PAGES)('%s', async (page) => {
    const commandLine = page === 'README.md' ? runCompiled : runInProcess;
    expectGenerated(page, await fillSections(readFileSync(path.join(ROOT, page), 'utf8'), { folder, commandLine }));
  });

  test('every TypeScript code block is in a generated section, so that it is compiled and run', () => {
    const written = PAGES.filter((page) => {
      const outside = readFileSync(path.join(ROOT, page), 'utf8').replaceAll(/<!-- generated: [\s\S]*?<!-- \/generated -->/g, '');
      return /```(ts|typescript|console)\b/.test(outside);
    });
    expect(written).toEqual([]);
  });
});
