import type { AnyRule } from '../../core/findings/finding';
import { invalidObject } from './invalid-object';
import { notServedByCrd } from './not-served';
import { ruleNotEvaluated } from './rule-not-evaluated';

/** Rules about objects of kinds that CRDs define. */
export const CRD_RULES: readonly AnyRule[] = [invalidObject, notServedByCrd, ruleNotEvaluated];
