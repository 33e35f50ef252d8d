import { findingsOf } from '../../core/finding';
import type { FindingCatalogue } from '../../core/finding';

const OPTIONS = `clusterUpgradeOptions:
      gatewayClassName: istio
      maxSurgePercent: 20
      stepSizePercent: 5
      intervalSeconds: 10`;

const INCREMENTAL = `type: NewClusterWithIncrementalUpgrade
    ${OPTIONS}`;

const HEAD = `headGroupSpec:
      template:
        spec:
          containers:
            - { name: ray-head, image: rayproject/ray:2.51.0 }`;

const WORKERS = `workerGroupSpecs:
      - groupName: gpu
        replicas: 5
        minReplicas: 0
        maxReplicas: 10
        template:
          spec:
            containers:
              - { name: ray-worker, image: rayproject/ray:2.51.0, resources: { limits: { nvidia.com/gpu: 1 } } }`;

const CLUSTER = `rayClusterConfig:
    enableInTreeAutoscaling: true
    ${HEAD}
    ${WORKERS}`;

/** A RayService as text: its name, what stands under `spec.upgradeStrategy`, and the rest of the spec. */
function service(upgradeStrategy: string, rest = CLUSTER, name = 'llm'): string {
  return `apiVersion: ray.io/v1
kind: RayService
metadata:
  name: ${name}
spec:
  upgradeStrategy:
    ${upgradeStrategy}
  ${rest}
`;
}

/** The same service with one thing replaced in the text of its strategy. */
function withOption(from: string, to: string): string {
  return service(INCREMENTAL.replace(from, to));
}

const WHOLE = service(INCREMENTAL);

/** The findings about RayServices. */
export const KUBERAY_CATALOGUE = {
  'kuberay/zero-surge': {
    severity: 'error',
    fires: 'maxSurgePercent is 0, so the upgrade never begins.',
    why:
      'The new cluster grows by maxSurgePercent at a time. With 0 it stays without capacity, no traffic can move, and the operator goes ' +
      'on ' +
      'reconciling for ever: there is no timeout. KubeRay accepts the value (it checks 0 to 100), with a stepSizePercent of 0 from 1.7 on.',
    fix: 'Write a maxSurgePercent of at least one pod, and a stepSizePercent from 1 to that.',
    example: withOption('maxSurgePercent: 20', 'maxSurgePercent: 0').replace('stepSizePercent: 5', 'stepSizePercent: 0'),
    fixed: WHOLE,
  },
  'kuberay/zero-step': {
    severity: 'error',
    fires: 'stepSizePercent is 0, so no traffic ever moves.',
    why:
      'The new cluster gets its first capacity, then the loop waits for traffic that moves by 0 percent: both clusters stay, at 100 ' +
      'percent plus ' +
      'maxSurgePercent, for ever. KubeRay accepts the value; set in the middle of an upgrade it works as a pause.',
    fix: 'Write a stepSizePercent from 1 to maxSurgePercent.',
    example: withOption('stepSizePercent: 5', 'stepSizePercent: 0'),
    fixed: WHOLE,
  },
  'kuberay/step-exceeds-surge': {
    severity: ['error', 'warning'],
    fires: 'stepSizePercent is above maxSurgePercent.',
    why:
      'Traffic never exceeds the capacity that is there, so a larger step means nothing. KubeRay 1.7 refuses it; before, the step is ' +
      'capped ' +
      'without a word (a warning): so much traffic moves at once as capacity came.',
    fix: 'Write a stepSizePercent of at most maxSurgePercent.',
    example: withOption('stepSizePercent: 5', 'stepSizePercent: 40'),
    fixed: WHOLE,
  },
  'kuberay/autoscaling-required': {
    severity: 'error',
    fires: 'An incremental upgrade without enableInTreeAutoscaling.',
    why:
      'The upgrade sets the share of Serve replicas that a cluster runs; it is the in-tree autoscaler that adds and removes pods for ' +
      'them. ' +
      'The operator refuses the spec without it. kubectl does not say so: the webhook looks at metadata alone.',
    fix: 'Write `enableInTreeAutoscaling: true` under `spec.rayClusterConfig`.',
    example: service(INCREMENTAL, CLUSTER.replace('enableInTreeAutoscaling: true\n    ', '')),
    fixed: WHOLE,
  },
  'kuberay/gateway-class-required': {
    severity: 'error',
    fires: 'An incremental upgrade without gatewayClassName, or without clusterUpgradeOptions at all.',
    why:
      'The operator makes a Gateway of this class to split the traffic, and has no default for it. The API server refuses options ' +
      'without the ' +
      'field, the operator an empty name or missing options.',
    fix: 'Write the name of a GatewayClass of the cluster (`kubectl get gatewayclass`) under `clusterUpgradeOptions`.',
    example: withOption('gatewayClassName: istio', 'gatewayClassName: ""'),
    fixed: WHOLE,
  },
  'kuberay/interval-required': {
    severity: 'error',
    fires: 'An incremental upgrade without intervalSeconds, or with one that is not above 0.',
    why:
      'It is the least time between two steps of traffic. The API server refuses options without the field, the operator a value ' +
      'below 1.',
    fix: 'Write an intervalSeconds of at least 1; the guide advises 60, so that both autoscalers can react to each step.',
    example: withOption('intervalSeconds: 10', 'intervalSeconds: 0'),
    fixed: WHOLE,
  },
  'kuberay/out-of-range': {
    severity: 'error',
    fires:
      'maxSurgePercent or stepSizePercent is not within 0 to 100, or another number of the RayService is outside its range ' +
      '(rayClusterDeletionDelaySeconds, the annotation ray.io/initializing-timeout).',
    why:
      'maxSurgePercent may be left out (then it is 100), stepSizePercent may not. The CRD sets no bounds, so the API server accepts ' +
      'such a ' +
      'percentage and the operator refuses it afterwards.',
    fix: 'Write a whole number within the range that the message names.',
    example: withOption('maxSurgePercent: 20', 'maxSurgePercent: 200'),
    fixed: WHOLE,
  },
  'kuberay/invalid-type': {
    severity: 'error',
    fires: 'upgradeStrategy.type is none of the three that KubeRay knows.',
    why: 'The CRD has no enum for it, so the API server accepts any text; the operator refuses the spec afterwards and changes nothing.',
    fix: 'Write NewClusterWithIncrementalUpgrade, NewCluster or None.',
    example: service('type: Incremental'),
    fixed: service('type: NewCluster'),
  },
  'kuberay/name-too-long': {
    severity: 'error',
    fires:
      'The name of a RayService has more than 47 characters, or is no DNS-1035 label (lower-case letters, digits and dashes, a letter ' +
      'first).',
    why:
      'KubeRay derives the names of clusters, Services and pods from it, of which the longest has 63 characters. Webhook and operator ' +
      'refuse it.',
    fix: 'Write a name of at most 47 lower-case letters, digits and dashes that begins with a letter.',
    example: service(INCREMENTAL, CLUSTER, 'large-language-model-for-customer-support-chat-v2'),
    fixed: service(INCREMENTAL, CLUSTER, 'support-chat-v2'),
  },
  'kuberay/feature-gate': {
    severity: 'warning',
    fires: 'An incremental upgrade with a KubeRay version before 1.7.',
    why:
      'There the gate RayServiceIncrementalUpgrade is off unless it was turned on when the operator was installed. With it off the type ' +
      'is accepted, ' +
      'the options are not checked, and changes of the cluster are not rolled out at all. The plan assumes that it is on. From 1.7 on ' +
      'it is on by default.',
    fix:
      'Install the operator with `--set featureGates[0].name=RayServiceIncrementalUpgrade --set featureGates[0].enabled=true`, or run ' +
      'KubeRay 1.7: ' +
      '`--versions kuberay=1.7`.',
    example: `# rolloutkit plan --versions kuberay=1.6 llm.yaml\n${WHOLE}`,
    fixed: `# rolloutkit plan --versions kuberay=1.7 llm.yaml\n${WHOLE}`,
  },
  'kuberay/misplaced-options': {
    severity: ['error', 'warning'],
    fires:
      'The options of an incremental upgrade stand directly under upgradeStrategy, or the type is not NewClusterWithIncrementalUpgrade.',
    why:
      'The options are read from `clusterUpgradeOptions` and under that type alone. Directly under `upgradeStrategy`, where the guide ' +
      'once prints them, ' +
      'kubectl refuses them as unknown and other clients drop them without a word. Without the type the upgrade is a NewCluster one: a ' +
      'whole second ' +
      'cluster, 200 percent of the GPUs (and before 1.7, with the feature gate on, the operator crashes). A warning where another type ' +
      'is set, ' +
      'which ignores the options.',
    fix: 'Write the options under `upgradeStrategy.clusterUpgradeOptions`, beside `type: NewClusterWithIncrementalUpgrade`.',
    example: service('maxSurgePercent: 20\n    stepSizePercent: 10\n    intervalSeconds: 60'),
    fixed: WHOLE,
  },
  'kuberay/ray-cluster-spec': {
    severity: 'error',
    fires: 'The Ray cluster stands under rayClusterSpec, which is no field, or rayClusterConfig holds something that KubeRay refuses.',
    why:
      'The field is `rayClusterConfig`, which is required; the guide prints `rayClusterSpec` in its example, so the API server refuses ' +
      'that manifest. ' +
      'Of what stands in rayClusterConfig the operator refuses: a group without container, minReplicas above maxReplicas, a name for ' +
      'the headService, ' +
      'enableK8sTokenAuth, resources both in rayStartParams and in resources, a suspended worker group beside the autoscaler, an ' +
      'upgradeStrategy of its ' +
      'own, and a head whose ports have none named `serve`.',
    fix: 'Write `rayClusterConfig`, and in it what the message says.',
    example: service(INCREMENTAL, CLUSTER.replace('rayClusterConfig', 'rayClusterSpec')),
    fixed: WHOLE,
  },
  'kuberay/surge-below-one-pod': {
    severity: 'warning',
    fires: 'maxSurgePercent of the smallest worker group is less than one pod.',
    why:
      'Capacity is a share of Serve replicas, rounded to the nearest whole one and never below one: a step of less than one pod still ' +
      'takes a whole ' +
      'one on the new cluster while the old one may free none, so the peak is above what maxSurgePercent says. The guide computes the ' +
      'least safe value ' +
      'as resources of one pod / resources of the cluster. A group counts with its replicas, or with maxReplicas where it has none to ' +
      'begin with.',
    fix: 'Write at least 100 / pods, rounded up: 34 for three pods.',
    example: service(INCREMENTAL, CLUSTER.replace('replicas: 5', 'replicas: 3')),
    fixed: service(INCREMENTAL.replace('maxSurgePercent: 20', 'maxSurgePercent: 34'), CLUSTER.replace('replicas: 5', 'replicas: 3')),
  },
  'kuberay/min-replicas-above-surge': {
    severity: 'warning',
    fires: 'minReplicas of a worker group is more than maxSurgePercent of its replicas.',
    why:
      'The operator makes the new cluster with the minReplicas of each group, before it has any capacity, and the old one never has ' +
      'fewer. maxSurgePercent moves Serve replicas, not those workers, so the peak is above what it says: with minReplicas 5 of 5 it is ' +
      'twice the cluster.',
    fix: 'Write minReplicas: 0, or at most the surge: the autoscaler brings workers as the capacity moves.',
    example: service(INCREMENTAL, CLUSTER.replace('minReplicas: 0', 'minReplicas: 5')),
    fixed: service(INCREMENTAL, CLUSTER.replace('minReplicas: 0', 'minReplicas: 1')),
  },
  'kuberay/serve-config-conflict': {
    severity: 'error',
    fires: 'serveConfigV2 is not YAML, or a deployment has num_replicas beside autoscaling_config.',
    why:
      'The operator cannot read the one, Ray Serve refuses the other ("Manually setting num_replicas is not allowed when ' +
      'autoscaling_config is ' +
      'provided"; only `num_replicas: auto` goes with it). The application never runs, so the upgrade waits for ever. The guide prints ' +
      'both in its example.',
    fix: 'Delete num_replicas, and write the range under autoscaling_config as min_replicas and max_replicas.',
    example: service(
      INCREMENTAL,
      `serveConfigV2: |
    applications:
      - name: my_app
        import_path: my_model:app
        route_prefix: /
        deployments:
          - name: MyModel
            num_replicas: 10
            autoscaling_config: { min_replicas: 0, max_replicas: 20 }
  ${CLUSTER}`,
    ),
    fixed: service(
      INCREMENTAL,
      `serveConfigV2: |
    applications:
      - name: my_app
        import_path: my_model:app
        route_prefix: /
        deployments:
          - name: MyModel
            autoscaling_config: { min_replicas: 0, max_replicas: 20 }
  ${CLUSTER}`,
    ),
  },
  'kuberay/operator-owned-name': {
    severity: 'error',
    fires: 'Another object is the Gateway `<name>-gateway` or the HTTPRoute `<name>-httproute` of a RayService with incremental upgrade.',
    why:
      'The operator takes these two names for its own objects, whoever made them: it overwrites their spec at every reconcile ' +
      '(hostnames, filters, ' +
      'further rules are gone), and deletes them when the service is suspended. Whoever applies the file again starts a fight.',
    fix:
      'Give the Gateway or HTTPRoute another name. Mark a preview that is never applied with the annotation ' +
      '`config.kubernetes.io/local-config: "true"`.',
    example: `${WHOLE}---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata:
  name: llm-httproute
spec:
  hostnames: [llm.example.com]
`,
    fixed: `${WHOLE}---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata:
  name: llm-front-door
spec:
  hostnames: [llm.example.com]
`,
  },
  'kuberay/no-upgrade': {
    severity: 'warning',
    fires: 'upgradeStrategy.type is None.',
    why:
      'A change of rayClusterConfig (a new image, more memory) is then never rolled out, and nothing says so. A change of serveConfigV2 ' +
      'still goes to the ' +
      'running cluster in place. Meant so where the steps of an upgrade come from Git.',
    fix: 'Write `type: NewClusterWithIncrementalUpgrade` with its options, or NewCluster.',
    example: service('type: None'),
    fixed: service('type: NewCluster'),
  },
} satisfies FindingCatalogue;

/** Makes findings of this catalogue. */
export const kuberayFinding = findingsOf(KUBERAY_CATALOGUE);
