import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ApiObject, App, Chart, Yaml } from 'cdk8s';
import type { Construct } from 'constructs';
import { replaceFile } from '../input/replace-file';
import type { UpgradeStage } from '../systems/kuberay/stages';

const STAGES_FOLDER = 'stages';

/** Removes the stages of an earlier run, and nothing else that is in the folder. */
function removeStages(folder: string): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    if (/^\d+$/.test(name)) rmSync(path.join(folder, name), { recursive: true, force: true, maxRetries: 3 });
  }
}

/**
 * Writes the README and the stages as folders, one file per object, as cdk8s would synthesize them in the chart of `construct`.
 *
 * A folder with the name `stages` is that of the stages itself, and the README is in it.
 */
export function writeStages(folder: string, construct: Construct, stages: readonly UpgradeStage[], readme: string): void {
  const { labels } = Chart.of(construct);
  // Each stage is resolved in a separate app, so that the user's app is not changed.
  const app = new App({ resolvers: App.of(construct).resolvers });
  const isStagesFolder = path.basename(path.resolve(folder)) === STAGES_FOLDER;
  const root = isStagesFolder ? path.dirname(path.resolve(folder)) : folder;
  removeStages(path.join(root, STAGES_FOLDER));
  for (const stage of stages) {
    const stageFolder = path.join(root, stage.folder);
    mkdirSync(stageFolder, { recursive: true });
    const chart = new Chart(app, stage.folder.replace('/', '-'), { labels });
    for (const object of stage.objects) {
      const file = `${object.kind.toLowerCase()}-${object.metadata!.name}`;
      const resolved: unknown = new ApiObject(chart, file, object).toJson();
      replaceFile(path.join(stageFolder, `${file}.yaml`), Yaml.stringify(resolved));
    }
  }
  replaceFile(path.join(folder, 'README.md'), readme);
}
