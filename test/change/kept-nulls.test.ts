import type { ApplyMode } from '../../src/core/document/change';
import type { Manifest } from '../../src/core/manifest/manifest';
import { planChange } from '../../src/headless';

/*
 * What a real API server 1.34.4 does with the nulls of a custom resource: a server-side apply stores each null in a field that is nullable or
 * keeps unknown fields, and is refused for any other without a default. A PUT stores the former and drops the latter. A client-side apply
 * stores none.
 */

/** Returns the effect of an apply with a tool. */
function effectOf(old: Manifest, next: Manifest, apply?: ApplyMode): string {
  const { objects } = planChange([old], [next], apply ? { apply } : {}).change;
  return objects[0]!.effect;
}

const APPLIERS: readonly ApplyMode[] = ['client', 'helm', 'server', 'helm4', 'flux', 'pulumi', 'replace'];

function effectsOf(old: Manifest, next: Manifest): Record<string, string> {
  return Object.fromEntries(APPLIERS.map((apply) => [apply, effectOf(old, next, apply)]));
}

function widget(metadata: object, spec: object): Manifest {
  return { apiVersion: 'x.io/v1', kind: 'Widget', metadata: { name: 'w', ...metadata }, spec };
}

/** Builds the metadata of a live object with the fields of its spec that a manager applied. */
const managed = (spec: object, manager = 'kubectl') => ({
  uid: 'u',
  managedFields: [{ manager, operation: 'Apply', apiVersion: 'x.io/v1', fieldsV1: { 'f:spec': spec } }],
});

describe('a null that a tool adds to a live object differs if the tool sends it', () => {
  const sent = {
    client: 'none',
    helm: 'none',
    server: 'unknown',
    helm4: 'unknown',
    flux: 'unknown',
    pulumi: 'unknown',
    replace: 'unknown',
  };

  test('in a map of an unknown kind', () => {
    expect(effectsOf(widget({ uid: 'u' }, { m: { a: 1 } }), widget({}, { m: { a: 1, b: null } }))).toEqual(sent);
  });

  test('in a list of an unknown kind', () => {
    expect(effectsOf(widget({ uid: 'u' }, { list: [{ a: 1 }] }), widget({}, { list: [{ a: 1, b: null }] }))).toEqual(sent);
  });

  test('in the plugin of a Rollout, live or as a manifest', () => {
    const rollout = (metadata: object, config: object): Manifest => ({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Rollout',
      metadata: { name: 'web', ...metadata },
      spec: {
        replicas: 2,
        selector: { matchLabels: { app: 'web' } },
        strategy: { canary: { steps: [{ plugin: { name: 'p', config } }] } },
        template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web:1' }] } },
      },
    });
    const next = rollout({}, { b: 1, c: null });
    expect(effectsOf(rollout({ uid: 'u' }, { b: 1 }), next)).toEqual(sent);
    expect(effectsOf(rollout({}, { b: 1 }), next)).toEqual(sent);
  });
});

test('a null that a live object has too is no difference', () => {
  const spec = { m: { a: 1, b: null }, list: [{ c: null }] };
  const nulls = { 'f:m': { 'f:a': {}, 'f:b': {} }, 'f:list': {} };
  expect(new Set(Object.values(effectsOf(widget(managed(nulls), spec), widget({}, spec))))).toEqual(new Set(['none']));
});

test('a null that only the live object has is removed by a tool that owns it, and by a PUT', () => {
  const [old, next] = [{ m: { a: 1, b: null } }, { m: { a: 1 } }];
  const live = (owned: object, manager: string) => widget(managed({ 'f:m': { 'f:a': {}, ...owned } }, manager), old);
  expect({
    owned: effectOf(live({ 'f:b': {} }, 'kubectl'), widget({}, next), 'server'),
    ofAnother: effectOf(live({ 'f:b': {} }, 'operator'), widget({}, next), 'flux'),
    replace: effectOf(live({}, 'kubectl'), widget({}, next), 'replace'),
  }).toEqual({ owned: 'unknown', ofAnother: 'none', replace: 'unknown' });
});
