import { appendToPath } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../core/findings/finding';
import type { Finding } from '../../core/findings/finding';
import { describeObject, getListAt, getValueAt } from '../../core/manifest/manifest';
import type { Fields } from '../../core/manifest/manifest';
import { joinTruncatedNames, truncateNames } from '../../core/text/text-format';
import type { TruncatedNames } from '../../core/text/text-format';
import { supportsSchedulingGates } from '../kinds/versions';
import { templateLocationOf } from '../rollout/workload';
import type { PlanContext } from '../context/context';
import type { BudgetedPods } from '../rollout/pod-groups';
import { listPodObjects } from '../pods/pod-objects';
import { READY_APP, renderDeploymentOf } from '../pods/rules/examples';
import type { Workload } from '../rollout/workload';
import { toSafeText } from '../../core/text/value-text';

interface GatedData {
  /** Names of the gates. */
  readonly gates: TruncatedNames;
}

interface ObjectData extends GatedData {
  /** The object without a rollout: `Job shop/load`. */
  readonly object: string;
  /** Whether it is the Pod itself. */
  readonly isPod: boolean;
}

function countGates({ names, omitted = 0 }: TruncatedNames): number {
  return names.length + omitted;
}

/** Reports pods that the scheduler does not try to place. */
export const schedulingGated = defineRule({
  code: 'kubernetes/scheduling-gated',
  since: '0.1.0',
  severity: 'warning',
  fires: 'A pod template, or a Pod, has schedulingGates.',
  why:
    'The scheduler tries to place a pod only after all of its gates are removed, and the API server allows only their removal. ' +
    'Until then the pods are Pending, and they already count for quotas and for the replicas. ' +
    'Every new pod of the template has the gates again, so that a rollout waits for their removal at each wave.',
  fix: 'Remove `schedulingGates` from the template, or make sure that a controller removes the gates of each pod.',
  example: renderDeploymentOf({ containers: READY_APP, podSpec: '      schedulingGates: [{ name: example.com/ready }]\n' }),
  fixedExample: renderDeploymentOf({ containers: READY_APP }),
  messages: {
    object: defineMessage<ObjectData>({
      text: ({ object, isPod, gates }) => {
        const isOne = countGates(gates) === 1;
        return (
          `${isPod ? object : `Each pod of ${object}`} has the scheduling ${isOne ? 'gate' : 'gates'} ${joinTruncatedNames(gates)}. ` +
          `The scheduler does not place it until a controller or a user removes ${isOne ? 'the gate' : 'all of them'}.`
        );
      },
      help: () => 'Remove schedulingGates, or check that a controller removes the gates of every new pod.',
      sample: { object: 'Job shop/load', isPod: false, gates: { names: ['example.com/ready'] } },
      variants: [{ object: 'Pod shop/debug', isPod: true, gates: { names: ['example.com/ready', 'example.com/licensed'] } }],
    }),
    waits: defineMessage<GatedData>({
      text: ({ gates }) => {
        const isOne = countGates(gates) === 1;
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

function listGates({ spec }: Fields): readonly string[] {
  return getListAt(spec, 'schedulingGates').map((gate) => toSafeText(getValueAt(gate, 'name')));
}

/** The pods of a template, and its location. */
type TemplatePods = Pick<BudgetedPods, 'template'> & Partial<Pick<Workload, 'locateTemplate'>>;

/** Reports pods with scheduling gates. */
export function checkSchedulingGated(pods: TemplatePods, path: FieldPath): Finding[] {
  const gates = listGates(pods.template);
  if (gates.length === 0) return [];
  return [schedulingGated.createFinding('waits', { ...templateLocationOf(pods, path), data: { gates: truncateNames(gates) } })];
}

/** Reports Pods, and objects without a rollout that create pods, whose pods have scheduling gates. */
export function checkSchedulingGatedObjects(context: PlanContext): Finding[] {
  if (!supportsSchedulingGates(context.versions.kubernetes)) return [];
  return listPodObjects(context).flatMap(({ object, templates }) => {
    const gated = templates.find(({ template }) => listGates(template).length > 0);
    if (!gated) return [];
    const path = appendToPath(gated.path, 'spec', 'schedulingGates');
    const source = context.locate(object, path);
    const data = { object: describeObject(object), isPod: object.kind === 'Pod', gates: truncateNames(listGates(gated.template)) };
    return [schedulingGated.createFinding('object', { path, data, ...(source && { source }) })];
  });
}
