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

/** The pictures of `docs/gallery`, each drawn by a command that stands below it. */
const PICTURES: Readonly<Record<string, Picture>> = {
  'standstill.svg': {
    title: 'A rollout that stands still: the quota has no room for two more GPUs, and no old pod may go first',
    args: 'plan dist/gpu-quota --resource Deployment/models/model',
  },
  'deployment.svg': {
    title: 'A Deployment, over seconds: never fewer than four ready',
    args: 'plan dist/deployment-policies --startup-seconds 30 --resource Deployment/shop/shop-web',
  },
  'statefulset.svg': {
    title: 'A StatefulSet with a partition, over seconds: the highest ordinals first, and two that stay as they are',
    args: 'plan dist/deployment-policies --startup-seconds 30 --resource StatefulSet/shop/shop-orders',
  },
  'daemonset.svg': {
    title: 'A DaemonSet: its pods, and below them the nodes of the cluster',
    args: 'plan dist/daemonset-agents --startup-seconds 30 --resource DaemonSet/ops/logs',
  },
  'knative.svg': {
    title: 'A Revision in Knative: pods, and below them who gets the requests',
    args: 'plan playground/examples/knative.yaml',
  },
  'rayservice.svg': {
    title: 'A RayService: capacity of both clusters, and the requests that follow it',
    args: 'plan dist/kuberay-guide --resource RayService/kuberay-guide/rayservice-incremental-upgrade',
  },
  'fleet.svg': {
    title: 'A Fleet bundle that halts: one cluster never gets ready',
    args: 'plan dist/fleet-guide --clusters examples/fleet-guide/clusters.json --resource Bundle/fleet-default/canary --never-ready site-007',
  },
  'argo-rollout.svg': {
    title: 'An Argo Rollout: a canary that waits until somebody promotes it',
    args: 'plan examples/argo-rollouts --resource Rollout/shop/checkout',
  },
  'leaderworkerset.svg': {
    title: 'A LeaderWorkerSet: groups of pods that roll together',
    args: 'plan dist/leaderworkerset --resource LeaderWorkerSet/models/batch',
  },
  'disaggregatedset.svg': {
    title: 'A DisaggregatedSet: prefill and decode, stepped together',
    args: 'plan dist/disaggregatedset',
  },
  'rolling-sync.svg': {
    title: 'An ApplicationSet of Argo CD: which Applications sync when',
    args: 'plan dist/argo-cd --clusters examples/argo-cd/clusters.json',
  },
  'budget.svg': {
    title: 'A StatefulSet under a budget: ordinals from the highest down, a partition, and what has to stay healthy',
    args: 'plan playground/examples/statefulset.yaml',
  },
  'change.svg': {
    title: 'A change: how each rollout goes today, and how it will go',
    args: 'plan --from examples/change-strategy/old.yaml examples/change-strategy/new.yaml',
  },
};

const PAGE = { file: 'change.html', args: 'plan --from examples/change/old examples/change/new' };

async function printed(folder: string, args: string): Promise<string> {
  let text = '';
  let complaint = '';
  const argv = args.split(' ').map((arg) => (arg.startsWith('playground/') ? path.join(ROOT, arg) : arg));
  const io = {
    stdout: { write: (part: string) => void (text += part) },
    stderr: { write: (part: string) => void (complaint += part) },
    stdin: [],
    cwd: folder,
    env: {},
  };
  const code = await run(argv, io, () => COMMAND_MODULES);
  expect({ args, code, complaint }).toEqual({ args, code: 0, complaint: '' });
  return text;
}

describe('the gallery is what the code draws (npm run docs draws it anew)', () => {
  let folder: string;
  beforeAll(() => {
    folder = synthesizeExamples();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each(Object.entries(PICTURES))('%s', async (file, { args }) => {
    const svg = await printed(folder, `${args} --format svg`);
    expectGenerated(`docs/gallery/${file}`, svg);
    expect(svg).toContain('<path class=');
  });

  test('the page of a change', async () => {
    expectGenerated(`docs/gallery/${PAGE.file}`, await printed(folder, `${PAGE.args} --format html`));
  });

  test('its page shows each of them, with its command', () => {
    const parts = Object.entries(PICTURES).map(
      ([file, { title, args }]) => `## ${title}\n\n![${title}](${file})\n\n\`rolloutkit ${args} --format svg\`\n`,
    );
    const head =
      '# Gallery\n\nWhat `rolloutkit plan --format svg` draws, made anew with every build. Colours are told apart by readers with any colour blindness, and each has a pattern, a dash or a word besides; the pictures follow the light or dark of who reads them.\n\n' +
      `A whole plan as one page, with filters, is \`--format html\`: [${PAGE.file}](${PAGE.file}), by \`rolloutkit ${PAGE.args} --format html\`.\n`;
    expectGenerated('docs/gallery/README.md', [head, ...parts].join('\n'));
  });

  test('and the folder holds nothing else', () => {
    expect(readdirSync(path.join(ROOT, 'docs/gallery')).toSorted()).toEqual([PAGE.file, 'README.md', ...Object.keys(PICTURES)].toSorted());
  });
});
