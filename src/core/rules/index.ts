import type { AnyRule } from '../findings/finding';
import { duplicateKey } from './duplicate-key';
import { duplicateResource } from './duplicate-resource';
import { empty } from './empty';
import { helmTemplate } from './helm-template';
import { ignoreWithoutReason } from './ignore-without-reason';
import { kustomization } from './kustomization';
import { notAsPlanned } from './not-as-planned';
import { notRead } from './not-read';
import { notRendered } from './not-rendered';
import { placeholder } from './placeholder';
import { skipped } from './skipped';
import { template } from './template';
import { testExpectation } from './test-expectation';
import { unknownField } from './unknown-field';
import { unknownVersion } from './unknown-version';
import { unreadable } from './unreadable';
import { wrongType } from './wrong-type';

/** Rules about the input itself, for every system. */
export const INPUT_RULES: readonly AnyRule[] = [
  duplicateKey,
  duplicateResource,
  empty,
  helmTemplate,
  ignoreWithoutReason,
  kustomization,
  notAsPlanned,
  notRead,
  notRendered,
  placeholder,
  skipped,
  template,
  testExpectation,
  unknownField,
  unknownVersion,
  unreadable,
  wrongType,
];
