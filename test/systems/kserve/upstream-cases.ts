import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Fields } from '../../../src/core/manifest';

/** A row of KServe's own test tables: the function under test, what goes in, what is expected. */
export interface UpstreamRow {
  readonly name: string;
  readonly scope: 'isvc' | 'isvc-canary' | 'llmisvc';
  readonly input: Fields & { readonly fn: string };
  readonly expect: Fields;
}

const FILE = path.resolve(__dirname, '../../../../shared/facts/kserve-upstream-cases.json');

/** Are the rows here? Where they are not, their tests are skipped. */
export const hasUpstreamRows = existsSync(FILE);

/** What a skipped group of tests says. */
export const MISSING = 'needs ../shared/facts/kserve-upstream-cases.json, which is not there';

/** Every row; none where the file is missing. */
export const UPSTREAM_ROWS: readonly UpstreamRow[] = hasUpstreamRows
  ? (JSON.parse(readFileSync(FILE, 'utf8')) as { readonly cases: readonly UpstreamRow[] }).cases
  : [];

/** The rows of one function under test. */
export function rowsOf(...functions: readonly string[]): readonly UpstreamRow[] {
  return UPSTREAM_ROWS.filter(({ scope, input }) => scope !== 'llmisvc' && functions.includes(input.fn));
}
