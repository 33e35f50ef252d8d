import type { ParsedRayService } from '../ray-service';
import type { RejectionHandling } from '../versions';

/** The KubeRay version that refuses a spec, and what it does then. */
export interface OperatorRejection {
  /** KubeRay version. */
  readonly version: string;
  readonly onRefusal: RejectionHandling;
}

/** Returns how the operator refuses a service, as finding data. */
export function operatorRejectionOf({ version, behaviour }: ParsedRayService): OperatorRejection {
  return { version, onRefusal: behaviour.onRefusal };
}

/** Sample refusal for message samples. */
export const SAMPLE_REJECTION: OperatorRejection = { version: '1.7', onRefusal: 'condition' };

const REJECTION_OUTCOMES: Readonly<Record<RejectionHandling, string>> = {
  retries: 'it logs the error, retries forever and changes nothing',
  condition: 'it sets the condition Ready=False with reason ValidationFailed and changes nothing',
};

/**
 * Formats a sentence about a spec that the operator refuses. The operator checks at reconcile, so `kubectl apply` never shows the error.
 *
 * @param reason the operator's message, without the prefix "The RayService spec is invalid: "
 */
export function formatOperatorRejection({ version, onRefusal }: OperatorRejection, reason?: string): string {
  const quoted = reason === undefined ? '' : ` ("${reason}")`;
  return `KubeRay ${version} refuses the spec${quoted}: ${REJECTION_OUTCOMES[onRefusal]}.`;
}

/** Sentence about an object that the API server refuses because of the CRD's validation. */
export const API_SERVER_REJECTION_TEXT = 'The API server refuses the object.';
