import type { ReadRayService } from '../ray-service';
import type { OnRefusal } from '../versions';

/** Which KubeRay refuses a spec, and what it does then. */
export interface Refusal {
  /** Of KubeRay. */
  readonly version: string;
  readonly onRefusal: OnRefusal;
}

/** How the operator refuses a service, as data of a finding. */
export function refusalOf({ version, behaviour }: ReadRayService): Refusal {
  return { version, onRefusal: behaviour.onRefusal };
}

/** A refusal, for the samples of messages. */
export const SAMPLE_REFUSAL: Refusal = { version: '1.7', onRefusal: 'condition' };

const OUTCOMES: Readonly<Record<OnRefusal, string>> = {
  retries: 'it logs the error, tries again for ever and changes nothing',
  condition: 'it sets the condition Ready=False with reason ValidationFailed and changes nothing',
};

/**
 * A sentence on a spec that the operator refuses. It checks at reconcile, so `kubectl apply` never shows it.
 *
 * @param words in which the operator says so, without the prefix "The RayService spec is invalid: "
 */
export function operatorRefuses({ version, onRefusal }: Refusal, words?: string): string {
  const quoted = words === undefined ? '' : ` ("${words}")`;
  return `KubeRay ${version} refuses the spec${quoted}: ${OUTCOMES[onRefusal]}.`;
}

/** A sentence on an object that the API server refuses, by the rules of the CRD. */
export const API_SERVER_REFUSES = 'The API server refuses the object.';
