import type {
  AutomationCreate,
  AutomationResource,
  AutomationTriggerInput,
} from '../../../../src/contract/automations.ts'
import { say } from '../../../words/say.ts'

/** Values of the form. */
export interface AutomationForm {
  name: string
  siteId: string
  prompt: string
  trigger: AutomationTriggerInput['type']
  cron: string
  timeZone: string
  /** Context repository of the merge trigger. */
  repository: string
  openPullRequestsMax: string
  runsPerDayMax: string
  isEnabled: boolean
}

export const triggerOptions = [
  { value: 'manual', label: say('Manually') },
  { value: 'schedule', label: say('On a schedule') },
  { value: 'push', label: say('When the site’s branch changes') },
  { value: 'merge', label: say('When another repository changes') },
] as const

export function emptyAutomationForm(siteId: string, timeZone: string): AutomationForm {
  return {
    name: '',
    siteId,
    prompt: '',
    trigger: 'manual',
    cron: '0 6 * * 1-5',
    timeZone,
    repository: '',
    openPullRequestsMax: '1',
    runsPerDayMax: '10',
    isEnabled: true,
  }
}

/** @param timeZone Default for automations without a schedule. */
export function toAutomationForm(automation: AutomationResource, timeZone: string): AutomationForm {
  const { trigger } = automation
  return {
    ...emptyAutomationForm(automation.siteId, timeZone),
    name: automation.name,
    prompt: automation.prompt,
    trigger: trigger.type,
    ...(trigger.type === 'schedule' && { cron: trigger.cron, timeZone: trigger.timeZone }),
    ...(trigger.type === 'merge' && { repository: trigger.repository }),
    openPullRequestsMax: String(automation.openPullRequestsMax),
    runsPerDayMax: String(automation.runsPerDayMax),
    isEnabled: automation.enabled,
  }
}

/** Does not check bounds: the service does, and reports errors. */
export function readAutomationForm(form: AutomationForm): AutomationCreate {
  return {
    site: form.siteId,
    name: form.name,
    prompt: form.prompt,
    trigger: readTrigger(form),
    openPullRequestsMax: Number(form.openPullRequestsMax),
    runsPerDayMax: Number(form.runsPerDayMax),
    enabled: form.isEnabled,
  }
}

function readTrigger({ trigger, cron, timeZone, repository }: AutomationForm): AutomationTriggerInput {
  if (trigger === 'schedule') return { type: trigger, cron, timeZone }
  if (trigger === 'merge') return { type: trigger, repository }
  return { type: trigger }
}

/** Short label for a trigger. */
export function describeTrigger(trigger: AutomationTriggerInput): string {
  switch (trigger.type) {
    case 'manual':
      return 'manually'
    case 'schedule':
      return `${trigger.cron} (${trigger.timeZone})`
    case 'push':
      return say('the site’s branch changes')
    case 'merge':
      return say('{repository} changes', { repository: trigger.repository })
  }
}
