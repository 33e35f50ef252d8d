import { Construct } from 'constructs';
import { isSure } from '../core/is-sure';

export function isConstruct(given: unknown): boolean {
  return isSure(() => Construct.isConstruct(given));
}
