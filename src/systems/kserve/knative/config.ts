import type { PlanContext } from '../../../cluster/context/context';
import type { Finding } from '../../../core/findings/finding';
import { listInvalidKnativeValues } from '../../../workloads/revision/config';
import { reportInvalidKnativeValue } from '../rules/invalid-knative-config';

/** Returns the findings about values in Knative's ConfigMaps that Knative refuses. */
export function checkKnativeConfig(context: PlanContext): readonly Finding[] {
  return listInvalidKnativeValues(context).map(({ path, object, configMap, key, value, expected }) => {
    const finding = reportInvalidKnativeValue(path, { configMap, key, value, expected });
    const source = context.locate(object, path);
    return source ? { ...finding, source } : finding;
  });
}
