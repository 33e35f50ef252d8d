/** Text of a prop or a name is never taken for a command by a terminal or a log of CI, whatever fails the synth. */
import { InferenceServiceRollout, KServePlatformConfig } from 'rolloutkit';
import { errorOf, synthError, withoutPlaces } from './synth-error';

const HOSTILE = 'x\n::error::y ##vso[task] \u202e\u2800';
const model = { modelFormat: { name: 'sklearn' } };

test('props of a construct', () => {
  const said = synthError((chart) => {
    new InferenceServiceRollout(chart, 'iris', { predictor: { model, minReplicas: HOSTILE as never } });
    new InferenceServiceRollout(chart, 'rose', { predictor: { model, [HOSTILE]: 1 } as never });
  });
  expect(withoutPlaces(said)).toMatchInlineSnapshot(`
"Validation failed with the following errors:
  [shop/iris] [input/wrong-type] predictor.minReplicas: minReplicas is "x\\n::error::y \\u0023#vso[task] \\u202e\\u2800", but the API wants a whole number here and refuses the whole object. Write a whole number.
  [shop/rose] predictor["x\\n::error::y \\u0023#vso[task] \\u202e\\u2800"] is no prop; leave it out, or write it into predictor.others, whose fields are written as they are"
`);
});

test.each<[string, () => unknown]>([
  ['a platform level', () => KServePlatformConfig.of({ defaultRollout: { mode: HOSTILE as never } })],
  [
    'the ConfigMap of a platform',
    () => KServePlatformConfig.fromConfigMap({ data: { deploy: `{"defaultDeploymentMode": ${JSON.stringify(HOSTILE)}}` } }),
  ],
])('%s, which is made before any construct', (_, make) => {
  const said = errorOf(make);
  expect(said).toContain('::error::');
  expect(said).not.toMatch(/^ *::|##(?:vso)?\[|[\u202e\u2800]/m);
});
