import { compareEndpointChange, ENDPOINT_CHANGES } from './endpoint-changes';

/** Every 24th change of the recording; `endpoint-changes.long.test.ts` compares all. */
const SAMPLE = ENDPOINT_CHANGES.filter((_, index) => index % 24 === 0);

test('plans the Services of 100 recorded changes as the controllers and kube-proxy had them', () => {
  const compared = SAMPLE.map(compareEndpointChange);
  expect(compared.map(({ ours }) => ours)).toEqual(compared.map(({ upstream }) => upstream));
  expect(SAMPLE).toHaveLength(100);
});
