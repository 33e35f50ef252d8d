/** A terminal or a CI log never interprets the text of a prop or a name as a command, whatever fails the synth. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { InferenceServiceRollout, KServePlatformConfig } from 'rolloutkit';
import { RolloutValidation } from '../../src/constructs/validation-plugin';
import type { RolloutViolation } from '../../src/constructs/validation-plugin';
import { errorOf, synthError, withoutPlaces } from './synth-error';
import { model } from '../builders/served-model';
import { folderWith } from '../folder';

const HOSTILE = 'x\n::error::y ##vso[task] \u202e\u2800';

test('props of a construct', () => {
  const said = synthError((chart) => {
    new InferenceServiceRollout(chart, 'iris', { predictor: { model, minReplicas: HOSTILE as never } });
    new InferenceServiceRollout(chart, 'rose', { predictor: { model, [HOSTILE]: 1 } as never });
  });
  expect(withoutPlaces(said)).toMatchInlineSnapshot(`
"Validation failed with the following errors:
  [shop/iris] [input/wrong-type] predictor.minReplicas: minReplicas is "x\\n::error::y \\u0023#vso[task] \\u202e\\u2800", but the API requires a whole number here and refuses the entire object. Write a whole number.
  [shop/rose] predictor["x\\n::error::y \\u0023#vso[task] \\u202e\\u2800"] is not a prop; leave it out, or put it into predictor.others, which is written to the object unchanged"
`);
});

test.each<[string, () => unknown]>([
  ['a platform level', () => KServePlatformConfig.of({ defaultRollout: { mode: HOSTILE as never } })],
  [
    'the ConfigMap of a platform',
    () => KServePlatformConfig.fromConfigMap({ data: { deploy: `{"defaultDeploymentMode": ${JSON.stringify(HOSTILE)}}` } }),
  ],
])('%s, which is created before any construct', (_, make) => {
  const said = errorOf(make);
  expect(said).toContain('::error::');
  expect(said).not.toMatch(/^ *::|##(?:vso)?\[|[\u202e\u2800]/m);
});

test('an object that the validation plugin reads', async () => {
  const folder = folderWith({});
  const file = path.join(folder.path, `${HOSTILE.replaceAll('/', '')}.json`);
  const spec = { [HOSTILE]: 1, strategy: { type: HOSTILE }, selector: {}, template: {} };
  writeFileSync(file, JSON.stringify({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: HOSTILE, namespace: HOSTILE }, spec }));
  const violations: RolloutViolation[] = [];
  const report = { addViolation: (violation: RolloutViolation) => void violations.push(violation), submit: () => undefined };
  await new RolloutValidation({ failOn: 'info' }).validate({ manifests: [file], report });
  folder.remove();
  const texts = violations.flatMap(({ recommendation, fix, violatingResources: [resource] }) => [
    recommendation,
    fix,
    resource!.resourceName,
    ...resource!.locations,
    resource!.manifestPath,
  ]);
  expect(texts.filter((text) => text.includes('error::')).length).toBeGreaterThan(3);
  expect(texts.filter((text) => /^ *::|##(?:vso)?\[|[\n\u202e\u2800]/m.test(text))).toEqual([]);
});
