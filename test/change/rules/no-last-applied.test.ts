import { planChange } from '../../../src/headless';
import { expectValidPlan } from '../../plan-schema';

const CONTAINER = { name: 'web', image: 'web:1' };

/** Returns a Deployment of a chart with these fields of its spec and of its container. */
function chart(spec: object = {}, container: object = {}) {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop', labels: { 'app.kubernetes.io/managed-by': 'Helm' } },
    spec: {
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ ...CONTAINER, ...container }] } },
      ...spec,
    },
  };
}

/** Returns it as a cluster shows it, with the fields that Helm owns. */
function live(object: ReturnType<typeof chart>, owned: object, ownedOfContainer: object = {}) {
  const ofContainer = { '.': {}, 'f:name': {}, 'f:image': {}, ...ownedOfContainer };
  const fieldsV1 = {
    'f:spec': { ...owned, 'f:template': { 'f:spec': { 'f:containers': { 'k:{"name":"web"}': ofContainer } } } },
  };
  const managedFields = [{ manager: 'helm', operation: 'Update', apiVersion: 'apps/v1', fieldsType: 'FieldsV1', fieldsV1 }];
  return { ...object, metadata: { ...object.metadata, uid: '5b5b1a3e-0000-4000-8000-000000000001', managedFields } };
}

function findingsOf(old: object, next: object) {
  const { findings } = expectValidPlan(planChange([old], [next], { apply: 'helm' }));
  return findings
    .filter(({ code }) => code === 'change/no-last-applied')
    .map(({ severity, messageId, data }) => [severity, messageId, data]);
}

describe('a live object of which the last release of Helm is not known', () => {
  test.each([
    ['spec.replicas', live(chart({ replicas: 3 }), { 'f:replicas': {} })],
    [
      'spec.template.spec.containers[web].env',
      live(
        chart({}, { env: [{ name: 'MODE', value: 'fast' }] }),
        {},
        { 'f:env': { '.': {}, 'k:{"name":"MODE"}': { '.': {}, 'f:name': {} } } },
      ),
    ],
  ])('is a warning if Helm owns %s, which NEW no longer sets', (path, old) => {
    expect(findingsOf(old, chart())).toEqual([['warning', 'release-had-more', { objects: 1, example: `${path} of Deployment shop/web` }]]);
  });

  test.each([
    ['a default, which comes back', live(chart({ revisionHistoryLimit: 10 }), { 'f:revisionHistoryLimit': {} }), chart()],
    ['a field that another manager owns', live(chart({ replicas: 3 }), {}), chart()],
    ['a field that NEW sets', live(chart({ replicas: 3 }), { 'f:replicas': {} }), chart({ replicas: 4 })],
  ])('is an info with %s', (_, old, next) => {
    expect(findingsOf(old, next)).toEqual([['info', 'release-unknown', { objects: 1 }]]);
  });
});
