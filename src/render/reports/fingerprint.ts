import type * as Crypto from 'node:crypto';

/**
 * Computes the fingerprint by which a report recognizes a finding from run to run.
 *
 * The crypto module is loaded lazily: loading it takes as long as planning a small file.
 */
export function computeFindingFingerprint(identity: string): string {
  const { createHash } = require('node:crypto') as typeof Crypto;
  return createHash('sha256').update(identity).digest('hex');
}
