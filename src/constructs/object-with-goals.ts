import type { ApiObject } from 'cdk8s';
import type { Construct, IConstruct } from 'constructs';
import type { Finding } from '../core/findings/finding';
import type { Manifest } from '../core/manifest/manifest';
import type { PlanDocument } from '../core/document/plan-document';
import { locateGoalOrigins, mergeGoalOrigins } from '../props/goal-origin';
import type { GoalOrigin } from '../props/goal-origin';
import type { SurroundingsReader } from '../props/goals';
import type { RememberedContext } from '../props/plan-memory';
import type { PropPaths } from '../props/prop-paths';
import type { PropsShape } from '../props/validate-props';
import { findPodErrorsOf, recordContext } from './app-memory';
import { failSynthOnDuplicates } from './name-conflicts';
import { listSurroundings } from './surroundings';
import { failSynthOnErrors, failSynthOnPatchErrors } from './synth-errors';
import type { Patchable } from './synth-errors';
import { createApiObject, failSynthOnInvalidMetadata, planConstruct, tryCreate, validateConstructProps } from './validate-props';

/** A kind of object whose rollout may be a goal. */
export interface KindWithGoals<Props> {
  readonly typeMeta: Pick<Manifest, 'apiVersion' | 'kind'>;
  readonly shape: PropsShape;
  readonly propPaths: PropPaths;
  /** Builds the object, with the strategy of each goal. */
  build(
    id: string,
    props: Props,
    surroundings: SurroundingsReader,
  ): { readonly manifest: Manifest; readonly origins: readonly GoalOrigin[] };
  /** Plans the object for the versions in the props. */
  plan(objects: readonly Manifest[], props: Partial<Props>): PlanDocument;
  /** Returns the versions for the plan of the app. */
  versionsOf(props: Partial<Props>): RememberedContext['versions'];
}

/** The object of a construct, and its plan. */
export interface PlannedObject {
  readonly apiObject: ApiObject;
  readonly findings: readonly Finding[];
  /** Plans the object with its patches. */
  readonly plan: () => PlanDocument;
}

const OBJECTS = new WeakMap<IConstruct, Pick<PlannedObject, 'apiObject' | 'plan'>>();

const PATCHABLE: Patchable<IConstruct> = {
  objects: (construct) => [OBJECTS.get(construct)!.apiObject],
  plan: (construct) => OBJECTS.get(construct)!.plan(),
};

/** Creates the only object of a construct from its props. Everything that is refused in it, or later in its patches, fails the synth. */
export function createObjectWithGoals<Props extends object>(
  construct: Construct,
  id: string,
  input: Props,
  kind: KindWithGoals<Props>,
): PlannedObject {
  const props = validateConstructProps(construct, input, kind.shape);
  const known: Partial<Props> = props ?? {};
  let origins: readonly GoalOrigin[] = [];
  const apiObject = createApiObject(construct, kind.typeMeta, props, (usable) => {
    const built = kind.build(id, usable, () => listSurroundings(construct));
    origins = built.origins;
    return built.manifest;
  });
  const locateGoals = () => locateGoalOrigins(apiObject.toJson() as Manifest, origins);
  const plan = () => planConstruct(construct, () => mergeGoalOrigins(kind.plan([apiObject.toJson() as Manifest], known), locateGoals()));
  OBJECTS.set(construct, { apiObject, plan });
  const findings = tryCreate(
    construct,
    () => [],
    () => plan().rollouts.flatMap((rollout) => rollout.findings),
  );
  recordContext(
    construct,
    { versions: kind.versionsOf(known) },
    { goals: locateGoals, findings: () => findPodErrorsOf(construct, [apiObject]) },
  );
  failSynthOnDuplicates(construct);
  failSynthOnErrors(construct, findings, () => kind.propPaths);
  failSynthOnInvalidMetadata(construct, [apiObject], findings);
  failSynthOnPatchErrors(construct, findings, PATCHABLE);
  return { apiObject, findings, plan };
}
