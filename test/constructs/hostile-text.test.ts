/** A terminal or a CI log never interprets the text of a prop or a name as a command, whatever fails the synth. */
import { InferenceServiceRollout, KServePlatformConfig } from 'rolloutkit';
import { errorOf, synthError, withoutPlaces } from './synth-error';
import { model } from '../builders/served-model';

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
