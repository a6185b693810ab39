import { z } from 'zod'
import { timestamp } from './timestamp.ts'

/** To whom the weekly digest of a site goes besides webhooks and chats. */
export const digestSettingsSchema = z
  .strictObject({
    emails: z
      .array(z.email().max(254))
      .max(5)
      .meta({ description: 'Recipients by e-mail. Needs `DOCENT_SMTP_URL` and `DOCENT_MAIL_FROM`.' }),
  })
  .meta({ id: 'DigestSettings' })

const suiteCount = z.object({ passed: z.int(), total: z.int() })

/** What happened on a site in a week. */
export const weeklyDigestSchema = z.object({
  siteId: z.string(),
  slug: z.string(),
  name: z.string(),
  /** Monday, 00:00 UTC. */
  from: timestamp(),
  to: timestamp(),
  questions: z.object({
    asked: z.int(),
    unanswered: z.int(),
    askedBefore: z.int().meta({ description: 'In the week before.' }),
    unansweredBefore: z.int(),
  }),
  gaps: z.object({
    open: z.int(),
    top: z
      .array(z.object({ question: z.string(), count: z.int() }))
      .meta({ description: 'Most asked first, at most 5.' }),
  }),
  better: z.object({
    gapsClosed: z.int(),
    jobsMerged: z.int().meta({ description: "The agent's pull requests that were merged." }),
    suite: z
      .object({ now: suiteCount, before: suiteCount.nullable() })
      .nullable()
      .meta({ description: 'Tests that pass at the end of this week and the previous one; null without tests.' }),
  }),
  drifted: z.object({
    found: z.int().meta({ description: 'Statements found to be outdated this week, and still open.' }),
    open: z.int(),
    top: z.array(z.object({ page: z.string(), title: z.string() })).meta({ description: 'The newest, at most 5.' }),
  }),
})

export type WeeklyDigest = z.output<typeof weeklyDigestSchema>
