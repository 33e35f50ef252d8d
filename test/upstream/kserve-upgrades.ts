import type { Manifest } from '../../src/core/manifest/manifest';
import { normalizeObjects } from '../../src/input/normalize-objects';
import { planUpgrade } from '../../src/upgrade/plan-upgrade';
import { parseUpgrade } from '../../src/upgrade/version-pair';
import { edited } from './kserve-changes';
import type { EditedObjects } from './kserve-changes';
import type { RecordedUpgrade } from './operator-upgrades';
import { readRecording } from './recording';

interface ServiceCase {
  readonly base: string;
  readonly edits?: readonly string[];
  readonly mode?: string;
  readonly pairs: Readonly<Record<string, RecordedUpgrade>>;
}

interface Recording extends EditedObjects {
  readonly cases: readonly ServiceCase[];
}

/** An upgrade whose plan differs from what KServe does. */
export interface DifferingUpgrade {
  readonly service: string;
  readonly recorded: readonly string[];
  readonly planned: readonly string[];
}

/** End of the name of a pair whose services have the mode in their status by its present name before the upgrade. */
const RENAMED = ' with the mode renamed';

/** Fields that the recording server leaves open and a real one fills in with the values that KServe 0.16 writes. */
const FILLED_IN: ReadonlySet<string> = new Set(['spec.progressDeadlineSeconds', 'spec.revisionHistoryLimit']);

/** Returns objects whose service, the first one, has a mode in its status. */
function withStatus([service, ...rest]: readonly Manifest[], mode?: string): Manifest[] {
  return [{ ...service!, ...(mode && { status: { deploymentMode: mode } }) }, ...rest];
}

/** Returns the part of a path below the pod template, or `replicas` and the like for any other. */
function toTemplatePath(path: string): string {
  // A deleted object gets a time of its deletion.
  if (path === 'delete') return 'metadata.deletionTimestamp';
  // A Service of Knative next to a Deployment.
  if (path === 'create') return path;
  const below = path.replace(/^\.?(?:spec\.)?template\.(?:spec\.)?/, '').replace(/^\./, '');
  // The first variable of a container comes with the list, and another value of a variable is listed below it.
  return below.replace(/\.env$/, '.env[INFERENCE_SERVICE_NAME]').replace(/(\.env\[\w+\])\.value$/, '$1');
}

/** Returns the paths that the later version writes differently in the Deployments and Services of Knative of a case, each once. */
function listRecorded({ differences = {} }: RecordedUpgrade): string[] {
  return [...new Set(Object.values(differences).flat().map(toTemplatePath))].filter((path) => !FILLED_IN.has(path)).toSorted();
}

/** Returns the components whose workloads the later version writes differently: `worker` for `iris-predictor-worker`. */
function listRecordedComponents({ differences = {} }: RecordedUpgrade): string[] {
  return [...new Set(Object.keys(differences).map((name) => name.slice(name.lastIndexOf('-') + 1)))].toSorted();
}

export function readServiceUpgrades(): Recording {
  return readRecording('kserve-upgrades') as Recording;
}

/** Plans the upgrades of a case, and returns those that differ from what was recorded. */
export function compareServiceUpgrades({ base, edits = [], mode, pairs }: ServiceCase, recording: Recording): readonly DifferingUpgrade[] {
  const objects = edited(recording.bases[base]!, edits, recording);
  return Object.entries(pairs).flatMap(([pair, effect]) => {
    const input = normalizeObjects(pair.endsWith(RENAMED) ? withStatus(objects, mode) : objects);
    const { change, rollouts, upgrade } = planUpgrade(input, parseUpgrade(`kserve=${pair.split(' ')[0]}`));
    const [service] = change!.objects;
    const rolled = rollouts.filter(({ simulation }) => simulation !== null).map(({ resource: { component } }) => component!);
    // No service of the recording is Ready, so updates that are off hold nothing back.
    const isWritten = ['roll', 'settings', 'held', 'scale'].includes(service!.effect);
    const written = isWritten ? service!.because.map(({ path }) => toTemplatePath(path)) : [];
    const isCreated = upgrade!.differences.some(({ id }) => id === 'old-status-mode');
    const planned = [...new Set([...written, ...(isCreated ? ['create'] : [])])].toSorted();
    // The real server refuses some strategies, such as a maxSurge of "1", so these rollouts have no simulation.
    const isSimulated =
      service!.effect === 'roll' &&
      !edits.includes("platform's rollout") &&
      rollouts.every(({ findings }) => findings.every(({ severity }) => severity !== 'error'));
    const [found, expected] = [
      [...listRecorded(effect), ...(isSimulated ? listRecordedComponents(effect) : [])],
      [...planned, ...(isSimulated ? rolled.toSorted() : [])],
    ];
    if (JSON.stringify(found) === JSON.stringify(expected)) return [];
    return [{ service: `${pair}: ${[base, ...edits].join(' + ')} (${service!.effect})`, recorded: found, planned: expected }];
  });
}
