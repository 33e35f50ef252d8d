import { planChange } from '../../src/headless';
import { renderPlanMarkdown } from '../../src/render/change-markdown';

function web(name: string, image: string): object {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'shop' },
    spec: {
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'web', image }] } },
    },
  };
}

test('a comment has a hidden mark, a table of effects and the details folded', () => {
  expect(renderPlanMarkdown(planChange([web('api', 'api:1')], [web('api', 'api:2')]))).toMatchSnapshot();
});

test('a comment of many objects has at most 60,000 characters, and says that it does not hold all', () => {
  const names = Array.from({ length: 2_000 }, (_, index) => `service-with-a-long-name-${index}`);
  const comment = renderPlanMarkdown(
    planChange(
      names.map((name) => web(name, 'api:1')),
      names.map((name) => web(name, 'api:2')),
    ),
  );
  expect(comment.length).toBeLessThanOrEqual(60_000);
  expect(comment).toMatch(/… \d+ more parts of this plan did not fit here: run `rolloutkit plan` to read all of it\.\n$/);
});

test('text of the input stays text', () => {
  const comment = renderPlanMarkdown(
    planChange(
      [],
      [web('x', 'x')].map((object) => ({ ...object, metadata: { name: '</pre><b>|@team' } })),
    ),
  );
  expect(comment).not.toContain('<b>');
  expect(comment).not.toContain('@team');
});

describe('a picture of the waves, where rows are of pods or of groups alike', () => {
  const template = (image: string) => ({
    metadata: { labels: { app: 'web' } },
    spec: { containers: [{ name: 'web', image, readinessProbe: { tcpSocket: { port: 80 } } }] },
  });
  const of = (apiVersion: string, kind: string, spec: (image: string) => object) =>
    renderPlanMarkdown(
      planChange(
        ...(['web:1', 'web:2'].map((image) => [{ apiVersion, kind, metadata: { name: 'web' }, spec: spec(image) }]) as [
          object[],
          object[],
        ]),
      ),
    )
      .split('```mermaid\n')
      .slice(1)
      .map((picture) => picture.split('\n').slice(1, 5));

  test('groups of a LeaderWorkerSet', () => {
    const spec = (image: string) => ({ replicas: 2, leaderWorkerTemplate: { size: 2, workerTemplate: template(image) } });
    expect(of('leaderworkerset.x-k8s.io/v1', 'LeaderWorkerSet', spec)).toEqual([
      ['  x-axis "wave" ["1", "2"]', '  y-axis "groups" 0 --> 2', '  bar [2, 2]', '  line [1, 1]'],
    ]);
  });

  test('pods of an Argo Rollout', () => {
    const strategy = { canary: { maxSurge: 1, maxUnavailable: 0 } };
    const selector = { matchLabels: { app: 'web' } };
    expect(of('argoproj.io/v1alpha1', 'Rollout', (image) => ({ replicas: 2, selector, strategy, template: template(image) }))).toEqual([
      ['  x-axis "wave" ["1", "2", "3"]', '  y-axis "pods" 0 --> 3', '  bar [3, 3, 2]', '  line [2, 2, 2]'],
    ]);
  });

  test('none of a StatefulSet, whose rows are ordinals', () => {
    const spec = (image: string) => ({
      replicas: 2,
      serviceName: 'web',
      selector: { matchLabels: { app: 'web' } },
      template: template(image),
    });
    expect(of('apps/v1', 'StatefulSet', spec)).toEqual([]);
  });
});
