import { z } from 'zod'

const changeTypes = ['site-changed', 'sync-changed', 'job-changed', 'key-changed', 'conversation-added'] as const

/** What has changed, for those who have it on the screen: read it again. Ids alone, so that nothing can leak here. */
export const dashboardChangeSchema = z.object({
  type: z.enum(changeTypes),
  id: z.string().meta({ description: 'Of the site, the sync, the job, the key, or the thread.' }),
  siteId: z.string().exactOptional().meta({ description: 'Of syncs, jobs and conversations.' }),
})
export type DashboardChange = z.output<typeof dashboardChangeSchema>

/** `everything-changed`: events may have been missed, so that all that is shown must be read again. */
export const dashboardEventSchema = z.union([
  dashboardChangeSchema,
  z.object({ type: z.literal('everything-changed') }),
])
export type DashboardEvent = z.output<typeof dashboardEventSchema>

/** A comment, which every client of server-sent events skips. */
export const dashboardHeartbeat = ': ping\n\n'

/** `JSON.stringify` writes line ends as escapes, so that no id can end a frame. */
export function encodeDashboardEvent(event: DashboardEvent): string {
  return `data: ${JSON.stringify(event)}\n\n`
}
