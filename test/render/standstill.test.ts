import { rolloutkit } from '../cli/command-line';

const QUOTA = 'apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: pods}\nspec: {hard: {pods: "3"}}\n';

function workload(kind: string, replicas: number, more = ''): string {
  return `apiVersion: apps/v1
kind: ${kind}
metadata: {name: web}
spec:
  replicas: ${replicas}
${more}  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "web:2"}]}
`;
}

async function shown(yaml: string): Promise<string[]> {
  const { stdout } = await rolloutkit('plan web.yaml', { files: { 'web.yaml': `${yaml}---\n${QUOTA}` } });
  const lines = stdout.split('\n').map((line) => line.trimEnd());
  const from = lines.findIndex((line) => line.includes('stands still at') && !line.includes('. '));
  return lines.slice(from, -1);
}

describe('a rollout that stands still shows its rows up to there, and says where', () => {
  test('a Deployment whose surge finds no room', async () => {
    expect(await shown(workload('Deployment', 3))).toEqual([
      '  3 replicas: stands still at wave 1, for its pods find no room',
      '',
      '  wave  new  old  total  available',
      '     1    1    3      4          3',
    ]);
  });

  test('a StatefulSet of more pods than there is room for', async () => {
    expect(await shown(workload('StatefulSet', 4, '  serviceName: web\n'))).toEqual([
      '  4 replicas: stands still at batch 1, for its pods find no room',
      '  deleted until then: 3',
    ]);
  });
});
