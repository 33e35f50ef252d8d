import type { UPGRADABLE_PRODUCTS } from '../../core/values/versions';
import type { UpgradeRow } from '../upgrade-row';
import { FLEET_ROWS } from './fleet';
import { KNATIVE_ROWS } from './knative';
import { KSERVE_ROWS } from './kserve';
import { KUBERAY_ROWS } from './kuberay';
import { KUBERNETES_ROWS } from './kubernetes';
import { LLM_ROWS } from './llm';
import { LWS_ROWS } from './lws';

/** What is known about upgrades of a product. */
export interface UpgradeFacts {
  readonly rows: readonly UpgradeRow[];
  /** Oldest and newest minor version whose differences were read. */
  readonly known: readonly [oldest: string, newest: string];
  /** Steps of an upgrade that disturbs less, in order. */
  readonly saferOrder: readonly UpgradeStep[];
}

/** A step of an upgrade that disturbs less. */
export interface UpgradeStep {
  /** What to do, as a sentence. */
  readonly text: string;
  /** Kind of the objects that it is for. @default - all kinds */
  readonly kind?: string;
  /** Id of the row that it is for. @default - all rows */
  readonly row?: string;
}

/** What an upgrade disturbs: kinds of objects, and the rows that concern them. */
export interface DisturbedObjects {
  readonly kinds: ReadonlySet<string>;
  readonly rows: ReadonlySet<string>;
}

/** Returns the steps for what an upgrade disturbs. None if it disturbs nothing. */
export function selectSteps({ saferOrder }: UpgradeFacts, { kinds, rows }: DisturbedObjects): readonly string[] {
  if (kinds.size === 0) return [];
  return saferOrder
    .filter(({ kind, row }) => (kind === undefined || kinds.has(kind)) && (row === undefined || rows.has(row)))
    .map(({ text }) => text);
}

const SERVICE = 'InferenceService';

/** Products whose upgrades are planned. */
export const UPGRADE_FACTS: Readonly<Record<(typeof UPGRADABLE_PRODUCTS)[number], UpgradeFacts>> = {
  kubernetes: {
    rows: KUBERNETES_ROWS,
    known: ['1.33', '1.37'],
    saferOrder: [{ text: 'Upgrade from 1.33 to 1.34.2 or later, and skip 1.34.0 and 1.34.1.' }],
  },
  kserve: {
    rows: [...KSERVE_ROWS, ...LLM_ROWS],
    known: ['0.15', '0.20'],
    saferOrder: [
      {
        kind: SERVICE,
        text: 'Add the annotation serving.kserve.io/disable-auto-update: "true" to each InferenceService while it is Ready.',
      },
      {
        kind: SERVICE,
        row: 'bundled-runtime-image',
        text: 'Pin the image that runs in each model of a serving runtime of the chart, as model.image or model.runtimeVersion, so that other runtimes roll nothing.',
      },
      {
        kind: SERVICE,
        text: 'Apply the new ConfigMap inferenceservice-config first, so that each service rolls once, then upgrade the controller, and the serving runtimes last.',
      },
      { kind: SERVICE, text: 'Remove the annotation from one service at a time, and wait until it is ready.' },
      {
        kind: 'LLMInferenceService',
        text: 'Install the new presets under another prefix (LLM_INFERENCE_SERVICE_CONFIG_PREFIX), so that running LLMInferenceServices keep theirs, and move one service at a time.',
      },
    ],
  },
  knative: {
    rows: KNATIVE_ROWS,
    known: ['1.21', '1.24'],
    saferOrder: [
      { text: 'Make room for the surge of all Revisions at once, because no setting of Knative holds a Revision back.' },
      { text: 'Upgrade while the fewest Revisions run: one that is scaled to zero rolls nothing.' },
    ],
  },
  kuberay: { rows: KUBERAY_ROWS, known: ['1.5', '1.7'], saferOrder: [] },
  lws: {
    rows: LWS_ROWS,
    known: ['0.7', '0.10'],
    saferOrder: [{ text: 'Upgrade from 0.7 to 0.9 or later in one step, and skip 0.8, so that no set gets a new revision.' }],
  },
  fleet: {
    rows: FLEET_ROWS,
    known: ['0.12', '0.16'],
    saferOrder: [{ text: 'Pause the bundles that run hooks, upgrade Fleet, and unpause one bundle at a time.' }],
  },
};
