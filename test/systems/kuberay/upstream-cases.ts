import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const FILE = path.resolve(__dirname, '../../../../shared/facts/kuberay-upstream-cases.json');
const isThere = existsSync(FILE);

/* oxlint-disable typescript/no-explicit-any -- the rows of each table have a form of their own */

/** One row of an upstream table: what goes in, what comes out. */
export interface UpstreamRow {
  readonly in: any;
  readonly out: any;
  readonly [field: string]: any;
}

interface UpstreamTable {
  readonly cases: readonly UpstreamRow[];
}

/** KubeRay's own test tables, by name; none where the file is not there. */
export const upstreamTables: Readonly<Record<string, UpstreamTable>> = isThere ? JSON.parse(readFileSync(FILE, 'utf8')).tests : {};

/** `describe`, or, where KubeRay's tables are not there, a group that is skipped and says what is missing. */
export function describeUpstream(name: string, body: () => void): void {
  const group = isThere ? describe : describe.skip;
  group(isThere ? name : `${name} (needs ../shared/facts/kuberay-upstream-cases.json)`, body);
}
