import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
// The compiler of the project, TypeScript 7, has no interface for programs.
import ts from 'typescript-5-9';

const ROOT = path.resolve(__dirname, '../..');

/** The entries of the package by the file that each is, without its ending. */
export const ENTRIES = {
  rolloutkit: 'index',
  'rolloutkit/plan': 'headless',
  'rolloutkit/pulumi': 'pulumi/index',
  'rolloutkit/pulumi-policy': 'pulumi/policy-pack',
  'rolloutkit/cdk8s-validation': 'constructs/validation-plugin',
} as const;

/** Writes the declarations of the sources as they are, as a build does. */
export function writeDeclarations(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const tsc = path.join(ROOT, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--emitDeclarationOnly', '--outDir', folder], { cwd: ROOT });
}

/** A type, class, function or value of the project. */
export interface Declared {
  readonly name: string;
  readonly declarations: readonly ts.Declaration[];
}

/** What an entry exports, and what its signatures name. */
export interface PublicFace {
  readonly exported: ReadonlyMap<string, Declared>;
  readonly reached: readonly (Declared & { readonly by: string; readonly exportedAs?: string })[];
}
