import { getFieldsAt, getListAt, getValueAt, isFields, nameOf } from '../../../core/manifest/manifest';
import type { Fields, Manifest } from '../../../core/manifest/manifest';
import { memoizePerPlan } from '../../context/context';
import type { PlanContext } from '../../context/context';
import { CONTEXT_KINDS } from '../../kinds/context-kinds';

/** Provisioner of a class whose volumes are created by hand. */
const NO_PROVISIONER = 'kubernetes.io/no-provisioner';

const DEFAULT_CLASS_ANNOTATION = 'storageclass.kubernetes.io/is-default-class';

/**
 * Returns the terms of the nodes on which volumes of a class are provisioned. Returns undefined for a class without such terms.
 *
 * Source: k/k pkg/apis/core/v1/helper/helpers.go, `MatchTopologySelectorTerms`.
 */
function listClassTerms(storageClass: Manifest): readonly Fields[] | undefined {
  const topologies = getListAt(storageClass, 'allowedTopologies');
  if (topologies.length === 0 || storageClass.provisioner === NO_PROVISIONER) return undefined;
  return topologies.map((topology) => ({
    matchExpressions: getListAt(topology, 'matchLabelExpressions').map((expression) => ({
      key: getValueAt(expression, 'key'),
      operator: 'In',
      values: getListAt(expression, 'values'),
    })),
  }));
}

/** The terms of classes by name, without those of classes that have a free volume in the input, which may be on another node. */
const getClasses = memoizePerPlan((context) => {
  const free = new Set(
    context
      .all(CONTEXT_KINDS.persistentVolume)
      .filter((volume) => !isFields(getValueAt(volume, 'spec', 'claimRef')))
      .map((volume) => getValueAt(volume, 'spec', 'storageClassName')),
  );
  const classes = context.all(CONTEXT_KINDS.storageClass);
  const defaults = classes.filter((one) => getFieldsAt(one, 'metadata', 'annotations')[DEFAULT_CLASS_ANNOTATION] === 'true');
  const terms = new Map(
    classes
      .filter((one) => !free.has(nameOf(one)))
      .map((one): [unknown, readonly Fields[] | undefined] => [nameOf(one), listClassTerms(one)]),
  );
  return { terms, defaultName: defaults.length === 1 ? nameOf(defaults[0]!) : undefined };
});

/**
 * Lists what volumes that are provisioned for claims require of the nodes of their pods: alternative terms of node selectors, and all lists hold.
 * A claim with a selector only binds to volumes that exist.
 *
 * Source: k/k pkg/scheduler/framework/plugins/volumebinding/binder.go, `checkVolumeProvisions`.
 *
 * @param claims - specs of claims without a volume
 */
export function listProvisionedTerms(claims: readonly unknown[], context: PlanContext): readonly (readonly Fields[])[] {
  if (claims.length === 0) return [];
  const { terms, defaultName } = getClasses(context);
  const names = claims
    .filter((claim) => isFields(claim) && !isFields(claim.selector))
    .map((claim) => getValueAt(claim, 'storageClassName') ?? defaultName);
  return [...new Set(names)].flatMap((name) => {
    const ofClass = terms.get(name);
    return ofClass ? [ofClass] : [];
  });
}
