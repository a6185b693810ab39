import type { WebhookEventType } from '../../contract/webhooks.ts'
import { boolean, childOf, id, integer, items, nullable, object, table, text, time } from './define-table.ts'
import { queueColumns, queueIndex } from './queue-columns.ts'

export const webhookTables = {
  /** What hosts of repositories told. The row is the queue of what is to be done about it. */
  webhookDeliveries: table(
    {
      id: id(),
      /** Whose hook it is: of a site, or of an App. */
      hook: text(),
      /** As the sender names the delivery. */
      deliveryId: text(),
      organizationId: childOf('organizations.id'),
      /** Null for a hook that is not of one site. */
      siteId: nullable(childOf('sites.id')),
      event: object<object>(),
      state: text<'queued' | 'done' | 'ignored' | 'failed'>(),
      /** A sentence. */
      outcome: nullable(text()),
      ...queueColumns(),
      receivedAt: time(),
      finishedAt: nullable(time()),
    },
    {
      unique: ['hook', 'deliveryId'],
      indexes: {
        due: queueIndex,
        bySite: ['siteId', 'id'],
        byTime: ['receivedAt'],
      },
    },
  ),
  /** Comments that asked for something, and the comment that answers each. */
  commentAnswers: table(
    {
      id: id(),
      siteId: childOf('sites.id'),
      /** As the host names it. */
      commentId: text(),
      jobId: childOf('agentJobs.id'),
      /** As the host names it. */
      pullRequestId: text(),
      /** The comment of ours; null until it is there. */
      answerId: nullable(text()),
      state: text<'queued' | 'working' | 'ended'>(),
      ...queueColumns(),
      createdAt: time(),
    },
    {
      unique: ['siteId', 'commentId'],
      indexes: { due: queueIndex, byJob: ['jobId'] },
    },
  ),
  /** Addresses that are told what happens. */
  webhookEndpoints: table(
    {
      id: id(),
      organizationId: childOf('organizations.id'),
      name: text(),
      url: text(),
      events: items<WebhookEventType>(),
      secretSealed: text(),
      isEnabled: boolean(),
      /** A sentence, for one that was switched off by the service. */
      disabledReason: nullable(text()),
      /** When the first of the tries failed after which none has succeeded. */
      failingSince: nullable(time()),
      createdAt: time(),
    },
    { indexes: { byOrganization: ['organizationId', 'id'] } },
  ),
  /** What happened, as it is told. */
  webhookEvents: table(
    {
      id: id(),
      organizationId: childOf('organizations.id'),
      type: text(),
      /** JSON, byte for byte as it is sent. */
      body: text(),
      createdAt: time(),
    },
    { indexes: { byTime: ['createdAt'], byOrganization: ['organizationId'] } },
  ),
  /** An event and an endpoint that is to know of it. The row is the queue. */
  webhookSends: table(
    {
      id: id(),
      endpointId: childOf('webhookEndpoints.id'),
      eventId: childOf('webhookEvents.id'),
      state: text<'queued' | 'succeeded' | 'failed'>(),
      ...queueColumns(),
      /** Attempts to send since it was last queued. */
      tries: integer(),
      /** Of the newest try, these five. */
      status: nullable(integer()),
      durationMs: nullable(integer()),
      failure: nullable(text()),
      reply: nullable(text()),
      createdAt: time(),
      triedAt: nullable(time()),
    },
    {
      unique: ['eventId', 'endpointId'],
      indexes: { due: queueIndex, byEndpoint: ['endpointId', 'id'] },
    },
  ),
}
