import type { Finding } from '../core/finding';
import type { PlanDocument, SharedRoom } from '../core/plan-document';
import type { Provenance } from '../core/provenance';
import type { AutoscaledRollout, Created, DocumentedRollout, ResourceRef, Rollout, RolloutRoom, Simulation } from '../core/rollout';
import { escapedJson } from './visible';

/** JSON text with two-space indent and one newline at its end, without characters that a terminal would obey. */
export function jsonText(value: unknown): string {
  return `${escapedJson(JSON.stringify(value, null, 2))}\n`;
}

function ordered<T extends object>(object: T, keys: readonly (keyof T)[]): Partial<T> {
  const result: Partial<T> = {};
  for (const key of keys) if (object[key] !== undefined) result[key] = object[key];
  return result;
}

export function orderedResource(resource: ResourceRef) {
  return ordered(resource, ['apiVersion', 'kind', 'namespace', 'name', 'component']);
}

function orderedProvenance(provenance: Provenance) {
  const overridden = provenance.overridden.map(({ layer, value }) => ({ layer, value }));
  return ordered({ ...provenance, overridden }, ['field', 'value', 'layer', 'reason', 'overridden']);
}

function orderedCreated(created: Created) {
  return ordered(created, ['apiVersion', 'kind', 'name', 'namespace', 'replicas', 'selector', 'strategy']);
}

function orderedFinding(finding: Finding) {
  const source = finding.source && ordered(finding.source, ['file', 'line', 'column']);
  return ordered({ ...finding, source }, ['code', 'severity', 'path', 'message', 'help', 'source']);
}

/** The order of a simulation's own fields, by kind; what they hold is rows, written in order by the simulations themselves. */
const SIMULATION_FIELDS: { readonly [K in Simulation['kind']]: readonly (keyof Extract<Simulation, { kind: K }>)[] } = {
  deployment: ['kind', 'replicas', 'surge', 'unavailable', 'waves', 'iterations', 'peakPods', 'minAvailable', 'elided'],
  statefulset: ['kind', 'replicas', 'partition', 'maxUnavailable', 'order', 'batches', 'untouched', 'minAvailable', 'elided'],
  rayservice: [
    'kind',
    'type',
    'outcome',
    'steps',
    'durationSeconds',
    'capacityChanges',
    'trafficShifts',
    'peakCapacityPercent',
    'rollback',
    'previews',
  ],
  fleet: [
    'kind',
    'partitions',
    'unpartitionedCount',
    'unpartitioned',
    'maxUnavailable',
    'maxUnavailablePartitions',
    'maxNew',
    'install',
    'update',
    'elided',
  ],
};

function orderedSimulation(simulation: Simulation): Partial<Simulation> {
  return ordered(simulation, SIMULATION_FIELDS[simulation.kind] as readonly (keyof Simulation)[]);
}

function orderedDocumented({ source, simulation, difference }: DocumentedRollout) {
  return { source, simulation: orderedSimulation(simulation), difference };
}

function orderedAutoscaled({ by, minimum, maximum }: AutoscaledRollout) {
  return { by, minimum: orderedSimulation(minimum), maximum: orderedSimulation(maximum) };
}

function orderedRoom(room: RolloutRoom) {
  const shortage = room.shortage && ordered(room.shortage, ['limit', 'resource', 'needed', 'available', 'refusal']);
  const moreNodes = room.moreNodes && ordered(room.moreNodes, ['pool', 'nodes']);
  const keys = ['verdict', 'peakPods', 'podsWithRoom', 'shortage', 'deadlockWave', 'iterations', 'moreNodes', 'message'] as const;
  return ordered({ ...room, shortage, moreNodes }, keys);
}

function orderedSharedRoom({ oneAfterAnother, together, limits, message }: SharedRoom) {
  const shared = limits.map((limit) => ordered(limit, ['limit', 'resource', 'available', 'steady', 'oneAfterAnother', 'together']));
  return { oneAfterAnother, together, limits: shared, message };
}

function orderedRollout(rollout: Rollout) {
  const { system, resource, strategy, provenance, simulation, documented, autoscaled, room, duration, workers, creates, findings } = rollout;
  return {
    system,
    resource: orderedResource(resource),
    strategy,
    provenance: provenance.map(orderedProvenance),
    simulation: simulation && orderedSimulation(simulation),
    documented: documented && orderedDocumented(documented),
    autoscaled: autoscaled && orderedAutoscaled(autoscaled),
    room: room && orderedRoom(room),
    duration: duration && ordered(duration, ['startupSeconds', 'lowerBoundSeconds', 'expectedSeconds', 'abortSeconds', 'blastRadius']),
    workers: workers && ordered(workers, ['pods', 'gpus', 'surgePods', 'surgeGpus']),
    creates: creates?.map(orderedCreated),
    findings: findings.map(orderedFinding),
  };
}

/** The plan document as the contract writes it: keys in its order, two-space indent, one newline at the end, the same bytes every time. */
export function renderPlanJson(plan: PlanDocument): string {
  const { formatVersion, versions, rollouts, findings, room, summary } = plan;
  return jsonText({
    formatVersion,
    versions: ordered(versions, ['kubernetes', 'kserve', 'kuberay', 'fleet']),
    rollouts: rollouts.map(orderedRollout),
    findings: findings.map(orderedFinding),
    room: room && orderedSharedRoom(room),
    summary: ordered(summary, ['rollouts', 'errors', 'warnings', 'infos']),
  });
}

/** What `check --format json` prints: every finding with the resource that it is about, those of no rollout first and without one. */
export function renderCheckJson(plan: PlanDocument): string {
  const findings = [
    ...plan.findings.map(orderedFinding),
    ...plan.rollouts.flatMap(({ resource, findings: own }) =>
      own.map((finding) => ({ ...orderedFinding(finding), resource: orderedResource(resource) })),
    ),
  ];
  return jsonText({ formatVersion: plan.formatVersion, findings, summary: ordered(plan.summary, ['rollouts', 'errors', 'warnings', 'infos']) });
}
