import { findingsOf } from '../../core/finding';
import type { FindingCatalogue } from '../../core/finding';

/** The findings about operators' custom resources with a snake_case strategy. */
export const BAW_CATALOGUE = {
  'baw/quoted-integer': {
    severity: 'info',
    fires: "A number stands in quotes in the strategy of an operator's custom resource; the operator reads it as a number.",
    why:
      'IBM\'s page writes `max_surge: "1"`. The operator turns it into the number 1 in the Deployment that it writes, so the resource is ' +
      'fine as it is. In a Deployment the same text is refused (kubernetes/quoted-integer), which matters to whoever copies it there.',
    fix: 'Nothing has to change. Without quotes the value means the same in both places.',
    example: `apiVersion: icp4a.ibm.com/v1
kind: ICP4ACluster
metadata:
  name: baw
spec:
  replicas: 2
  strategy:
    type: RollingUpdate
    rolling_update:
      max_surge: "1"
      max_unavailable: "99%"
`,
    fixed: `apiVersion: icp4a.ibm.com/v1
kind: ICP4ACluster
metadata:
  name: baw
spec:
  replicas: 2
  strategy:
    type: RollingUpdate
    rolling_update:
      max_surge: 1
      max_unavailable: "99%"
`,
  },
  'baw/unknown-mount': {
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
    fixed: `apiVersion: icp4a.ibm.com/v1
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
  },
} satisfies FindingCatalogue;

export const bawFinding = findingsOf(BAW_CATALOGUE);
