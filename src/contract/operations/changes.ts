import { defineOperations } from './operation.ts'

// Apart from the other operations of the service, whose schemas no page needs at its start.

export const serviceTag = {
  name: 'Operations',
  description: 'Health, queues and errors of the service, for probes and operators.',
}

export const changeOperations = defineOperations(serviceTag, {
  followChanges: {
    method: 'get',
    path: '/admin/v1/events',
    summary: 'Stream changes',
    description:
      'Server-sent events for dashboards: changes to sites, syncs, jobs, keys and threads, such as `{ "type": "site-changed", "id": "…" }`. Events contain only ids. `everything-changed` comes first, and again whenever events may have been missed: reload everything on screen. The stream ends after ten minutes; reconnect then.',
    access: 'viewer',
    replies: { 200: { description: 'The events.', text: ['text/event-stream'] } },
    errors: [429],
  },
})
