import { engineScript } from '../../playground/build';
import { loadScripts } from './scripts';

const WEB = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: "web:1" }] }
`;

test('a text that takes more than ten seconds to plan ends with a finding, because it blocks the tab', async () => {
  let milliseconds = 0;
  // Each look at the clock takes four seconds.
  const performance = { now: () => (milliseconds += 4_000) };
  const { engine } = loadScripts([await engineScript()], performance);
  const files = [{ name: 'web.yaml', text: WEB }];
  for (const input of [{ files }, { files, from: files }]) {
    const { plan } = engine.planTyped(input);
    expect(plan.findings.filter(({ messageId }) => messageId === 'overBudget').map(({ data }) => data)).toEqual([
      { limit: 10, omittedOutput: { budget: 'seconds' } },
    ]);
  }
}, 60_000);
