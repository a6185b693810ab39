import { z } from 'zod'
import { pageOf } from './page-of.ts'
import { timestamp } from './timestamp.ts'

/** Most characters of an automation's prompt, which values are later inserted into. */
const promptCharsMax = 16_000

const manual = z.object({ type: z.literal('manual') })
const schedule = z.object({
  type: z.literal('schedule'),
  cron: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .meta({ description: 'Minute, hour, day of month, month and day of week, such as `0 6 * * 1-5`.' }),
  timeZone: z.string().min(1).max(100).default('UTC').meta({ description: 'IANA time zone, such as `Europe/Vienna`.' }),
})
const push = z.object({ type: z.literal('push') })
const merge = z.object({
  type: z.literal('merge'),
  repository: z.string().min(1).max(200).meta({ description: 'Name or id of a context repository of the site.' }),
})

/** What triggers an automation. */
export const automationTriggerSchema = z.discriminatedUnion('type', [manual, schedule, push, merge]).meta({
  id: 'AutomationTrigger',
  description:
    "`push`: the site's branch changed. `merge`: the branch of a context repository changed. `manual`: only on request.",
})
export type AutomationTriggerInput = z.output<typeof automationTriggerSchema>

const name = z.string().trim().min(1).max(200).meta({ description: 'Display name.' })
const prompt = z.string().trim().min(1).max(promptCharsMax).meta({
  description:
    'What the agent should do. `{{repository}}`, `{{branch}}` and `{{date}}` are filled in, and for `push` and `merge` also `{{commits}}`, `{{files}}`, `{{from}}` and `{{to}}`; quoted, as data.',
})
const openPullRequestsMax = z
  .number()
  .int()
  .min(1)
  .max(20)
  .meta({ description: 'Maximum number of open pull requests; further runs continue the newest one.' })
const runsPerDayMax = z
  .number()
  .int()
  .min(1)
  .max(100)
  .meta({ description: 'Maximum number of runs per UTC day that start a job.' })
const enabled = z
  .boolean()
  .meta({ description: 'Whether the trigger is active. A disabled automation can still be run manually.' })

export const automationCreateSchema = z
  .object({
    site: z.string().min(1).max(200).meta({ description: 'Id or slug of the site it edits.' }),
    name,
    prompt,
    trigger: automationTriggerSchema,
    openPullRequestsMax: openPullRequestsMax.default(1),
    runsPerDayMax: runsPerDayMax.default(10),
    enabled: enabled.default(true),
  })
  .meta({ id: 'AutomationCreate' })
export type AutomationCreate = z.output<typeof automationCreateSchema>

export const automationUpdateSchema = z
  .object({ name, prompt, trigger: automationTriggerSchema, openPullRequestsMax, runsPerDayMax, enabled })
  .partial()
  .meta({ id: 'AutomationUpdate' })
export type AutomationUpdate = z.output<typeof automationUpdateSchema>

export const automationSchema = z
  .object({
    id: z.string(),
    siteId: z.string(),
    name: z.string(),
    prompt: z.string(),
    trigger: automationTriggerSchema,
    openPullRequestsMax: z.number().int(),
    runsPerDayMax: z.number().int(),
    enabled: z.boolean(),
    nextRunAt: timestamp().nullable().meta({ description: 'Time of the next scheduled run; null without a schedule.' }),
    failure: z.string().nullable().meta({ description: 'Why the last check of its branch failed.' }),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  })
  .meta({ id: 'Automation' })
export type AutomationResource = z.output<typeof automationSchema>

export const automationListSchema = pageOf(automationSchema, 'AutomationList')

export const automationRunSchema = z
  .object({
    id: z.string(),
    automationId: z.string(),
    cause: z.enum(['manual', 'merge', 'push', 'schedule']),
    state: z
      .enum(['queued', 'started', 'skipped', 'failed'])
      .meta({ description: '`started`: it started a job, or sent a message to one.' }),
    outcome: z.string().nullable().meta({ description: 'The result, in a sentence.' }),
    jobId: z.string().nullable(),
    from: z.string().nullable().meta({ description: 'The previous commit of the branch.' }),
    to: z.string().nullable(),
    createdAt: timestamp(),
    finishedAt: timestamp().nullable(),
  })
  .meta({ id: 'AutomationRun' })
export type AutomationRunResource = z.output<typeof automationRunSchema>

export const automationRunListSchema = pageOf(automationRunSchema, 'AutomationRunList')
