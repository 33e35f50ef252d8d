import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const FILE = path.resolve(__dirname, '../../../../shared/facts/fleet-upstream-cases.json');
const isThere = existsSync(FILE);

/* oxlint-disable typescript/no-explicit-any -- the columns of each table have a form of their own */

/** One row of an upstream table: its columns, in the order in which the table names them. */
export type UpstreamRow = readonly any[];

/** Fleet's own test tables, by name; none where the file is not there. */
const tables: Readonly<Record<string, { readonly rows?: readonly UpstreamRow[] }>> = isThere ? JSON.parse(readFileSync(FILE, 'utf8')) : {};

/** Every row of a table, for a test each; `name` says what to call a row. */
export function upstreamRows(table: string): readonly UpstreamRow[] {
  return tables[table]?.rows ?? [];
}

/** How many rows each table has. */
export function upstreamTableSizes(): Readonly<Record<string, number>> {
  const sizes = Object.entries(tables).flatMap(([name, { rows }]) => (rows ? [[name, rows.length] as const] : []));
  return Object.fromEntries(sizes);
}

/** `describe`, or, where Fleet's tables are not there, a group that is skipped and says what is missing. */
export function describeUpstream(name: string, body: () => void): void {
  const group = isThere ? describe : describe.skip;
  group(isThere ? name : `${name} (needs ../shared/facts/fleet-upstream-cases.json)`, body);
}
