import { sampleOf } from '../setup/recording-step';
import { compareEndpointChange, ENDPOINT_CHANGES } from './endpoint-changes';

test('plans the Services of 2,400 recorded changes as the controllers and kube-proxy had them', () => {
  const compared = sampleOf(ENDPOINT_CHANGES);
  const different = compared
    .map((change) => ({ change, ...compareEndpointChange(change) }))
    .filter(({ ours, upstream }) => JSON.stringify(ours) !== JSON.stringify(upstream));
  expect(different).toEqual([]);
  expect(ENDPOINT_CHANGES).toHaveLength(2400);
});
