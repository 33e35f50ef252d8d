import { RolloutPlan } from 'rolloutkit';
import type { PlanDocument } from 'rolloutkit';
import { buildApp } from './every-construct-app';

/** Lists the codes of the findings that need an action. */
function listProblems({ findings, rollouts }: PlanDocument): string[] {
  return [...findings, ...rollouts.flatMap((rollout) => rollout.findings)]
    .filter(({ severity }) => severity !== 'info')
    .map(({ code, message }) => `${code}: ${message}`);
}

test('an app with every construct synthesizes, and its plan knows what they were given and warns about nothing that they write', () => {
  const app = buildApp();
  app.synthYaml();
  const { document } = RolloutPlan.of(app);

  expect(listProblems(document)).toEqual([]);
  expect(document.rollouts.map(({ resource, simulation }) => [`${resource.kind} ${resource.name}`, simulation?.kind]))
    .toMatchInlineSnapshot(`
[
  [
    "InferenceService iris",
    "deployment",
  ],
  [
    "InferenceService iris",
    "deployment",
  ],
  [
    "LLMInferenceService chat",
    "deployment",
  ],
  [
    "LeaderWorkerSet llama",
    "leaderworkerset",
  ],
  [
    "DisaggregatedSet split",
    "disaggregatedset",
  ],
  [
    "RayService llm",
    "rayservice",
  ],
  [
    "RayService staged-current",
    "rayservice",
  ],
  [
    "RayService staged-next",
    "rayservice",
  ],
  [
    "Bundle shop",
    "fleet",
  ],
  [
    "ApplicationSet shop",
    "rollingsync",
  ],
  [
    "Deployment apps-web-c88b6f29",
    "deployment",
  ],
  [
    "DaemonSet agent",
    undefined,
  ],
  [
    "StatefulSet db",
    "statefulset",
  ],
  [
    "ICP4ACluster baw",
    "deployment",
  ],
]
`);
  const iris = document.rollouts.find(({ resource }) => resource.name === 'iris' && resource.component === 'predictor')!;
  expect(iris.provenance.map(({ field, layer }) => [field, layer])).toMatchInlineSnapshot(`
[
  [
    "type",
    "kserve-default",
  ],
  [
    "maxSurge",
    "platform-config",
  ],
  [
    "maxUnavailable",
    "platform-config",
  ],
]
`);
});
