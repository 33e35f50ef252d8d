import type { FieldPath } from '../../core/manifest/field-path';
import { toFieldPath } from '../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../core/findings/finding';
import type { Finding } from '../../core/findings/finding';
import { getListAt, getValueAt } from '../../core/manifest/manifest';
import { joinTruncatedNames, truncateNames } from '../../core/text/text-format';
import type { TruncatedNames } from '../../core/text/text-format';
import type { BudgetedPods } from '../rollout/pod-groups';
import { READY_APP, renderDeploymentOf } from '../pods/rules/examples';
import { templateLocationOf } from '../rollout/workload';
import type { Workload } from '../rollout/workload';
import { toSafeText } from '../../core/text/value-text';

interface ReadinessGateData {
  /** Types of the conditions. */
  readonly conditions: TruncatedNames;
}

interface NameData {
  /** Name of the scheduler or node. */
  readonly name: string;
}

/** Reports pods that something must place or make ready that no manifest shows. */
export const awaitsOtherComponent = defineRule({
  code: 'kubernetes/awaits-other-component',
  since: '0.1.0',
  severity: ['warning', 'info'],
  fires:
    'The pod template has readinessGates, a schedulerName other than `default-scheduler`, or a nodeName while the input contains no Nodes.',
  why:
    'A pod is ready only once each condition of its readinessGates is True, and only a controller sets them. ' +
    'A pod with another schedulerName stays Pending until a scheduler of this name runs. ' +
    'A pod with a nodeName is not scheduled at all: it never runs if no node has this name, and fails if the node has no room. ' +
    'No manifest shows that these exist, and a rollout waits for ready pods at each wave. ' +
    'Another scheduler is an info, since clusters for batch jobs and training often run one. ' +
    'Source: Kubernetes 1.36 pkg/kubelet/status/generate.go, `GeneratePodReadyCondition`, and pkg/controller/podgc/gc_controller.go, `gcOrphaned`.',
  fix: 'Remove the field, or make sure that the controller, the scheduler or the node exists.',
  example: renderDeploymentOf({ containers: READY_APP, podSpec: '      readinessGates: [{ conditionType: example.com/registered }]\n' }),
  fixedExample: renderDeploymentOf({ containers: READY_APP }),
  messages: {
    readinessGate: defineMessage<ReadinessGateData>({
      text: ({ conditions }) => {
        const isOne = conditions.names.length + (conditions.omitted ?? 0) === 1;
        return `Each pod is ready only once a controller sets the ${isOne ? 'condition' : 'conditions'} ${joinTruncatedNames(conditions)} of its readinessGates. If none does, the rollout never finishes.`;
      },
      help: () => 'Remove readinessGates from the template, or check that a controller sets the condition of every new pod.',
      sample: { conditions: { names: ['example.com/registered'] } },
      variants: [{ conditions: { names: ['example.com/registered', 'example.com/licensed'] } }],
    }),
    scheduler: defineMessage<NameData>({
      text: ({ name }) =>
        `The scheduler ${JSON.stringify(name)} places the pods. If the cluster does not run it, they stay Pending and the rollout never finishes.`,
      help: () => 'Remove schedulerName from the template, or check that the cluster runs this scheduler.',
      sample: { name: 'example-scheduler' },
    }),
    node: defineMessage<NameData>({
      text: ({ name }) =>
        `Each pod is bound to the node ${JSON.stringify(name)}, without the scheduler. If there is no such node, or it has no room for all of them, the rollout never finishes.`,
      help: () =>
        'Remove nodeName from the template, or add the Nodes of the cluster to the input, so that the plan compares the pods with them.',
      sample: { name: 'node-1' },
    }),
  },
});

/** The pods of a template, and its location. */
type TemplatePods = Pick<BudgetedPods, 'template'> & Partial<Pick<Workload, 'locateTemplate'>>;

/** Reports pods that need a controller, a scheduler or a node that no manifest shows. */
export function checkAwaitsOtherComponent(pods: TemplatePods, podPath: FieldPath, hasKnownNodes: () => boolean): Finding[] {
  const { spec } = pods.template;
  const at = (path: FieldPath) => templateLocationOf(pods, path);
  const gates = getListAt(spec, 'readinessGates').map((gate) => toSafeText(getValueAt(gate, 'conditionType')));
  const [scheduler, node] = [getValueAt(spec, 'schedulerName'), getValueAt(spec, 'nodeName')];
  const isOther = typeof scheduler === 'string' && scheduler !== '' && scheduler !== 'default-scheduler';
  const isBound = typeof node === 'string' && node !== '';
  return [
    ...(gates.length > 0
      ? [
          awaitsOtherComponent.createFinding('readinessGate', {
            ...at(toFieldPath`${podPath}.readinessGates`),
            data: { conditions: truncateNames(gates) },
          }),
        ]
      : []),
    ...(isOther && !isBound
      ? [
          awaitsOtherComponent.createFinding('scheduler', {
            ...at(toFieldPath`${podPath}.schedulerName`),
            severity: 'info',
            data: { name: scheduler },
          }),
        ]
      : []),
    ...(isBound && !hasKnownNodes()
      ? [awaitsOtherComponent.createFinding('node', { ...at(toFieldPath`${podPath}.nodeName`), data: { name: node } })]
      : []),
  ];
}
