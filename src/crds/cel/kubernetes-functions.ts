import type * as Cel from '@bufbuild/cel';
import type { CelFunc, CelList, CelValue } from '@bufbuild/cel';
import type * as Re2 from 're2js';
import { createAddressFunctions } from './libraries/addresses';
import { createConversionFunctions } from './libraries/conversions';
import { createFormatFunctions } from './libraries/formats';
import { createFunctionKit } from './libraries/function-kit';
import type { FunctionKit, FunctionLimits } from './libraries/function-kit';
import { createListFunctions } from './libraries/lists';
import { createOptionalFunctions } from './libraries/optionals';
import { createPatternFunctions } from './libraries/patterns';
import { createComparableFunctions } from './libraries/quantities-and-versions';
import { createTextFunctions } from './libraries/texts';
import { createTimestampFunctions } from './libraries/timestamps';
import { createUrlFunctions } from './libraries/urls';

function createEqualityFunctions({ types: { DYN, LIST }, func, isEqual, contains }: FunctionKit): CelFunc[] {
  return [
    func('_==_', [DYN, DYN], isEqual),
    func('_!=_', [DYN, DYN], (one: CelValue, other: CelValue) => !isEqual(one, other)),
    func('@in', [DYN, LIST], (item: CelValue, list: CelList) => contains(list, item)),
  ];
}

/**
 * Creates the functions that the Kubernetes API server adds to the language, for an evaluator.
 *
 * Source: apiserver v0.34 pkg/cel/environment/base.go and pkg/cel/library, cel-go v0.26 ext.
 */
export function createKubernetesFunctions(cel: typeof Cel, re2: typeof Re2, limits: FunctionLimits): CelFunc[] {
  const kit = createFunctionKit(cel, limits);
  return [
    ...createAddressFunctions(kit),
    ...createComparableFunctions(kit),
    ...createUrlFunctions(kit),
    ...createPatternFunctions(kit, re2),
    ...createListFunctions(kit),
    ...createTextFunctions(kit),
    ...createTimestampFunctions(kit),
    ...createConversionFunctions(kit),
    ...createFormatFunctions(kit),
    ...createOptionalFunctions(kit),
    ...createEqualityFunctions(kit),
  ];
}
