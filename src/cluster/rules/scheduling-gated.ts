import type { FieldPath } from '../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../core/findings/finding';
import type { Finding } from '../../core/findings/finding';
import { getListAt, getValueAt } from '../../core/manifest/manifest';
import { joinTruncatedNames, truncateNames } from '../../core/text/text-format';
import type { TruncatedNames } from '../../core/text/text-format';
import { templateLocationOf } from '../workload';
import type { BudgetedPods } from '../pod-groups';
import { READY_APP, renderDeploymentOf } from './examples';
import type { Workload } from '../workload';
import { toSafeText } from '../../core/text/value-text';

interface GatedData {
  /** Names of the gates. */
  readonly gates: TruncatedNames;
}

/** Reports pods that the scheduler does not try to place. */
export const schedulingGated = defineRule({
  code: 'kubernetes/scheduling-gated',
  since: '0.1.0',
  severity: 'warning',
  fires: 'The pod template has schedulingGates.',
  why:
    'The scheduler tries to place a pod only after all of its gates are removed, and the API server allows only their removal. ' +
    'Until then the pods are Pending, and they already count for quotas and for the replicas. ' +
    'Every new pod of the template has the gates again, so that a rollout waits for their removal at each wave.',
  fix: 'Remove `schedulingGates` from the template, or make sure that a controller removes the gates of each pod.',
  example: renderDeploymentOf({ containers: READY_APP, podSpec: '      schedulingGates: [{ name: example.com/ready }]\n' }),
  fixedExample: renderDeploymentOf({ containers: READY_APP }),
  messages: {
    waits: defineMessage<GatedData>({
      text: ({ gates }) => {
        const isOne = gates.names.length + (gates.omitted ?? 0) === 1;
        return (
          `Each pod has the scheduling ${isOne ? 'gate' : 'gates'} ${joinTruncatedNames(gates)}. ` +
          `The scheduler does not place it until a controller or a user removes ${isOne ? 'the gate' : 'all of them'}, so the rollout waits.`
        );
      },
      help: () => 'Remove schedulingGates from the template, or check that a controller removes the gates of every new pod.',
      sample: { gates: { names: ['example.com/ready'] } },
      variants: [{ gates: { names: ['example.com/ready', 'example.com/licensed'] } }],
    }),
  },
});

/** The pods of a template, and its location. */
type TemplatePods = Pick<BudgetedPods, 'template'> & Partial<Pick<Workload, 'locateTemplate'>>;

/** Reports pods with scheduling gates. */
export function checkSchedulingGated(pods: TemplatePods, path: FieldPath): Finding[] {
  const gates = getListAt(pods.template.spec, 'schedulingGates').map((gate) => toSafeText(getValueAt(gate, 'name')));
  if (gates.length === 0) return [];
  return [schedulingGated.createFinding('waits', { ...templateLocationOf(pods, path), data: { gates: truncateNames(gates) } })];
}
