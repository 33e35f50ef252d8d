import { existsSync, mkdtempSync, readFileSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** The folder of the examples. */
export const examplesFolder = path.resolve(__dirname, '../../examples');

/** The folder names of the examples that are cdk8s apps. */
export const examples = readdirSync(examplesFolder)
  .filter((name) => existsSync(path.join(examplesFolder, name, 'main.ts')))
  .toSorted();

/** The libraries of the examples. They are loaded once; only the app itself is loaded again. */
const LIBRARIES = ['rolloutkit', 'cdk8s', 'cdk8s-plus-28'].map((name) => ({ name, library: jest.requireActual<object>(name) }));

export interface SynthesizedFile {
  readonly name: string;
  readonly yaml: string;
}

/**
 * Runs an example without changes.
 *
 * @param own - the module that it imports as `rolloutkit`. @default - the library
 * @returns the output folder
 */
export function runExample(example: string, own?: object): string {
  const outdir = mkdtempSync(path.join(tmpdir(), 'rolloutkit-'));
  const before = process.env.CDK8S_OUTDIR;
  process.env.CDK8S_OUTDIR = outdir;
  jest.isolateModules(() => {
    for (const { name, library } of LIBRARIES) jest.doMock(name, () => library);
    if (own) jest.doMock('rolloutkit', () => own);
    require(path.join(examplesFolder, example, 'main.ts'));
  });
  if (before === undefined) delete process.env.CDK8S_OUTDIR;
  else process.env.CDK8S_OUTDIR = before;
  return outdir;
}

/** Runs an example as `cdk8s synth` does, and returns the written files. */
export function synthesize(example: string): SynthesizedFile[] {
  const outdir = runExample(example);
  const names = readdirSync(outdir, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.yaml'));
  return names.toSorted().map((name) => ({ name, yaml: readFileSync(path.join(outdir, name), 'utf8') }));
}
