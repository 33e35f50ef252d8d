import { planChange, planManifests } from '../../src/headless';
import { renderPlanMarkdown } from '../../src/render/markdown/plan';
import { deployment, podTemplate } from '../builders/workload';

function web(name: string, image: string): object {
  return deployment({ template: podTemplate({ name: 'web', image }) }, { name, namespace: 'shop' });
}

test('a comment has a hidden marker, a table of effects and folded details', () => {
  expect(renderPlanMarkdown(planChange([web('api', 'api:1')], [web('api', 'api:2')]))).toMatchSnapshot();
});

test('a comment about many objects has at most 60,000 characters, and says that it is incomplete', () => {
  const names = Array.from({ length: 250 }, (_, index) => `service-with-a-long-name-${index}`);
  const comment = renderPlanMarkdown(
    planChange(
      names.map((name) => web(name, 'api:1')),
      names.map((name) => web(name, 'api:2')),
    ),
  );
  expect(comment.length).toBeLessThanOrEqual(60_000);
  expect(comment).toMatch(/… \d+ more parts of this plan did not fit here\. Run `rolloutkit plan` to see all of it\.\n$/);
});

test('a comment begins with its marker and headline, however many rollouts are under way', () => {
  const of = (index: number, image: string) => web(`service-with-a-rather-long-name-${index}`, image) as { metadata: object; spec: object };
  const status = { observedGeneration: 2, replicas: 2, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1, unavailableReplicas: 1 };
  const indices = Array.from({ length: 250 }, (_, index) => index);
  const live = indices.map((index) => {
    const { metadata, ...rest } = of(index, 'api:1');
    return { ...rest, metadata: { ...metadata, uid: `${index}`, resourceVersion: '1', generation: 2 }, status };
  });
  const [mark, headline, , first] = renderPlanMarkdown(
    planChange(
      live,
      indices.map((index) => of(index, 'api:2')),
    ),
  ).split('\n');
  expect([mark, headline, first]).toEqual([
    '<!-- rolloutkit: the plan of this change -->',
    '## 250 of 250 objects differ: 250 roll; 250 pods are replaced; needs no extra pods; assumes Kubernetes 1.36',
    '- `Deployment shop/service-with-a-rather-long-name-0`: the last rollout has not finished: 1 of 1 updated, in progress',
  ]);
});

test('findings that need a decision come once before the table, with fix and locations', () => {
  const down = (name: string) => ({
    ...web(name, 'web:2'),
    spec: { ...(web(name, 'web:2') as { spec: object }).spec, replicas: 2, strategy: { type: 'Recreate' }, paused: 'yes' },
  });
  const comment = renderPlanMarkdown(planChange([], [down('a'), down('b')]));
  const [decisions, table] = comment.split('| effect | object | what happens |');
  expect(decisions).toMatchInlineSnapshot(`
"<!-- rolloutkit: the plan of this change -->
## 2 of 2 objects differ: 2 are refused; no pods are affected; assumes Kubernetes 1.36

### Needs a decision

- **error** \`input/wrong-type\`, 2 times: paused is "yes", but the API requires true or false here and refuses the entire object.
  <br>**fix:** Write true or false.
  <br>at \`Deployment shop/a  spec.paused\`, \`Deployment shop/b  spec.paused\`

"
`);
  expect(table).toContain('Deployment shop/a');
});

test('a plan without a change has a row for each rollout, worst first', () => {
  const stuck = {
    ...web('stuck', 'web:1'),
    spec: { ...(web('stuck', 'web:1') as { spec: object }).spec, replicas: 3, strategy: { type: 'Recreate' } },
  };
  expect(renderPlanMarkdown(planManifests([web('fine', 'web:1'), stuck])).split('\n<details>')[0]).toMatchInlineSnapshot(`
"<!-- rolloutkit: the plan of this change -->
## 2 rollouts on Kubernetes 1.36 (assumed): 1 info

| | rollout | what happens |
|---|---|---|
| i | \`Deployment shop/stuck\` | 3 pods: 2 waves, peak 3, none available at the worst moment |
|  | \`Deployment shop/fine\` | 1 pod: 2 waves, peak 2, at least 1 available |
"
`);
});

test('text of the input is escaped', () => {
  const comment = renderPlanMarkdown(
    planChange(
      [],
      [web('x', 'x')].map((object) => ({ ...object, metadata: { name: '</pre><b>|@team' } })),
    ),
  );
  expect(comment).not.toContain('<b>');
  expect(comment).not.toContain('@team');
});

describe('a chart of the waves, if rows count pods or groups', () => {
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
      .map((picture) => picture.split('\n').slice(2, 6));

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

  test('none for a StatefulSet, whose rows are ordinals', () => {
    const spec = (image: string) => ({
      replicas: 2,
      serviceName: 'web',
      selector: { matchLabels: { app: 'web' } },
      template: template(image),
    });
    expect(of('apps/v1', 'StatefulSet', spec)).toEqual([]);
  });
});

test('a message with two fixes is marked as the first', () => {
  const plan = planChange([], [web('a', 'web:2'), web('b', 'web:2')]);
  const down = { code: 'kubernetes/outage', severity: 'error', messageId: 'seen', data: {}, path: 'spec', message: 'It is down.' } as const;
  const render = (...fixes: readonly string[]) =>
    renderPlanMarkdown({
      ...plan,
      rollouts: plan.rollouts.map((rollout, index) => ({ ...rollout, findings: [{ ...down, help: fixes[index]! }] })),
    });
  expect(render('Write less.', 'Write more.')).toContain('2 times: the first: It is down.\n  <br>**fix:** Write less.');
  expect(render('Write less.', 'Write less.')).toContain('2 times: It is down.\n  <br>**fix:** Write less.');
});
