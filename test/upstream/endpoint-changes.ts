import type { Manifest } from '../../src/core/manifest/manifest';
import type { ServicePlan } from '../../src/core/document/service-plan';
import { planChange } from '../../src/change/plan-change';
import { recorded } from './recording';

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
interface RecordedEndpointChange {
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

/** What answers a connection: `ANSWERS` by the letters of the recording. */
const ANSWERS: Readonly<Record<string, string>> = { p: 'pods', t: 'terminating-pods', r: 'refused', '-': '-' };

function formatRow(ready: number, share: number | undefined, answer: string): string {
  const shown = share === undefined ? '-' : `${Math.round(share * 100)} %`;
  return `${ready} (${shown}) ${answer}`;
}

/** Formats numbers over time without the last rows in which nothing changes any more: a plan only has them while other pods change. */
function formatOverTime(before: number, rows: readonly string[], after: number, atRest: string): string[] {
  const end = rows.findLastIndex((row) => row !== atRest);
  return collapse([`before ${before}`, ...rows.slice(0, end + 1), `after ${after}`]);
}

/** Formats the rows of a recording. Pods that terminate are ready for a Service that publishes them; a plan says that they terminate. */
function formatRows(rows: readonly RecordedRow[], publishNotReady: boolean): string[] {
  return rows.map(([ready, fresh, answer]) => {
    const shown = publishNotReady && ready === 0 && answer === 'p' ? 't' : answer;
    return formatRow(ready, ready === 0 ? undefined : fresh / ready, ANSWERS[shown]!);
  });
}

function formatPlan({ readyEndpoints: { before, after }, waves = [] }: ServicePlan, atRest: string, isHeadless: boolean): string[] {
  const rows = waves.map(({ ready, newShare, answers = 'pods' }) => formatRow(ready, newShare, isHeadless ? '-' : answers));
  return formatOverTime(before, rows, after, atRest);
}

/** Returns the plan of a Service with the shares of new pods only: without those of a workload that its selector moves to, which has none. */
function withSharesOfNewPods(plan: ServicePlan, rows: readonly RecordedRow[], isSelectorMoved: boolean): ServicePlan {
  if (!isSelectorMoved || rows.some(([, fresh]) => fresh > 0)) return plan;
  return { ...plan, waves: (plan.waves ?? []).map((wave) => ({ ...wave, ...(wave.newShare !== undefined && { newShare: 0 }) })) };
}

function isWithoutEndpoints([before, rows, after]: RecordedEndpointChange['seen'][string]): boolean {
  return (before ?? 0) === 0 && after === 0 && rows.every(([ready]) => ready === 0);
}

/**
 * Returns the ready endpoints of each Service over time, as the plan of a recorded change and as the controllers have them. A Service that
 * never has an endpoint may have no plan.
 */
export function compareEndpointChange(change: RecordedEndpointChange): { readonly ours: object; readonly upstream: object } {
  const options = { no: {}, now: { prune: true }, last: { prune: true, apply: 'pulumi' } } as const;
  const { services = [] } = planChange(toObjects(change.old), toObjects(change.new, change.refused), options[change.prune]);
  const plans = new Map(services.map((one) => [one.resource.name, one]));
  const [ours, upstream]: Record<string, unknown>[] = [{}, {}];
  for (const [name, seen] of Object.entries(change.seen)) {
    const plan = plans.get(name);
    if (!plan && isWithoutEndpoints(seen)) continue;
    const [before, rows, after] = seen;
    const [, selector, , publishNotReady, isHeadless] = change.new.services.find(([serviceName]) => serviceName === name)!;
    const oldSelector = change.old.services.find(([serviceName]) => serviceName === name)?.[1];
    const isSelectorMoved = JSON.stringify(oldSelector) !== JSON.stringify(selector);
    const recordedRows = formatRows(rows, publishNotReady);
    const atRest = recordedRows.at(-1)!;
    ours![name] = plan && formatPlan(withSharesOfNewPods(plan, rows, isSelectorMoved), atRest, isHeadless);
    upstream![name] = formatOverTime(before ?? 0, recordedRows, after, atRest);
  }
  return { ours: ours!, upstream: upstream! };
}

/** All changes of the recording. */
export const ENDPOINT_CHANGES = recorded('kubernetes-endpoint-changes') as readonly RecordedEndpointChange[];
