import type * as Crypto from 'node:crypto';

/** By what a report knows a finding again from run to run. Its module is loaded for the first one, for it takes as long as to plan a small file. */
export function computeFindingFingerprint(identity: string): string {
  const { createHash } = require('node:crypto') as typeof Crypto;
  return createHash('sha256').update(identity).digest('hex');
}
