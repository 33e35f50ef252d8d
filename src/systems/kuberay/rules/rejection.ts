import type { ParsedRayService } from '../ray-service';
import type { RejectionHandling } from '../versions';

/** Which KubeRay refuses a spec, and what it does then. */
export interface OperatorRejection {
  /** Of KubeRay. */
  readonly version: string;
  readonly onRefusal: RejectionHandling;
}

/** How the operator refuses a service, as data of a finding. */
export function operatorRejectionOf({ version, behaviour }: ParsedRayService): OperatorRejection {
  return { version, onRefusal: behaviour.onRefusal };
}

/** A refusal, for the samples of messages. */
export const SAMPLE_REJECTION: OperatorRejection = { version: '1.7', onRefusal: 'condition' };

const REJECTION_OUTCOMES: Readonly<Record<RejectionHandling, string>> = {
  retries: 'it logs the error, tries again for ever and changes nothing',
  condition: 'it sets the condition Ready=False with reason ValidationFailed and changes nothing',
};

/**
 * A sentence on a spec that the operator refuses. It checks at reconcile, so `kubectl apply` never shows it.
 *
 * @param words in which the operator says so, without the prefix "The RayService spec is invalid: "
 */
export function formatOperatorRejection({ version, onRefusal }: OperatorRejection, reason?: string): string {
  const quoted = reason === undefined ? '' : ` ("${reason}")`;
  return `KubeRay ${version} refuses the spec${quoted}: ${REJECTION_OUTCOMES[onRefusal]}.`;
}

/** A sentence on an object that the API server refuses, by the rules of the CRD. */
export const API_SERVER_REJECTION_TEXT = 'The API server refuses the object.';
