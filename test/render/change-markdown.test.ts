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
