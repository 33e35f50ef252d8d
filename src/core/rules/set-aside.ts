import type { Finding } from '../findings/finding';
import { empty } from './empty';
import { mayChartDiffer } from './helm-template';
import { kustomization } from './kustomization';
import { notRead } from './not-read';
import { notRendered } from './not-rendered';
import { placeholder } from './placeholder';
import { template } from './template';
import { unreadable } from './unreadable';

const UNREAD_RULES = [empty, notRendered, unreadable];
const SET_ASIDE_RULES = [...UNREAD_RULES, notRead, template, kustomization, placeholder];

/** Reports whether a finding is an error about input that cannot be read, and not suppressed. */
export function isUnreadError(finding: Finding): boolean {
  return UNREAD_RULES.some((rule) => rule.matches(finding)) && finding.severity === 'error' && !finding.suppressed;
}

/** Reports whether a finding is about input that is set aside or left open although it is no such error, so that it may differ. */
export function isAboutSetAside(finding: Finding): boolean {
  return (SET_ASIDE_RULES.some((rule) => rule.matches(finding)) || mayChartDiffer(finding)) && !isUnreadError(finding);
}
