import type { AnyRule } from '../../../core/findings/finding';
import { bawQuotedInteger } from './quoted-integer';
import { unknownMount } from './unknown-mount';

/** The rules about operators' custom resources with a snake_case strategy. */
export const OPERATOR_RESOURCE_RULES: readonly AnyRule[] = [bawQuotedInteger, unknownMount];
