import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';

import { COMMAND_MODULES } from '../../src/cli/lazy-commands';
import { run } from '../../src/cli/run';
import { expectGenerated, ROOT } from './generated';
import { synthesizeExamples } from './sections';

interface Picture {
  readonly title: string;
  readonly args: string;
}

/** The pictures of `docs/gallery`, each with the command that draws it. */
const PICTURES: Readonly<Record<string, Picture>> = {
  'deadlock.svg': {
    title: 'A rollout that deadlocks: the quota does not have two more GPUs, and no old pod may be deleted first',
    args: 'plan dist/gpu-quota --resource Deployment/models/model',
  },
  'deployment.svg': {
    title: 'A Deployment, by second: at least four pods stay ready',
    args: 'plan dist/deployment-policies --startup-seconds 30 --resource Deployment/shop/shop-web',
  },
  'statefulset.svg': {
    title: 'A StatefulSet with a partition, by second: the highest ordinals first, and two pods that are not updated',
    args: 'plan dist/deployment-policies --startup-seconds 30 --resource StatefulSet/shop/shop-orders',
  },
  'daemonset.svg': {
    title: 'A DaemonSet: its pods, and below them the nodes of the cluster',
    args: 'plan dist/daemonset-agents --startup-seconds 30 --resource DaemonSet/ops/logs',
  },
  'knative.svg': {
    title: 'A Knative Revision: its pods, and below them the share of requests for each revision',
    args: 'plan playground/examples/knative.yaml',
  },
  'rayservice.svg': {
    title: 'A RayService: the capacity of both clusters, and their requests',
    args: 'plan dist/kuberay-guide --resource RayService/kuberay-guide/rayservice-incremental-upgrade',
  },
  'fleet.svg': {
    title: 'A Fleet bundle that halts: one cluster never becomes ready',
    args: 'plan dist/fleet-guide --clusters examples/fleet-guide/clusters.json --resource Bundle/fleet-default/canary --never-ready site-007',
  },
  'argo-rollout.svg': {
    title: 'An Argo Rollout: a canary that waits for a manual promotion',
    args: 'plan examples/argo-rollouts --resource Rollout/shop/checkout',
  },
  'leaderworkerset.svg': {
    title: 'A LeaderWorkerSet: groups of pods that roll together',
    args: 'plan dist/leaderworkerset --resource LeaderWorkerSet/models/batch',
  },
  'disaggregatedset.svg': {
    title: 'A DisaggregatedSet: prefill and decode, updated in step',
    args: 'plan dist/disaggregatedset',
  },
  'rolling-sync.svg': {
    title: 'An Argo CD ApplicationSet: which Applications sync when',
    args: 'plan dist/argo-cd --clusters examples/argo-cd/clusters.json',
  },
  'budget.svg': {
    title: 'A StatefulSet with a budget: ordinals from the highest down, a partition, and the pods that must stay healthy',
    args: 'plan playground/examples/statefulset.yaml',
  },
  'change.svg': {
    title: 'A change: each rollout today and after the change',
    args: 'plan --from examples/change-strategy/old.yaml examples/change-strategy/new.yaml',
  },
};

const PAGE = { file: 'change.html', args: 'plan --from examples/change/old examples/change/new' };

async function printOf(folder: string, args: string): Promise<string> {
  let text = '';
  let errors = '';
  const argv = args.split(' ').map((arg) => (arg.startsWith('playground/') ? path.join(ROOT, arg) : arg));
  const io = {
    stdout: { write: (part: string) => void (text += part) },
    stderr: { write: (part: string) => void (errors += part) },
    stdin: [],
    cwd: folder,
    env: {},
  };
  const code = await run(argv, io, () => COMMAND_MODULES);
  expect({ args, code, errors }).toEqual({ args, code: 0, errors: '' });
  return text;
}

describe('the gallery (npm run docs updates it)', () => {
  let folder: string;
  beforeAll(() => {
    folder = synthesizeExamples();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each(Object.entries(PICTURES))('has the current picture %s', async (file, { args }) => {
    const svg = await printOf(folder, `${args} --format svg`);
    expectGenerated(`docs/gallery/${file}`, svg);
    expect(svg).toContain('<path class=');
  });

  test('has the page of a change', async () => {
    expectGenerated(`docs/gallery/${PAGE.file}`, await printOf(folder, `${PAGE.args} --format html`));
  });

  test('has a page that shows each picture with its command', () => {
    const parts = Object.entries(PICTURES).map(
      ([file, { title, args }]) => `## ${title}\n\n![${title}](${file})\n\n\`rolloutkit ${args} --format svg\`\n`,
    );
    const head =
      '# Gallery\n\nPictures of `rolloutkit plan --format svg`, which a test compares with the code. Colours are distinguishable with any colour blindness, and each also has a pattern, a dash or a word. The pictures follow the light or dark mode of the reader.\n\n' +
      `A whole plan as one page, with filters, is \`--format html\`: [${PAGE.file}](${PAGE.file}), written by \`rolloutkit ${PAGE.args} --format html\`.\n`;
    expectGenerated('docs/gallery/README.md', [head, ...parts].join('\n'));
  });

  test('contains no other files', () => {
    expect(readdirSync(path.join(ROOT, 'docs/gallery')).toSorted()).toEqual([PAGE.file, 'README.md', ...Object.keys(PICTURES)].toSorted());
  });
});
