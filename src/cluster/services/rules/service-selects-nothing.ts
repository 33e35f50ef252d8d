import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding, Source } from '../../../core/findings/finding';
import { findClosestName } from '../../../core/errors/did-you-mean';
import { toFieldPath } from '../../../core/manifest/field-path';
import { describeObject, nameOf } from '../../../core/manifest/manifest';
import type { Fields, Manifest } from '../../../core/manifest/manifest';
import { labelsOf, selectorOf } from '../endpoints';
import { renderServiceExample } from './examples';
import { toSafeText } from '../../../core/text/value-text';

interface NothingData {
  /** The Service: `Service shop/api`. */
  readonly service: string;
}

interface NearMissData extends NothingData {
  /** Object whose pods it nearly selects: `Deployment shop/api`. */
  readonly workload: string;
  /** Key of the label that differs. */
  readonly key: string;
  /** Value that the Service selects. */
  readonly selected: string;
  /** Value of the pods. @default - they do not have the label */
  readonly value?: string;
}

/** Reports Services that select no pods. */
export const serviceSelectsNothing = defineRule({
  code: 'kubernetes/service-selects-nothing',
  since: '0.1.0',
  severity: ['warning', 'info'],
  fires: 'A Service selects no pods of the input, although its namespace has workloads.',
  why:
    'A selector matches pods that have all of its labels. If no pod has them, the Service exists without endpoints, and connections to it are refused. ' +
    'It is a warning if the pods of a workload differ in one label only, which is probably a mistake. Otherwise it is an info, because the pods may be defined elsewhere. ' +
    'The rule is silent if an object that is not planned may have such pods.',
  fix: 'Select labels that the pod template has.',
  example: renderServiceExample('  selector: { app: shop, component: apis }\n  ports: [{ port: 80, targetPort: http }]'),
  fixedExample: renderServiceExample('  selector: { app: shop, component: api }\n  ports: [{ port: 80, targetPort: http }]'),
  messages: {
    nearMiss: defineMessage<NearMissData>({
      text: ({ service, workload, key, selected, value }) =>
        `${service} selects nothing here: it selects ${key}=${selected}, and the pods of ${workload}, which has all other labels, ` +
        `${value === undefined ? `have no label ${key}` : `have ${key}=${value}`}.`,
      help: ({ key, selected, value }) =>
        value === undefined
          ? `Add the label ${key}=${selected} to the pod template, or remove it from the selector.`
          : `Select ${key}=${value}.`,
      sample: { service: 'Service shop/api', workload: 'Deployment shop/api', key: 'component', selected: 'apis', value: 'api' },
      variants: [{ service: 'Service shop/api', workload: 'Deployment shop/api', key: 'version', selected: 'v2' }],
    }),
    nothing: defineMessage<NothingData>({
      text: ({ service }) => `${service} selects nothing here.`,
      help: () => 'Nothing needs to be done if its pods are defined elsewhere. Otherwise select labels that a pod template has.',
      sample: { service: 'Service shop/api' },
    }),
  },
});

/** Labels that many workloads have alike, so that they do not identify one. */
const COMMON_LABELS: ReadonlySet<string> = new Set([
  'app.kubernetes.io/instance',
  'app.kubernetes.io/managed-by',
  'app.kubernetes.io/part-of',
  'app.kubernetes.io/version',
  'chart',
  'environment',
  'env',
  'heritage',
  'release',
  'tier',
  'version',
]);

/** An object with a pod template, or a Pod. */
export interface TemplateOwner {
  readonly object: Manifest;
  readonly template: Fields;
}

/** Returns the only label of a selector that a template lacks, if all others match. */
function findOnlyDifference(selector: Fields, template: Fields): readonly [key: string, value: unknown] | undefined {
  const labels = labelsOf(template);
  const differences = Object.entries(selector).filter(([key, value]) => labels[key] !== value);
  return differences.length === 1 ? differences[0] : undefined;
}

/** Reports whether a Service probably means an object from which it differs in one label. */
function isProbablyMeant(service: Manifest, selector: Fields, { object, template }: TemplateOwner, key: string): boolean {
  const value = labelsOf(template)[key];
  if (nameOf(object) === nameOf(service)) return true;
  if (typeof value === 'string' && findClosestName(toSafeText(selector[key]), [value]) !== undefined) return true;
  return Object.keys(selector).some((other) => other !== key && !COMMON_LABELS.has(other));
}

/**
 * Reports a Service that selects nothing.
 *
 * @param owners objects of its namespace whose pods may differ from its selector in one label
 */
export function reportServiceSelectsNothing(
  service: Manifest,
  owners: readonly TemplateOwner[],
  locate: (object: object, path: string) => Source | undefined,
): Finding[] {
  const selector = selectorOf(service);
  if (selector === undefined) return [];
  const misses = owners.flatMap((owner) => {
    const difference = findOnlyDifference(selector, owner.template);
    return difference && isProbablyMeant(service, selector, owner, difference[0]) ? [{ owner, difference }] : [];
  });
  const nearest = misses.find(({ owner }) => nameOf(owner.object) === nameOf(service)) ?? misses[0];
  const path = toFieldPath`spec.selector`;
  const source = locate(service, path);
  const occurrence = { path, ...(source && { source }) };
  if (!nearest)
    return [
      serviceSelectsNothing.createFinding('nothing', { ...occurrence, severity: 'info', data: { service: describeObject(service) } }),
    ];
  const [key, selected] = nearest.difference;
  const value = labelsOf(nearest.owner.template)[key];
  const data = {
    service: describeObject(service),
    workload: describeObject(nearest.owner.object),
    key,
    selected: toSafeText(selected),
    ...(typeof value === 'string' && { value }),
  };
  return [serviceSelectsNothing.createFinding('nearMiss', { ...occurrence, data })];
}
