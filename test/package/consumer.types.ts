import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { compilerOf, entries, installedPackage } from './declarations';
import { programOf, wrapperOf } from './public-api';

const run = promisify(execFile);

let consumer: string;

beforeAll(() => {
  const installed = installedPackage();
  consumer = installed.consumer;
  const program = programOf(installed.library);
  for (const entry of Object.keys(entries)) {
    writeFileSync(path.join(consumer, `${entry.replace('/', '-')}.ts`), wrapperOf(program, installed.library, entry));
  }
  writeFileSync(path.join(consumer, 'package.json'), JSON.stringify({ name: 'consumer', private: true }));
}, 180_000);

afterAll(() => rmSync(path.dirname(consumer), { recursive: true, force: true }));

const MODULES = { node10: 'commonjs', node16: 'node16', bundler: 'esnext' } as const;

/** Returns what a compiler prints about a project. TypeScript 7 has no compiler API yet, and is fast enough to check all declarations. */
async function check(compiler: string, config: string): Promise<string> {
  if (compiler !== 'typescript') {
    return (await run(process.execPath, [path.join(__dirname, 'check-declarations.mjs'), compiler, config])).stdout;
  }
  const compile = run(process.execPath, [compilerOf(compiler), '-p', config, '--pretty', 'false'], { cwd: consumer });
  return (await compile.catch((failure: { readonly stdout: string }) => failure)).stdout;
}

/** Returns the errors of a compiler in the consumer and in our declarations. Errors in the declarations of other packages are ignored. */
async function complaints(compiler: string, moduleResolution: keyof typeof MODULES): Promise<string[]> {
  const config = path.join(consumer, `tsconfig.${compiler}.${moduleResolution}.json`);
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    target: 'es2022',
    lib: ['es2022'],
    types: ['node'],
    esModuleInterop: true,
    module: MODULES[moduleResolution],
    moduleResolution,
    declaration: true,
    emitDeclarationOnly: true,
    outDir: `out/${compiler}-${moduleResolution}`,
  };
  writeFileSync(config, JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  const lines = (await check(compiler, config)).split('\n');
  return lines.filter((line) => line !== '' && !/^(?:\.\.\/)+.*node_modules\//.test(line) && !line.startsWith(' '));
}

test.each([
  ['typescript-5-0', 'node10'],
  ['typescript-5-9', 'bundler'],
  ['typescript-6-0', 'node16'],
  ['typescript', 'node16'],
  ['typescript', 'bundler'],
] as const)(
  'a library on top of every entry compiles with %s and %s resolution, with our declarations checked',
  async (compiler, moduleResolution) => {
    await expect(complaints(compiler, moduleResolution)).resolves.toEqual([]);
  },
  180_000,
);
