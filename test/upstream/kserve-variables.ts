import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { normalizeObjects } from '../../src/input/normalize-objects';
import { planUpgrade } from '../../src/upgrade/plan-upgrade';
import { parseUpgrade } from '../../src/upgrade/version-pair';
import { edited } from './kserve-changes';
import type { EditedObjects } from './kserve-changes';

/** An InferenceService, and the containers in which KServe 0.17 sets INFERENCE_SERVICE_NAME. */
export interface VariableCase {
  readonly base: string;
  readonly edits?: readonly string[];
  readonly mode: string;
  /** Names of the containers, by Deployment or Service of Knative. */
  readonly variables: Readonly<Record<string, readonly string[]>>;
}

interface Recording extends EditedObjects {
  readonly cases: readonly VariableCase[];
}

export function readVariableRecording(): Recording {
  const file = path.join(__dirname, '../fixtures/upstream/kserve-variables.json.gz');
  return JSON.parse(gunzipSync(readFileSync(file)).toString('utf8')) as Recording;
}

const UPGRADE = parseUpgrade('kserve=0.16..0.17');

/** The edit with which the model sets the variable itself, to the name of most services. */
const OWN_VARIABLE = 'own variable of the service';

/** Compares the containers that get the variable with those of the upgrade to 0.17. Returns the difference; undefined if there is none. */
export function compareVariables({ base, edits = [], variables }: VariableCase, recording: Recording): string | undefined {
  const input = normalizeObjects(edited(recording.bases[base]!, edits, recording));
  const { change } = planUpgrade(input, UPGRADE);
  const [service] = change!.objects;
  const planned = service!.because
    .map(({ path: field }) => /containers\[(.*?)\]\.env\[INFERENCE_SERVICE_NAME\]$/.exec(field)?.[1])
    .filter((name) => name !== undefined);
  // A variable with the value that KServe gives it is not another template.
  const isOwn = edits.includes(OWN_VARIABLE) && service!.resource.name === 'iris';
  const recorded = Object.entries(variables).flatMap(([name, containers]) =>
    containers.filter((container) => !(isOwn && name.endsWith('-predictor') && container === 'kserve-container')),
  );
  if (JSON.stringify(planned.toSorted()) === JSON.stringify(recorded.toSorted())) return undefined;
  return `${base} + ${edits.join(' + ')}: KServe sets it in ${recorded.join(', ') || 'nothing'}, the plan says ${planned.join(', ') || 'nothing'} (${service!.effect})`;
}
