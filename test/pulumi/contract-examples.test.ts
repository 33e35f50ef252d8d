/** Compares for every example what its constructs write, what the components register for the same props, and what a plan reads. */
import type { ApiObject, Chart } from 'cdk8s';
import type { Construct } from 'constructs';
import type { ComponentResource } from '@pulumi/pulumi';
import * as rolloutkit from 'rolloutkit';
import { planManifests } from 'rolloutkit/plan';
import * as components from 'rolloutkit/pulumi';
import { isFields } from '../../src/core/manifest/manifest';
import type { Fields, Manifest } from '../../src/core/manifest/manifest';
import { examples, runExample } from '../examples/synthesize';
import { comparable, pulumiObjects, throughYaml } from './adapters';

/** Objects of one construct of an example, and the component for the same props. */
interface Made {
  readonly title: string;
  readonly emitted: readonly Manifest[];
  readonly component: () => ComponentResource;
}

/** Called after an example has run, when its charts are complete. */
type Look = () => Made;

const COMPONENTS = {
  InferenceServiceRollout: components.InferenceServiceRollout,
  IncrementalRayService: components.IncrementalRayService,
  FleetBundle: components.FleetBundle,
  ApplicationSetRollout: components.ApplicationSetRollout,
  DisaggregatedSetRollout: components.DisaggregatedSetRollout,
  LeaderWorkerSetRollout: components.LeaderWorkerSetRollout,
  LLMInferenceServiceRollout: components.LLMInferenceServiceRollout,
  OperatorRollingUpdate: components.OperatorRollingUpdate,
};

/** Runs an unchanged example, and records everything that it creates with this library. */
function made(example: string): Made[] {
  const looks: Look[] = [];
  runExample(example, watched(rolloutkit, looks));
  return looks.map((look) => look());
}

/** Wraps the library to record everything that is created with it. */
function watched(library: typeof rolloutkit, looks: Look[]): typeof rolloutkit {
  const classes = (Object.keys(COMPONENTS) as (keyof typeof COMPONENTS)[]).map((kind) => {
    const construct = (target: object, [scope, id, props]: [Construct, string, Fields]) => {
      const instance = Reflect.construct(target as typeof Object, [scope, id, props]) as Construct;
      looks.push(() => ({
        title: `${kind} ${id}`,
        emitted: manifestsIn(instance),
        component: () => new COMPONENTS[kind](id, argsOf(kind, props, namespaceOf(scope)) as never),
      }));
      return instance;
    };
    return [kind, new Proxy(library[kind], { construct })];
  });
  const others = {
    DeploymentPolicy: watchedPolicy(library, looks),
    DaemonSetPolicy: watchedDaemonSetPolicy(library, looks),
    KServePlatformConfig: watchedPlatform(library, looks),
  };
  return { ...library, ...Object.fromEntries(classes), ...others };
}

/** Returns the objects at and below a construct, from any copy of cdk8s. */
function manifestsIn(construct: Construct): Manifest[] {
  const objects = construct.node.findAll().filter((node) => 'apiVersion' in node && 'toJson' in node);
  return objects.map((object) => (object as unknown as ApiObject).toJson() as Manifest);
}

/** Returns the namespace that the chart sets for every object. */
function namespaceOf(scope: Construct): string | undefined {
  return (scope.node.scopes.findLast((node) => 'namespace' in node) as Chart | undefined)?.namespace;
}

/** Converts props of a construct to those of the component: constructs, and the namespace of the chart, as plain data. */
function argsOf(kind: keyof typeof COMPONENTS, props: Fields, namespace: string | undefined): Fields {
  const { platform, resources, resource, output, ...rest } = props;
  const chart = isFields(resources) ? (resources as unknown as Chart) : undefined;
  const inNamespace = (metadata: unknown) => ({ namespace, ...(metadata as object | undefined) });
  if (kind === 'OperatorRollingUpdate') {
    const { metadata } = (resource ?? {}) as Fields;
    return { ...rest, resource: { ...(resource as object), metadata: inNamespace(metadata) } };
  }
  const file = chart && `${chart.node.id}.yaml`;
  return {
    ...rest,
    metadata: inNamespace(rest.metadata),
    ...(output !== undefined && { output }),
    ...(platform !== undefined && { platform: (platform as rolloutkit.KServePlatformConfig).configMap }),
    // With a fleet.yaml, the resources are in Git.
    ...(resources !== undefined && output !== 'fleet.yaml' && { resources: chart?.toJson() ?? resources, resourceFile: file }),
  };
}

/** Wraps a policy to record each workload that it is written into. */
function watchedApplying<Policy extends rolloutkit.DeploymentPolicy | rolloutkit.DaemonSetPolicy>(
  policy: Policy,
  applied: (object: ApiObject) => void,
): Pick<Policy, 'applyTo' | 'applyToAll'> {
  return {
    applyTo: (workload: Construct) => {
      const object = policy.applyTo(workload);
      applied(object);
      return object;
    },
    applyToAll: (scope: Construct, selector?: rolloutkit.WorkloadSelector) => {
      const objects = policy.applyToAll(scope, selector);
      objects.forEach(applied);
      return objects;
    },
  };
}

function watchedPolicy({ DeploymentPolicy }: typeof rolloutkit, looks: Look[]): typeof DeploymentPolicy {
  const watch =
    <Props>(sort: 'stateless' | 'stateful', make: (props: Props) => rolloutkit.DeploymentPolicy) =>
    (props: Props) =>
      watchedApplying(make(props), (object) => looks.push(() => policed(sort, props, object.toJson() as Manifest)));
  const statics = {
    stateless: watch('stateless', (props: rolloutkit.StatelessPolicyProps) => DeploymentPolicy.stateless(props)),
    stateful: watch('stateful', (props: rolloutkit.StatefulPolicyProps) => DeploymentPolicy.stateful(props)),
  };
  return statics as unknown as typeof DeploymentPolicy;
}

function watchedDaemonSetPolicy({ DaemonSetPolicy }: typeof rolloutkit, looks: Look[]): typeof DaemonSetPolicy {
  const of = (props: rolloutkit.DaemonSetPolicyProps) =>
    watchedApplying(DaemonSetPolicy.of(props), (object) => looks.push(() => policedDaemonSet(props, object.toJson() as Manifest)));
  return { of } as unknown as typeof DaemonSetPolicy;
}

/** Returns the fields of a workload that no policy wrote. */
function unpoliced(object: Manifest): { readonly metadata: unknown; readonly spec: Fields } {
  const { strategy: _strategy, updateStrategy: _updateStrategy, revisionHistoryLimit: _limit, ...spec } = object.spec as Fields;
  return { metadata: object.metadata, spec };
}

/** Returns the workload before the policy, with the corresponding Pulumi policy. */
function policed(sort: 'stateless' | 'stateful', props: unknown, object: Manifest): Made {
  const args = { [sort]: props, workloads: [unpoliced(object)] };
  return {
    title: `DeploymentPolicy ${sort} on ${object.metadata!.name}`,
    emitted: [object],
    component: () => new components.DeploymentPolicy('policy', args as unknown as components.DeploymentPolicyArgs),
  };
}

function policedDaemonSet(policy: rolloutkit.DaemonSetPolicyProps, object: Manifest): Made {
  const args = { policy, workloads: [unpoliced(object)] };
  return {
    title: `DaemonSetPolicy on ${object.metadata!.name}`,
    emitted: [object],
    component: () => new components.DaemonSetPolicy('policy', args as unknown as components.DaemonSetPolicyArgs),
  };
}

function watchedPlatform({ KServePlatformConfig }: typeof rolloutkit, looks: Look[]): typeof KServePlatformConfig {
  return new Proxy(KServePlatformConfig, {
    get: (target, field, receiver) => {
      const value: unknown = Reflect.get(target, field, receiver);
      if (field !== 'of') return value;
      return (props: rolloutkit.PlatformConfigProps) => {
        const platform = target.of(props);
        const emit = platform.emit.bind(platform);
        platform.emit = (scope, options) => {
          const object = emit(scope, options);
          looks.push(() => ({
            title: 'KServePlatformConfig',
            emitted: [object.toJson() as Manifest],
            component: () => new components.KServePlatformConfig('platform', { ...props, base: options?.base, emit: 'configmap' }),
          }));
          return object;
        };
        return platform;
      };
    },
  });
}

const everything = examples.flatMap((example) => made(example).map((one) => ({ ...one, title: `${example}: ${one.title}` })));

test.each(everything)('$title', async ({ emitted, component }) => {
  expect(comparable(await pulumiObjects(component))).toEqual(comparable(emitted));

  const read = throughYaml(emitted);
  expect(read).toEqual(emitted);
  expect(planManifests(read)).toEqual(planManifests(emitted));
});

test('every example is compared', () => {
  expect(examples.filter((example) => !everything.some(({ title }) => title.startsWith(`${example}: `)))).toEqual([]);
});
