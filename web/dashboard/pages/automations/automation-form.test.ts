import { expect, it } from 'vitest'
import type { AutomationResource } from '../../../../src/contract/automations.ts'
import { describeTrigger, emptyAutomationForm, readAutomationForm, toAutomationForm } from './automation-form.ts'

const automation: AutomationResource = {
  id: 'automation_1',
  siteId: 'site_1',
  name: 'Links',
  prompt: 'Fix all broken links.',
  trigger: { type: 'schedule', cron: '0 7 * * *', timeZone: 'Europe/Vienna' },
  openPullRequestsMax: 2,
  runsPerDayMax: 3,
  enabled: false,
  nextRunAt: null,
  failure: null,
  createdAt: '2026-11-21T00:00:00.000Z',
  updatedAt: '2026-11-21T00:00:00.000Z',
}

it('gives back what was there when nothing was changed', () => {
  const { name, prompt, trigger, openPullRequestsMax, runsPerDayMax, enabled } = automation

  expect(readAutomationForm(toAutomationForm(automation, 'UTC'))).toEqual({
    site: 'site_1',
    name,
    prompt,
    trigger,
    openPullRequestsMax,
    runsPerDayMax,
    enabled,
  })
})

it('sends of a trigger what it has, and says what makes it run', () => {
  const form = emptyAutomationForm('site_1', 'UTC')

  const triggers = (['manual', 'schedule', 'push', 'merge'] as const).map(
    (trigger) => readAutomationForm({ ...form, trigger, repository: 'code' }).trigger,
  )

  expect(triggers).toEqual([
    { type: 'manual' },
    { type: 'schedule', cron: '0 6 * * 1-5', timeZone: 'UTC' },
    { type: 'push' },
    { type: 'merge', repository: 'code' },
  ])
  expect(triggers.map(describeTrigger)).toEqual([
    'manually',
    '0 6 * * 1-5 (UTC)',
    'the site’s branch changes',
    'code changes',
  ])
})
