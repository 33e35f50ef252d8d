import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import type { StrategyLocation } from '../embedded-strategy';

interface StrategyData {
  /** The path of the strategy: `spec.runtime.server.strategy`. */
  readonly strategy: string;
}

/** Reports a strategy whose replicas are unknown. */
export const unknownMount = defineRule({
  code: 'baw/unknown-mount',
  since: '0.1.0',
  severity: 'warning',
  fires: 'A snake_case strategy with `rolling_update` is more than one level below `spec`, where its replicas are unknown.',
  why:
    'A custom resource may contain many maps, and only its operator knows which replicas a deeply nested strategy applies to. The strategy ' +
    "is translated, but no waves are shown. IBM's page has it at `spec.strategy`. An operator that reads another path ignores it there.",
  fix: "Put `strategy` next to `replicas`, in `spec` or one level below it, as the operator's documentation shows.",
  example: `apiVersion: icp4a.ibm.com/v1
kind: ICP4ACluster
metadata:
  name: baw
spec:
  runtime:
    server:
      replicas: 5
      strategy:
        type: RollingUpdate
        rolling_update: { max_surge: 1, max_unavailable: 25% }
`,
  fixedExample: `apiVersion: icp4a.ibm.com/v1
kind: ICP4ACluster
metadata:
  name: baw
spec:
  runtime:
    replicas: 5
    strategy:
      type: RollingUpdate
      rolling_update: { max_surge: 1, max_unavailable: 25% }
`,
  messages: {
    tooDeep: defineMessage<StrategyData>({
      text: ({ strategy }) =>
        `${strategy} is more than one level below spec: it is unknown which replicas it applies to, so no waves are shown.`,
      help: () => 'Put strategy next to replicas, in spec or one level below it, if the operator reads it there.',
      sample: { strategy: 'spec.runtime.server.strategy' },
    }),
  },
});

export function checkUnknownMount({ path, hasKnownReplicas }: StrategyLocation): Finding[] {
  return hasKnownReplicas ? [] : [unknownMount.createFinding('tooDeep', { path, data: { strategy: path } })];
}
