import type { Manifest } from '../../src/core/manifest';
import type { ServicePlan } from '../../src/core/service-plan';
import { planChange } from '../../src/change/plan-change';

type Labels = Readonly<Record<string, string>>;

type RecordedWorkload = readonly [
  kind: 'D' | 'S',
  name: string,
  replicas: number,
  labels: Labels,
  ports: readonly (readonly [name: string, number: number, protocol: string])[],
  image: string,
  strategy: readonly (string | number)[],
];

type RecordedService = readonly [
  name: string,
  selector: Labels,
  ports: readonly (readonly [name: string, port: number, targetPort: number | string, protocol: string])[],
  publishNotReady: boolean,
  headless: boolean,
];

interface RecordedShop {
  readonly workloads: readonly RecordedWorkload[] | null;
  readonly services: readonly RecordedService[];
}

type RecordedRow = readonly [ready: number, fresh: number, answer: 'p' | 't' | 'r' | '-'];

/** A change of Services and workloads, and what the controllers and kube-proxy did with it; see `oracle/kubernetes/endpoint_changes.go`. */
export interface RecordedEndpointChange {
  readonly old: RecordedShop;
  readonly new: RecordedShop;
  readonly prune: 'now' | 'last' | 'no';
  readonly refused?: readonly string[];
  readonly seen: Readonly<Record<string, readonly [before: number | null, rows: readonly RecordedRow[], after: number]>>;
}

function toStrategy(kind: 'D' | 'S', strategy: readonly (string | number)[]): object {
  if (kind === 'S') return { podManagementPolicy: strategy[0], serviceName: 's1' };
  const [maxSurge, maxUnavailable] = strategy;
  const rolling = { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } };
  return { strategy: maxSurge === undefined ? { type: 'Recreate' } : rolling };
}

/** Builds a workload. A refused one gets another selector, which cannot change. */
function toWorkload([kind, name, replicas, labels, ports, image, strategy]: RecordedWorkload, isRefused: boolean): Manifest {
  const more = isRefused ? { other: 'selector' } : {};
  const containers = [
    { name: 'shop', image, ports: ports.map(([portName, containerPort, protocol]) => ({ name: portName, containerPort, protocol })) },
  ];
  return {
    apiVersion: 'apps/v1',
    kind: kind === 'D' ? 'Deployment' : 'StatefulSet',
    metadata: { name },
    spec: {
      replicas,
      selector: { matchLabels: { w: name, ...more } },
      ...toStrategy(kind, strategy),
      template: { metadata: { labels: { ...labels, ...more } }, spec: { containers } },
    },
  };
}

function toService([name, selector, ports, publishNotReady, headless]: RecordedService): Manifest {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name },
    spec: {
      selector,
      ports: ports.map(([portName, port, targetPort, protocol]) => ({ name: portName, port, targetPort, protocol })),
      ...(publishNotReady && { publishNotReadyAddresses: true }),
      ...(headless && { clusterIP: 'None' }),
    },
  };
}

function toObjects({ workloads, services }: RecordedShop, refused: readonly string[] = []): Manifest[] {
  return [...(workloads ?? []).map((one) => toWorkload(one, refused.includes(one[1]))), ...services.map(toService)];
}

/** Drops repetitions, which a plan may show in one row or in several. */
function collapse(rows: readonly string[]): string[] {
  return rows.filter((row, index) => row !== rows[index - 1]);
}

function formatShare(ready: number, share: number | undefined): string {
  return share === undefined ? `${ready} (-)` : `${ready} (${Math.round(share * 100)} %)`;
}

/** Formats numbers over time without the last rows in which nothing changes any more: a plan only has them while other pods change. */
function formatOverTime(before: number, rows: readonly string[], after: number, atRest: string): string[] {
  const end = rows.findLastIndex((row) => row !== atRest);
  return collapse([`before ${before}`, ...rows.slice(0, end + 1), `after ${after}`]);
}

function formatRows(rows: readonly RecordedRow[]): string[] {
  return rows.map(([ready, fresh]) => formatShare(ready, ready === 0 ? undefined : fresh / ready));
}

function formatPlan({ readyEndpoints: { before, after }, waves = [] }: ServicePlan, atRest: string): string[] {
  return formatOverTime(
    before,
    waves.map(({ ready, newShare }) => formatShare(ready, newShare)),
    after,
    atRest,
  );
}

/** Returns the ready endpoints of each Service over time, as the plan of a recorded change and as the controllers have them. */
export function compareEndpointChange(change: RecordedEndpointChange): { readonly ours: object; readonly upstream: object } {
  const options = { no: {}, now: { prune: true }, last: { prune: true, apply: 'pulumi' } } as const;
  const { services = [] } = planChange(toObjects(change.old), toObjects(change.new, change.refused), options[change.prune]);
  const plans = new Map(services.map((one) => [one.resource.name, one]));
  const names = Object.keys(change.seen).filter((name) => plans.has(name));
  const compare = (name: string) => {
    const [before, rows, after] = change.seen[name]!;
    const recorded = formatRows(rows);
    const atRest = recorded.at(-1)!;
    return { ours: formatPlan(plans.get(name)!, atRest), upstream: formatOverTime(before ?? 0, recorded, after, atRest) };
  };
  return {
    ours: Object.fromEntries(names.map((name) => [name, compare(name).ours])),
    upstream: Object.fromEntries(names.map((name) => [name, compare(name).upstream])),
  };
}

/** Lists the Services of a recorded change that have endpoints at some moment and no plan. */
export function listUnplannedServices(change: RecordedEndpointChange, planned: object): string[] {
  return Object.entries(change.seen).flatMap(([name, [before, rows, after]]) =>
    Object.hasOwn(planned, name) ||
    (before ?? 0) + after + rows.length === 0 ||
    Math.max(before ?? 0, after, ...rows.map(([ready]) => ready)) === 0
      ? []
      : [name],
  );
}
