import type { WebhookEventType } from '../../contract/webhooks.ts'
import { boolean, childOf, id, integer, items, nullable, object, table, text, time } from './define-table.ts'
import { queueColumns, queueIndex } from './queue-columns.ts'

export const webhookTables = {
  /** Deliveries from code hosts. The row is the queue entry. */
  webhookDeliveries: table(
    {
      id: id(),
      /** `site:ID` or `app:ID`; the scope in which delivery ids are unique. */
      hook: text(),
      /** The id assigned by the sender. */
      deliveryId: text(),
      organizationId: childOf('organizations.id'),
      /** Null for App hooks. */
      siteId: nullable(childOf('sites.id')),
      event: object<object>(),
      state: text<'queued' | 'done' | 'ignored' | 'failed'>(),
      /** A sentence; null until the first attempt. */
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
  /** Comments addressed to the agent, and its replies. */
  commentAnswers: table(
    {
      id: id(),
      siteId: childOf('sites.id'),
      /** The host's id. */
      commentId: text(),
      jobId: childOf('agentJobs.id'),
      /** The host's id. */
      pullRequestId: text(),
      /** The reply's id on the host; null until it is posted. */
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
  /** Receivers of outbound webhooks. */
  webhookEndpoints: table(
    {
      id: id(),
      organizationId: childOf('organizations.id'),
      /** Display name. */
      name: text(),
      url: text(),
      events: items<WebhookEventType>(),
      /** Sealed by `sealSecret`; the signing secret. */
      secretSealed: text(),
      isEnabled: boolean(),
      /** A sentence, if the service disabled it. */
      disabledReason: nullable(text()),
      /** Start of the current run of failures. */
      failingSince: nullable(time()),
      createdAt: time(),
    },
    { indexes: { byOrganization: ['organizationId', 'id'] } },
  ),
  /** Outbound events. */
  webhookEvents: table(
    {
      id: id(),
      organizationId: childOf('organizations.id'),
      type: text(),
      /** JSON, byte for byte as sent. */
      body: text(),
      createdAt: time(),
    },
    { indexes: { byTime: ['createdAt'], byOrganization: ['organizationId'] } },
  ),
  /** Deliveries of events to endpoints. The row is the queue entry. */
  webhookSends: table(
    {
      id: id(),
      endpointId: childOf('webhookEndpoints.id'),
      eventId: childOf('webhookEvents.id'),
      /** `failed`: retried only on request. */
      state: text<'queued' | 'succeeded' | 'failed'>(),
      ...queueColumns(),
      /** Requests since a person last queued it. */
      tries: integer(),
      /** The newest attempt, like the next four fields. */
      status: nullable(integer()),
      durationMs: nullable(integer()),
      failure: nullable(text()),
      /** Beginning of the response body. */
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
