import { GuardrailPolicyError, parseGuardrails } from '../guardrails/policy';
import type { GuardrailPolicy } from '../guardrails/policy';
import { Locations } from '../input/locations';
import { UsageError } from './io';
import { mapsOf, readNamedFile } from './named-file';

const ROLE = 'given with --policy';

/**
 * The policy of a file.
 *
 * @throws UsageError for one that can't be used
 */
export function guardrailsOf(path: string | undefined, cwd: string): GuardrailPolicy | undefined {
  if (path === undefined) return undefined;
  const maps = mapsOf(path, readNamedFile(path, cwd, ROLE), ROLE, new Locations());
  const [policy] = maps;
  if (policy === undefined || maps.length > 1) throw new UsageError(`${path}, ${ROLE}, holds ${maps.length} policies; write one`);
  try {
    return parseGuardrails(policy);
  } catch (error) {
    if (error instanceof GuardrailPolicyError) throw new UsageError(`${path}, ${ROLE}: ${error.message}`);
    throw error;
  }
}
