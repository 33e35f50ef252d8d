import { defineMessage, defineRule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import type { StrategyLocation } from '../embedded-strategy';

interface StrategyData {
  /** `spec.runtime.server.strategy` */
  readonly strategy: string;
}

/** A strategy whose replicas can't be known. */
export const unknownMount = defineRule({
  code: 'baw/unknown-mount',
  since: '0.1.0',
  severity: 'warning',
  fires: 'A snake_case strategy with `rolling_update` stands more than one level below `spec`, where no replicas can be known.',
  why:
    'A custom resource may hold many maps, and only its operator knows which replicas a strategy deep inside applies to. The strategy ' +
    "is translated, but no waves are shown. IBM's page has it at `spec.strategy`; an operator that reads another place ignores it there.",
  fix: "Put `strategy` beside `replicas` at `spec`, or one level below it, as the operator's documentation has it.",
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
        `${strategy} stands more than one level below spec: which replicas it applies to can't be known, so its waves can't be shown.`,
      help: () => 'Put strategy beside replicas, at spec or one level below it, if the operator reads it there.',
      sample: { strategy: 'spec.runtime.server.strategy' },
    }),
  },
});

export function checkUnknownMount({ path, hasKnownReplicas }: StrategyLocation): Finding[] {
  return hasKnownReplicas ? [] : [unknownMount.createFinding('tooDeep', { path, data: { strategy: path } })];
}
