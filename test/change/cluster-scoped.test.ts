import type { PlanDocument } from '../../src/core/document/plan-document';
import { planChange } from '../../src/headless';
import { rolloutkit } from '../cli/command-line';

const NODE = 'apiVersion: v1\nkind: Node\nmetadata: {name: n1}\n';
const TAINTED = 'apiVersion: v1\nkind: Node\nmetadata: {name: n1, namespace: x}\nspec: {taints: [{key: x, effect: NoExecute}]}\n';

async function planOf(files: Readonly<Record<string, string>>) {
  const { stdout } = await rolloutkit('plan --from old new --prune --format json', { files });
  const { change, findings } = JSON.parse(stdout) as PlanDocument;
  return {
    effects: change!.objects.map(({ effect, resource: { kind, namespace, name } }) => [effect, kind, namespace, name]),
    findings: findings.map(({ code, severity }) => `${severity} ${code}`),
  };
}

describe('the API server drops the namespace of a cluster-scoped object', () => {
  test('so a second document with one is about the same object', async () => {
    expect(await planOf({ 'old/a.yaml': NODE, 'new/a.yaml': `${NODE}---\n${TAINTED}` })).toEqual({
      effects: [
        ['none', 'Node', undefined, 'n1'],
        ['unknown', 'Node', undefined, 'n1'],
      ],
      findings: ['warning change/pods-evicted', 'error input/duplicate-resource'],
    });
  });

  test('so another one is no change', async () => {
    const namespace = (own: string) => `apiVersion: v1\nkind: Namespace\nmetadata: {name: shop${own}}\n`;
    expect(await planOf({ 'old/a.yaml': namespace(', namespace: a'), 'new/a.yaml': namespace(', namespace: b') })).toEqual({
      effects: [['none', 'Namespace', undefined, 'shop']],
      findings: [],
    });
  });

  test('but the scope of another group is not known', () => {
    const node = (namespace: string) => ({ apiVersion: 'example.com/v1', kind: 'Node', metadata: { name: 'a', namespace } });
    const { change } = planChange([node('a')], [node('b')]);
    expect(change.objects.map(({ effect, resource }) => [effect, resource.namespace])).toEqual([
      ['create', 'b'],
      ['none', 'a'],
    ]);
  });
});
