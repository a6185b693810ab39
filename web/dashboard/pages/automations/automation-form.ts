import type {
  AutomationCreate,
  AutomationResource,
  AutomationTriggerInput,
} from '../../../../src/contract/automations.ts'

/** What stands in the fields of an automation. */
export interface AutomationForm {
  name: string
  siteId: string
  prompt: string
  trigger: AutomationTriggerInput['type']
  cron: string
  timeZone: string
  /** The context repository of a merge. */
  repository: string
  openPullRequestsMax: string
  runsPerDayMax: string
  isEnabled: boolean
}

export const triggerOptions = [
  { value: 'manual', label: 'By hand only' },
  { value: 'schedule', label: 'At certain times' },
  { value: 'push', label: 'When the branch of the site has moved' },
  { value: 'merge', label: 'When another repository has changed' },
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

/** @param timeZone For schedules that the automation does not have yet. */
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

/** Bounds are the service's, which says what is wrong. */
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

/** What makes it run, in a few words. */
export function describeTrigger(trigger: AutomationTriggerInput): string {
  switch (trigger.type) {
    case 'manual':
      return 'by hand'
    case 'schedule':
      return `${trigger.cron} (${trigger.timeZone})`
    case 'push':
      return 'the branch of the site moves'
    case 'merge':
      return `${trigger.repository} changes`
  }
}
