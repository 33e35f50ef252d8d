import type { AnyRule } from '../finding';
import { duplicateResource } from './duplicate-resource';
import { unknownCluster } from './unknown-cluster';
import { unknownField } from './unknown-field';
import { unknownVersion } from './unknown-version';
import { unreadable } from './unreadable';
import { wrongType } from './wrong-type';

/** The rules about the input itself, whichever system it belongs to. */
export const INPUT_RULES: readonly AnyRule[] = [duplicateResource, unknownCluster, unknownField, unknownVersion, unreadable, wrongType];
