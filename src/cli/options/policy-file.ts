import { GuardrailPolicyError, parseGuardrails } from '../../guardrails/policy';
import type { GuardrailPolicy } from '../../guardrails/policy';
import { SourceMap } from '../../input/source-map';
import { UsageError } from '../output/io';
import { parseOptionFile, readOptionFile } from './option-file';

const POLICY_FILE_ROLE = 'given with --policy';

/**
 * Reads the guardrail policy of a file.
 *
 * @throws UsageError if the policy is invalid
 */
export function readPolicyFile(path: string, cwd: string): GuardrailPolicy {
  const maps = parseOptionFile(path, readOptionFile(path, cwd, POLICY_FILE_ROLE), POLICY_FILE_ROLE, new SourceMap());
  const [policy] = maps;
  if (policy === undefined || maps.length > 1)
    throw new UsageError(`${path}, ${POLICY_FILE_ROLE}, contains ${maps.length} policies; write one`);
  try {
    return parseGuardrails(policy);
  } catch (error) {
    if (error instanceof GuardrailPolicyError) throw new UsageError(`${path}, ${POLICY_FILE_ROLE}: ${error.message}`);
    throw error;
  }
}
