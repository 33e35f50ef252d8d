import type * as pulumi from '@pulumi/pulumi';
import { run, valueOf } from './program';
import type { ProgramRun } from './program';

/** Exports of the example: its stack outputs. */
interface Outputs {
  readonly plans: Readonly<Record<string, pulumi.Output<unknown>>>;
  readonly llmPeakPercent: pulumi.Output<number>;
  readonly stages: number;
}

describe('examples/pulumi, run as an update of the stack', () => {
  let outputs: Outputs;
  let done: ProgramRun;
  beforeAll(async () => {
    done = await run(
      () => {
        outputs = jest.requireActual<Outputs>('../../examples/pulumi');
      },
      { preview: false },
    );
  });

  test('registers the resources of five systems', () => {
    expect(done.resources.map(({ urn }) => urn).toSorted()).toMatchSnapshot();
  });

  test('registers each with its inputs, dependencies and ignored changes', () => {
    for (const resource of done.resources) expect(resource).toMatchSnapshot(resource.urn);
  });

  test('registers every object below a component', () => {
    const objects = done.resources.filter(({ type }) => type.startsWith('kubernetes:'));
    expect(objects.filter(({ urn }) => !urn.includes('$kubernetes:')).map(({ urn }) => urn)).toEqual([]);
    expect(new Set(done.resources.map(({ urn }) => urn)).size).toBe(done.resources.length);
  });

  test('shows the plans as stack outputs', async () => {
    const plans = await Promise.all(Object.entries(outputs.plans).map(async ([name, summary]) => [name, await valueOf(summary)]));

    expect(Object.fromEntries(plans)).toMatchInlineSnapshot(`
{
  "baw": {
    "errors": 0,
    "infos": 0,
    "notPlanned": 0,
    "rollouts": 1,
    "suppressed": 0,
    "warnings": 0,
  },
  "databases": {
    "errors": 0,
    "infos": 0,
    "notPlanned": 0,
    "rollouts": 1,
    "suppressed": 0,
    "warnings": 0,
  },
  "iris": {
    "errors": 0,
    "infos": 0,
    "notPlanned": 0,
    "rollouts": 2,
    "suppressed": 0,
    "warnings": 0,
  },
  "llm": {
    "errors": 0,
    "infos": 0,
    "notPlanned": 0,
    "rollouts": 1,
    "suppressed": 0,
    "warnings": 0,
  },
  "services": {
    "errors": 0,
    "infos": 0,
    "notPlanned": 0,
    "rollouts": 2,
    "suppressed": 1,
    "warnings": 0,
  },
  "shop": {
    "errors": 0,
    "infos": 0,
    "notPlanned": 0,
    "rollouts": 1,
    "suppressed": 0,
    "warnings": 0,
  },
}
`);
    expect(await valueOf(outputs.llmPeakPercent)).toBe(120);
    expect(outputs.stages).toBeGreaterThan(10);
  });

  test('logs findings, by component', () => {
    expect(done.logged.map((line) => line.slice(0, line.indexOf(']') + 1)).toSorted()).toMatchInlineSnapshot(`[]`);
  });
});
