import { checkPodTemplates } from '../../../src/cluster/pods/check-pod-templates';
import type { LocatedTemplate } from '../../../src/cluster/rollout/located-template';
import type { PlanContext } from '../../../src/cluster/context/context';
import type { ExhaustiveFindings } from '../../../src/cluster/rollout/exhaustive-findings';
import { toFieldPath } from '../../../src/core/manifest/field-path';
import type { Finding } from '../../../src/core/findings/finding';

const PATH = toFieldPath`spec.template.spec`;

/** A template with one finding of each rule about pods. */
const TEMPLATE: LocatedTemplate = {
  template: {},
  podPath: PATH,
  containers: [{ value: { name: 'app', ports: [{ containerPort: 80 }] }, path: toFieldPath`${PATH}.containers[0]` }],
  metadata: [{ value: { annotations: { 'rolloutkit/startup-seconds': 'soon' } }, path: toFieldPath`spec.template.metadata` }],
  awaitsReadiness: true,
};

const STARTUP = 'input/wrong-type';
const PROBE = 'kubernetes/no-readiness-probe';
const OUTAGE = 'kubernetes/outage';
const DEADLINE = 'kubernetes/progress-deadline-too-short';
const HPA = 'kubernetes/hpa-owns-replicas';
const OWNER = 'kubernetes/foreign-owner';

/** Returns the codes of a rollout whose kind reports these codes, in order. */
function codesOf(kind: 'workload' | 'groups' | 'clusters', codes: readonly string[], templates: readonly LocatedTemplate[] = [TEMPLATE]) {
  const kindFindings = codes.map((code) => ({ code }) as Finding) as readonly Finding[] as ExhaustiveFindings;
  return checkPodTemplates(kind, templates, kindFindings, {} as PlanContext).map(({ code }) => code);
}

test('findings about pods have their place among those of a workload', () => {
  expect(codesOf('workload', [OUTAGE, DEADLINE, HPA, OWNER])).toEqual([OUTAGE, STARTUP, DEADLINE, HPA, PROBE, OWNER]);
  expect(codesOf('workload', [OUTAGE, HPA])).toEqual([OUTAGE, STARTUP, HPA, PROBE]);
  expect(codesOf('workload', [OWNER])).toEqual([STARTUP, PROBE, OWNER]);
  expect(codesOf('workload', [])).toEqual([STARTUP, PROBE]);
});

test('findings about pods have their place among those of groups, and are last for clusters', () => {
  expect(codesOf('groups', ['lws/outage', HPA, OWNER])).toEqual(['lws/outage', STARTUP, HPA, OWNER, PROBE]);
  expect(codesOf('clusters', [OUTAGE])).toEqual([OUTAGE, STARTUP, PROBE]);
});

test('each rule reports all templates, and none that another object contains', () => {
  expect(codesOf('groups', [HPA], [TEMPLATE, TEMPLATE])).toEqual([STARTUP, STARTUP, HPA, PROBE, PROBE]);
  const sourceObject = { apiVersion: 'apps/v1', kind: 'Deployment' };
  expect(codesOf('workload', [HPA], [{ ...TEMPLATE, sourceObject }])).toEqual([HPA]);
});
