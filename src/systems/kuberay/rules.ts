import type { Finding, Source } from '../../core/finding';
import { annotationOf, fieldsAt, listAt, nameOf, namespaceOf, valueAt } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import { startupAnnotationFindings } from '../../core/startup';
import { oncePerPlan } from '../../cluster/context';
import type { PlanContext } from '../../cluster/context';
import { unknownFieldFindings } from '../../core/unknown-fields';
import { kuberayFinding } from './catalogue';
import { hasMisplacedOptions, misplacedFinding } from './misplaced';
import { ownedGatewayName, ownedRouteName } from './objects';
import { servePortFindings } from './ray-cluster';
import { INCREMENTAL, OPTION_FIELDS, OPTIONS_PATH, optionsOf, paceOf, STRATEGY_PATH, typeOf } from './strategy';
import type { UpgradePace } from './upgrade-loop';
import { behaviourOf } from './versions';
import { workerGroupsOf } from './worker-groups';

/** What is to be said of a RayService that nothing refuses. */
export function rayServiceFindings(rayService: Manifest, version: string): Finding[] {
  const options = optionsOf(rayService);
  const isIncremental = typeOf(rayService) === INCREMENTAL;
  return [
    ...(hasMisplacedOptions(rayService) ? [misplacedFinding(rayService)] : []),
    ...strategyFieldFindings(rayService),
    ...suspendFindings(rayService, version),
    ...noUpgradeFindings(rayService),
    ...(isIncremental && options ? paceFindings(rayService, paceOf(options), version) : []),
    ...misnamedClusterFindings(rayService),
    ...startupFindings(rayService),
    ...servePortFindings(valueAt(rayService, 'spec', 'rayClusterConfig')),
  ];
}

function strategyFieldFindings(rayService: Manifest): Finding[] {
  const strategy = valueAt(rayService, 'spec', 'upgradeStrategy');
  return [
    // Options that stray here have a code of their own.
    ...unknownFieldFindings(strategy, STRATEGY_PATH, ['type', 'clusterUpgradeOptions', ...OPTION_FIELDS]),
    ...unknownFieldFindings(optionsOf(rayService), OPTIONS_PATH, OPTION_FIELDS),
  ];
}

function suspendFindings(rayService: Manifest, version: string): Finding[] {
  if (behaviourOf(version).hasSuspend) return [];
  const suspend = fieldsAt(rayService, 'spec').suspend;
  return suspend === undefined
    ? []
    : unknownFieldFindings({ suspend }, 'spec', ['rayClusterConfig', 'serveConfigV2', 'upgradeStrategy'], `the API of KubeRay ${version}`);
}

function noUpgradeFindings(rayService: Manifest): Finding[] {
  if (typeOf(rayService) !== 'None') return [];
  return [
    kuberayFinding('kuberay/no-upgrade', {
      path: `${STRATEGY_PATH}.type`,
      message:
        'type is None: a change of rayClusterConfig, such as a new image, is never rolled out. A change of serveConfigV2 still goes to ' +
        'the running cluster.',
      help: `Write type: ${INCREMENTAL} with its options, or type: NewCluster.`,
    }),
  ];
}

/** Start-up seconds of the head or of a worker group that are no number. */
function startupFindings(rayService: Manifest): Finding[] {
  const cluster = valueAt(rayService, 'spec', 'rayClusterConfig');
  const groups = listAt(cluster, 'workerGroupSpecs').map((group, index) => ({ group, path: `workerGroupSpecs[${index}]` }));
  return [{ group: valueAt(cluster, 'headGroupSpec'), path: 'headGroupSpec' }, ...groups].flatMap(({ group, path }) =>
    startupAnnotationFindings(valueAt(group, 'template', 'metadata'), `spec.rayClusterConfig.${path}.template.metadata`),
  );
}

function misnamedClusterFindings(rayService: Manifest): Finding[] {
  if (!('rayClusterSpec' in fieldsAt(rayService, 'spec'))) return [];
  return [
    kuberayFinding('kuberay/ray-cluster-spec', {
      path: 'spec.rayClusterSpec',
      message: 'A RayService has no field rayClusterSpec: it is dropped or refused, and rayClusterConfig beside it decides.',
      help: 'Write rayClusterConfig alone.',
    }),
  ];
}

function paceFindings(rayService: Manifest, pace: UpgradePace, version: string): Finding[] {
  return [
    ...gateFindings(version),
    ...stallFindings(pace),
    ...cappedStepFindings(pace, version),
    ...smallSurgeFindings(rayService, pace),
    ...largeMinimumFindings(rayService, pace),
  ];
}

function gateFindings(version: string): Finding[] {
  if (behaviourOf(version).gate === 'on') return [];
  return [
    kuberayFinding('kuberay/feature-gate', {
      path: `${STRATEGY_PATH}.type`,
      message:
        `type is ${INCREMENTAL}, and in KubeRay ${version} the gate RayServiceIncrementalUpgrade is off unless it was turned on. ` +
        'With it off no change of the cluster is rolled out. This plan assumes that it is on.',
      help:
        'Install the operator with --set featureGates[0].name=RayServiceIncrementalUpgrade --set featureGates[0].enabled=true, or use ' +
        'KubeRay 1.7.',
    }),
  ];
}

function stallFindings({ maxSurgePercent, stepSizePercent }: UpgradePace): Finding[] {
  if (maxSurgePercent === 0) {
    return [
      kuberayFinding('kuberay/zero-surge', {
        path: `${OPTIONS_PATH}.maxSurgePercent`,
        message: 'maxSurgePercent is 0, so the new cluster never gets any capacity: the upgrade stands at 100/0 for ever.',
        help: 'Write a maxSurgePercent of at least one pod (safe: 100 / pods, rounded up), and a stepSizePercent from 1 to that.',
      }),
    ];
  }
  if (stepSizePercent > 0) return [];
  return [
    kuberayFinding('kuberay/zero-step', {
      path: `${OPTIONS_PATH}.stepSizePercent`,
      message: `stepSizePercent is 0, so no traffic ever moves: both clusters stay, at ${100 + maxSurgePercent} % capacity together.`,
      help: `Write a stepSizePercent from 1 to ${maxSurgePercent}, which is maxSurgePercent.`,
    }),
  ];
}

/** Only versions that cap get this far: later ones refuse such a step. */
function cappedStepFindings({ maxSurgePercent, stepSizePercent }: UpgradePace, version: string): Finding[] {
  if (maxSurgePercent === 0 || stepSizePercent <= maxSurgePercent) return [];
  return [
    kuberayFinding('kuberay/step-exceeds-surge', {
      path: `${OPTIONS_PATH}.stepSizePercent`,
      severity: 'warning',
      message:
        `stepSizePercent ${stepSizePercent} is above maxSurgePercent ${maxSurgePercent}: KubeRay ${version} moves no more than ` +
        `${maxSurgePercent} at a time, and says nothing. KubeRay 1.7 refuses it.`,
      help: `Write a stepSizePercent from 1 to ${maxSurgePercent}, or a larger maxSurgePercent.`,
    }),
  ];
}

function smallSurgeFindings(rayService: Manifest, { maxSurgePercent }: UpgradePace): Finding[] {
  const groups = workerGroupsOf(valueAt(rayService, 'spec', 'rayClusterConfig'));
  if (maxSurgePercent === 0 || groups.length === 0) return [];
  const scarcest = groups.reduce((fewest, group) => (group.replicas < fewest.replicas ? group : fewest));
  if (maxSurgePercent * scarcest.replicas >= 100) return [];
  const safe = Math.ceil(100 / scarcest.replicas);
  return [
    kuberayFinding('kuberay/surge-below-one-pod', {
      path: `${OPTIONS_PATH}.maxSurgePercent`,
      message:
        `maxSurgePercent ${maxSurgePercent} of the ${scarcest.replicas} replicas of worker group "${scarcest.name}" is ` +
        `${(maxSurgePercent * scarcest.replicas) / 100} pods. ` +
        'A share of less than one replica still runs one, so the peak is above what maxSurgePercent says.',
      help: `Write a maxSurgePercent of at least ${safe}.`,
    }),
  ];
}

/** Worker groups of which the new cluster starts with more workers than the surge lets in. */
function largeMinimumFindings(rayService: Manifest, { maxSurgePercent }: UpgradePace): Finding[] {
  if (maxSurgePercent === 0) return [];
  return workerGroupsOf(valueAt(rayService, 'spec', 'rayClusterConfig')).flatMap((group) => {
    const { name, index, replicas, leastReplicas } = group;
    const surge = Math.max(1, Math.ceil((replicas * maxSurgePercent) / 100));
    if (leastReplicas <= surge) return [];
    return kuberayFinding('kuberay/min-replicas-above-surge', {
      path: `spec.rayClusterConfig.workerGroupSpecs[${index}].minReplicas`,
      message:
        `minReplicas of worker group "${name}" is ${leastReplicas}: the new cluster starts with as many workers at once, while ` +
        `maxSurgePercent ${maxSurgePercent} of ${replicas} is ${surge}.`,
      help: `Write a minReplicas from 0 to ${surge}: the autoscaler brings workers as the capacity moves.`,
    });
  });
}

/** Gateways and HTTPRoutes of others under the two names that the operator takes for its own. */
export function ownedNameFindings(rayService: Manifest, context: PlanContext): Finding[] {
  const name = nameOf(rayService);
  const index = gatewayObjects(context);
  return [
    placeOf('Gateway', namespaceOf(rayService), ownedGatewayName(name)),
    placeOf('HTTPRoute', namespaceOf(rayService), ownedRouteName(name)),
  ]
    .flatMap((place) => index.get(place) ?? [])
    .map((object) => ownedNameFinding(object.kind, nameOf(object), name, context.locate(object, 'metadata.name')));
}

function placeOf(kind: string, namespace: string | undefined, name: string): string {
  return [kind, namespace, name].join('/');
}

/** Every Gateway and HTTPRoute that will be applied, by kind, namespace and name. */
const gatewayObjects = oncePerPlan((context) => {
  const byPlace = new Map<string, Manifest[]>();
  for (const object of ['Gateway', 'HTTPRoute'].flatMap((kind) => context.ofKind('gateway.networking.k8s.io', kind))) {
    if (isPreview(object)) continue;
    const place = placeOf(object.kind, namespaceOf(object), nameOf(object));
    byPlace.set(place, [...(byPlace.get(place) ?? []), object]);
  }
  return byPlace;
});

/** Is this object kept out of clusters by its own mark? */
function isPreview(object: Manifest): boolean {
  return annotationOf(object, 'config.kubernetes.io/local-config') === 'true';
}

/** The finding about one such object. */
export function ownedNameFinding(kind: string, name: string, rayService: string, source?: Source): Finding {
  return kuberayFinding('kuberay/operator-owned-name', {
    path: 'metadata.name',
    message:
      `${kind} ${name} has the name that KubeRay takes for its own ${kind} of RayService ${rayService}. ` +
      'The operator overwrites its spec at every reconcile, and deletes it when the service is suspended.',
    help: `Give the ${kind} another name, such as ${rayService}-front-door.`,
    ...(source && { source }),
  });
}
