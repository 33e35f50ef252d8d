import type { Manifest } from '../../src/core/manifest/manifest';
import { countReadyEndpoints, findAnswer, listServicePorts, selectorOf } from '../../src/cluster/services/endpoints';
import type { EndpointPod } from '../../src/cluster/services/endpoints';
import { planChange } from '../../src/change/plan-change';
import { recorded } from './recording';

interface RecordedPod {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly ready?: boolean;
  readonly terminating?: boolean;
  readonly phase?: string;
  /** Ports of the containers: `http:8080`, `dns:53/UDP`. A second container follows `|`. */
  readonly ports?: readonly string[];
  readonly initPorts?: readonly string[];
  readonly node?: string;
}

interface RecordedService {
  readonly name: string;
  readonly spec: Readonly<Record<string, unknown>>;
}

interface RecordedStep {
  readonly note: string;
  readonly services?: readonly RecordedService[];
  readonly servicesGone?: readonly string[];
  readonly pods?: readonly RecordedPod[];
  readonly podsGone?: readonly string[];
  readonly applied?: readonly (Readonly<Record<string, unknown>> & { readonly name: string })[];
  readonly result: Readonly<
    Record<
      string,
      {
        readonly readyByPort: Readonly<Record<string, number>>;
        readonly proxy: Readonly<Record<string, Readonly<Record<string, { readonly cluster: readonly string[] | null }>>>>;
      }
    >
  >;
}

interface RecordedCase {
  readonly id: string;
  readonly title: string;
  readonly nodes: readonly { readonly Name: string }[];
  readonly realDeploymentController: boolean;
  readonly steps: readonly RecordedStep[];
}

const CASES = recorded('kubernetes-endpoints') as readonly RecordedCase[];

function toPort(text: string) {
  const [name, number] = text.split(':') as [string, string];
  const [containerPort, protocol] = number.split('/');
  return { ...(name !== '' && { name }), containerPort: Number(containerPort), ...(protocol !== undefined && { protocol }) };
}

function toPod(
  { labels, ready = false, terminating = false, phase, ports = [], initPorts = [], node }: RecordedPod,
  nodes: ReadonlySet<string>,
): EndpointPod {
  return {
    labels,
    spec: {
      containers: ports.map((port) => ({ ports: [toPort(port)] })),
      initContainers: initPorts.map((port) => ({ ports: [toPort(port)] })),
    },
    isReady: ready,
    isTerminating: terminating,
    isFinished: phase === 'Succeeded' || phase === 'Failed',
    hasNoNode: node !== undefined && !nodes.has(node),
  };
}

const toService = ({ name, spec }: RecordedService): Manifest => ({ apiVersion: 'v1', kind: 'Service', metadata: { name }, spec });

/** Ready endpoints and answers of each port, as the controller and the proxies of a recording have them. */
function replay({ nodes, steps }: RecordedCase) {
  const pods = new Map<string, RecordedPod>();
  const services = new Map<string, RecordedService>();
  const nodeNames = new Set(nodes.map(({ Name }) => Name));
  return steps.map(({ services: applied = [], servicesGone = [], pods: changed = [], podsGone = [], result }) => {
    for (const service of applied) services.set(service.name, service);
    for (const name of servicesGone) services.delete(name);
    for (const pod of changed) pods.set(pod.name, pod);
    for (const name of podsGone) pods.delete(name);
    const all = [...pods.values()].map((pod) => toPod(pod, nodeNames));
    return [...services.values()].map(toService).flatMap((service) => {
      // The controller leaves the slices of a Service without a selector as they are.
      if (selectorOf(service) === undefined) return [];
      const upstream = result[service.metadata!.name as string]!;
      const counts = countReadyEndpoints(service, all);
      return listServicePorts(service).map((port) => {
        const key = port.name === '' ? '(unnamed)' : port.name;
        const { cluster } = Object.values(upstream.proxy)[0]?.[key] ?? {};
        return {
          port: key,
          ours: { ready: counts.get(port.name), isAnswered: findAnswer(service, port, all) !== 'refused' },
          upstream: { ready: upstream.readyByPort[key] ?? 0, isAnswered: cluster ? cluster.length > 0 : undefined },
        };
      });
    });
  });
}

const STATES = CASES.filter(({ realDeploymentController }) => !realDeploymentController);

test.each(STATES.map((one) => [`${one.id}: ${one.title}`, one] as const))(
  'counts ready endpoints as the EndpointSlice controller: %s',
  (_, one) => {
    const ports = replay(one).flat();
    // A headless Service has no proxies, so nothing is recorded about them.
    const ours = ports.map((port) => ({ ...port.ours, ...(port.upstream.isAnswered === undefined && { isAnswered: undefined }) }));
    expect(ours).toEqual(ports.map(({ upstream }) => upstream));
  },
);

/** Cases whose second step applies a change to a rollout at rest. */
const CHANGES = CASES.filter(({ id, realDeploymentController }) => realDeploymentController && id !== 'R17');

function objectsOf(step: RecordedStep, services: readonly RecordedService[], before: readonly Manifest[] = []): Manifest[] {
  const deleted = new Set((step.applied ?? []).filter((one) => 'delete' in one).map(({ name }) => name));
  const applied = (step.applied ?? [])
    .filter((one) => !('delete' in one))
    .map(({ kind, name, ...rest }): Manifest => ({ apiVersion: 'apps/v1', kind: kind as string, metadata: { name }, ...rest }));
  const names = new Set(applied.map(({ metadata }) => metadata!.name));
  const retained = before.filter(
    ({ kind, metadata }) => kind !== 'Service' && !names.has(metadata!.name as string) && !deleted.has(metadata!.name as string),
  );
  return [...retained, ...applied, ...services.map(toService)];
}

/** Drops repetitions at the end: nothing changes any more. */
function trim(numbers: readonly number[]): number[] {
  const last = numbers.at(-1);
  const end = numbers.findLastIndex((number) => number !== last);
  return numbers.slice(0, end + 2);
}

test.each(CHANGES.map((one) => [`${one.id}: ${one.title}`, one] as const))(
  'plans the ready endpoints of a change as the controllers have them: %s',
  (_, { steps }) => {
    const [start, change] = steps as [RecordedStep, RecordedStep];
    const old = objectsOf(start, start.services ?? []);
    const next = objectsOf(change, change.services ?? start.services ?? [], old);
    const { services } = planChange(old, next, { prune: true });
    const [plan] = services!;
    const leastOf = ({ result }: RecordedStep) => {
      const ports = listServicePorts(toService((change.services ?? start.services)![0]!));
      return Math.min(...ports.map(({ name }) => result.api!.readyByPort[name === '' ? '(unnamed)' : name] ?? 0));
    };
    const upstream = steps.slice(1).map(leastOf);
    expect({
      before: plan!.readyEndpoints.before,
      least: plan!.readyEndpoints.least,
      rows: trim([...(plan!.waves ?? []).map(({ ready }) => ready), plan!.readyEndpoints.after]),
    }).toEqual({ before: leastOf(start), least: Math.min(leastOf(start), ...upstream), rows: trim(upstream) });
  },
);
