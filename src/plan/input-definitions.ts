import { createRefusedObjectFinding } from '../cluster/rules/refused-object';
import type { ApplyRejection } from '../core/document/change';
import { ROOT_PATH } from '../core/manifest/field-path';
import type { FieldPath } from '../core/manifest/field-path';
import type { Finding } from '../core/findings/finding';
import { addToGroup, groupBy } from '../core/collections/group-by';
import { isDeepEqual } from '../core/collections/deep-equal';
import { nameOf } from '../core/manifest/manifest';
import type { Manifest } from '../core/manifest/manifest';
import { createCrdAdmission } from '../crds/admission';
import { checkCustomResources } from '../crds/check-custom-resources';
import { CrdRegistry, isCustomResourceDefinition } from '../crds/crd-registry';
import { findCostlyRule, findCrdSchemaProblem } from '../crds/invalid-schema';
import { isCostReported } from '../crds/rules/rule-not-evaluated';
import { listPrunedFields } from '../crds/unknown-fields';
import { ValidationClock } from '../crds/validation-clock';
import type { InputDefinitions, PlanInput } from './plan-input';
import { omitReported } from './reported-problems';

/** Checks an object as a server does that has the CRDs of a part of the input. */
type Admission = ReturnType<typeof createCrdAdmission>;

type InputWithDefinitions = Pick<PlanInput, 'objects' | 'textOf' | 'locate'>;

/**
 * The CRDs that the input itself contains. The apply brings them, so they decide about its custom resources, also if a change alters both.
 * Copies of a CRD that differ are for several clusters: an object is checked with the one of its own unit only.
 */
class CrdsOfInput implements InputDefinitions {
  private readonly definitions: readonly Manifest[];
  /** CRDs that the API server refuses, and why. They define nothing. */
  private readonly refusals: ReadonlyMap<Manifest, ApplyRejection>;
  /** Names of CRDs whose copies are all equal. */
  private readonly uniqueNames: ReadonlySet<string>;
  private readonly registries = new Map<string, CrdRegistry>();
  /** One for all units, so that many of them do not take longer. */
  private readonly clock: ValidationClock;
  private readonly admissions = new Map<string, Admission>();

  constructor(
    all: readonly Manifest[],
    private readonly input: InputWithDefinitions,
    private readonly kubernetesVersion: string,
    seconds: number,
    oldObjects: readonly Manifest[],
  ) {
    this.clock = new ValidationClock(seconds);
    const olds = groupBy(oldObjects.filter(isCustomResourceDefinition), nameOf);
    this.refusals = new Map(
      all.flatMap((crd) => {
        const problem = findCrdSchemaProblem(crd);
        const refusal =
          problem === undefined ? findCostlyRule(crd, kubernetesVersion, olds.get(nameOf(crd)) ?? []) : { path: '', message: problem };
        return refusal ? [[crd, refusal]] : [];
      }),
    );
    this.definitions = all.filter((crd) => !this.refusals.has(crd));
    this.uniqueNames = new Set(
      [...groupBy(this.definitions, nameOf)].flatMap(([name, [first, ...copies]]) =>
        copies.every((copy) => isDeepEqual(copy.spec, first!.spec)) ? [name] : [],
      ),
    );
  }

  private unitOf(object: Manifest): string {
    return this.input.textOf?.(object)?.unit?.id ?? '';
  }

  private registryOf(unit: string): CrdRegistry {
    const known = this.registries.get(unit);
    if (known) return known;
    const isVisible = (crd: Manifest) => this.uniqueNames.has(nameOf(crd)) || this.unitOf(crd) === unit;
    const registry = new CrdRegistry(this.definitions.filter(isVisible), this.kubernetesVersion, true);
    this.registries.set(unit, registry);
    return registry;
  }

  refuse(object: Manifest, stored: Manifest, old: Manifest | undefined): ApplyRejection | undefined {
    const refusal = this.refusals.get(object);
    if (refusal) return refusal;
    if (this.definitions.length === 0) return undefined;
    const unit = this.unitOf(object);
    const admission = this.admissions.get(unit) ?? createCrdAdmission(this.registryOf(unit), this.clock);
    this.admissions.set(unit, admission);
    return admission(stored, old);
  }

  listUnknownFields(object: Manifest, value = object): readonly FieldPath[] | undefined {
    return listPrunedFields(value, this.registryOf(this.unitOf(object)));
  }

  check(isOldKnown: boolean, reported: readonly Finding[]): Finding[] {
    const locate = this.input.locate ?? (() => undefined);
    const refused = [...this.refusals].flatMap(([crd, refusal]) =>
      isCostReported(crd, refusal, reported) ? [] : [createRefusedObjectFinding(crd, refusal, locate(crd, refusal.path || ROOT_PATH))],
    );
    const byUnit = new Map<string, Manifest[]>();
    for (const object of this.input.objects) if (!isCustomResourceDefinition(object)) addToGroup(byUnit, this.unitOf(object), object);
    const found = [...byUnit].flatMap(([unit, objects]) => {
      const registry = this.registryOf(unit);
      const defined = objects.filter((object) => registry.definesKind(object));
      return checkCustomResources(defined, registry, locate, isOldKnown, this.clock);
    });
    return omitReported([...refused, ...found], reported);
  }
}

/**
 * Returns the CRDs that the input itself contains; undefined if it contains none.
 *
 * @param oldObjects - the objects that exist before a change
 *
 * @throws DeadlineError if checking their schemas takes too long
 */
export function readInputDefinitions(
  input: InputWithDefinitions,
  kubernetesVersion: string,
  seconds: number,
  oldObjects: readonly Manifest[] = [],
): InputDefinitions | undefined {
  const all = input.objects.filter(isCustomResourceDefinition);
  return all.length === 0 ? undefined : new CrdsOfInput(all, input, kubernetesVersion, seconds, oldObjects);
}
