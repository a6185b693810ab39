import { z } from 'zod'

const changeTypes = ['site-changed', 'sync-changed', 'job-changed', 'key-changed', 'conversation-added'] as const

/** Tells dashboards what to reload. Contains ids only, so that it can leak nothing. */
export const dashboardChangeSchema = z.object({
  type: z.enum(changeTypes),
  id: z.string().meta({ description: 'Id of the site, sync, job, key or thread.' }),
  siteId: z.string().exactOptional().meta({ description: 'Site of a sync, job or thread.' }),
})
export type DashboardChange = z.output<typeof dashboardChangeSchema>

/** `everything-changed`: events may have been missed, so reload everything on screen. */
export const dashboardEventSchema = z.union([
  dashboardChangeSchema,
  z.object({ type: z.literal('everything-changed') }),
])
export type DashboardEvent = z.output<typeof dashboardEventSchema>

/** A comment, which clients of server-sent events ignore. */
export const dashboardHeartbeat = ': ping\n\n'

/** `JSON.stringify` escapes line breaks, so that an id cannot end a frame. */
export function encodeDashboardEvent(event: DashboardEvent): string {
  return `data: ${JSON.stringify(event)}\n\n`
}
