import { annotationOf, getListAt, groupOf, isFields } from '../../../core/manifest/manifest';
import type { Manifest } from '../../../core/manifest/manifest';
import type { UpgradeRow } from '../../upgrade-row';
import { defaultNames, deletedDefaultNames } from './default-names';
import { bundledRuntimeImage, digestWithVersion, graphRouter } from './images';
import { oldStatusMode, renamedModes, rolloutOfConfig, stoppedWorkloads, skipOldStatusMode } from './modes';
import { annotatedRuntimeDefaults } from './runtime-defaults';
import { agentReadiness, annotatedRuntimeImage, formatAnnotation, runtimeScheduler, selectedRuntime } from './runtimes';
import { directPvcMount, localModelPath, storageInitializer, storageUrisImage, storageUrisMount } from './storage';
import { inferenceServiceName } from './variables';
import { deletedWorkers, workerVariables } from './workers';

const DISABLE_AUTO_UPDATE = 'serving.kserve.io/disable-auto-update';

/** Reports whether KServe writes nothing for a service that is Ready. A manifest without a status counts as Ready. */
function isHeld(object: Manifest): boolean {
  if (annotationOf(object, DISABLE_AUTO_UPDATE) !== 'true') return false;
  const conditions = getListAt(object, 'status', 'conditions').filter(isFields);
  return conditions.length === 0 || conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
}

/** Holds the rows that replace pods of a service whose updates are off. */
function withHold(row: UpgradeRow): UpgradeRow {
  const heldUntil = `${DISABLE_AUTO_UPDATE} is removed, or it is not Ready`;
  return {
    ...row,
    match: (object, sides) =>
      row
        .match(object, sides)
        .map((match) => (isHeld(object) && groupOf(object) === 'serving.kserve.io' ? { ...match, heldUntil } : match)),
  };
}

/** Differences between versions of KServe for InferenceServices and InferenceGraphs. */
export const KSERVE_ROWS: readonly UpgradeRow[] = [
  graphRouter,
  ...[
    inferenceServiceName,
    workerVariables,
    deletedWorkers,
    rolloutOfConfig,
    stoppedWorkloads,
    annotatedRuntimeDefaults,
    formatAnnotation,
    annotatedRuntimeImage,
    runtimeScheduler,
    digestWithVersion,
    storageUrisImage,
    storageUrisMount,
    bundledRuntimeImage,
    selectedRuntime,
    defaultNames,
    deletedDefaultNames,
    oldStatusMode,
    renamedModes,
    storageInitializer,
    directPvcMount,
    localModelPath,
    agentReadiness,
  ]
    .map(skipOldStatusMode)
    .map(withHold),
];
