import { CONTEXT_KINDS, isContextObject, POD_KINDS } from '../../src/cluster/kinds/context-kinds';
import type { ContextKind } from '../../src/cluster/kinds/context-kinds';
import { planManifests } from '../../src/headless';
import { WORKLOAD_NAMES, getWorkloadKind } from '../../src/workloads/kinds';

/** Returns the paths of the findings about the second of two objects with the same key. */
function duplicatesOf({ group, kind, name = 'one' }: ContextKind, version = 'v1'): string[] {
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const object = { apiVersion, kind, metadata: { name } };
  const { findings } = planManifests([object, object], { versions: { kubernetes: '1.21' } });
  return findings.filter(({ code }) => code === 'input/duplicate-resource').map(({ path }) => path);
}

const NAMED = Object.values(CONTEXT_KINDS).map((known: ContextKind): [string, ContextKind] => [`${known.group}/${known.kind}`, known]);

describe('every kind that plans read in addition to rollouts', () => {
  test.each(NAMED)('%s is unique in a cluster by name, whatever the version of its group', (_key, known) => {
    expect(duplicatesOf(known)).toEqual(['metadata.name']);
    // The core group has one version.
    const beta = known.kind === 'HorizontalPodAutoscaler' ? 'v2beta2' : 'v1beta1';
    expect(duplicatesOf(known, known.group === '' ? 'v1' : beta)).toEqual(['metadata.name']);
  });

  test('includes only the ConfigMap of KServe', () => {
    const configMap = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
    expect([configMap('inferenceservice-config'), configMap('other')].map(isContextObject)).toEqual([true, false]);
  });

  test.each(Object.values(POD_KINDS).map((known): [string, ContextKind] => [known.kind, known]))(
    '%s is not one of them: only the capacity that its pods use is read',
    (_kind, { group, kind, name = 'one' }) => {
      expect(isContextObject({ apiVersion: group === '' ? 'v1' : `${group}/v1`, kind, metadata: { name } })).toBe(false);
    },
  );
});

test('a kind that is planned as a workload is not also read as context or only counted for its pods', () => {
  const contextKinds: readonly ContextKind[] = [...Object.values(CONTEXT_KINDS), ...Object.values(POD_KINDS)];
  const planned = WORKLOAD_NAMES.map((name) => `apps/${getWorkloadKind(name).kind}`);
  expect(contextKinds.map(({ group, kind }) => `${group}/${kind}`).filter((key) => planned.includes(key))).toEqual([]);
});
