/** What hosts of repositories told. The row is the queue of what is to be done about it. */
export interface WebhookDeliveriesTable {
  id: string
  /** Whose hook it is: of a site, or of an App. */
  source: string
  /** As the sender names the delivery. */
  delivery_id: string
  organization_id: string
  /** Null for a hook that is not of one site. */
  site_id: string | null
  /** JSON object. */
  event: string
  state: 'queued' | 'done' | 'ignored' | 'failed'
  /** A sentence. */
  outcome: string | null
  attempt: number
  /** Nobody takes it before; while it is worked on, when the claim lapses. */
  run_at: number
  received_at: number
  finished_at: number | null
}

/** Addresses that are told what happens. */
export interface WebhookEndpointsTable {
  id: string
  organization_id: string
  name: string
  url: string
  /** JSON array of strings. */
  events: string
  secret_sealed: string
  is_enabled: number
  /** A sentence, for one that was switched off by the service. */
  disabled_reason: string | null
  /** When the first of the tries failed after which none has succeeded. */
  failing_since: number | null
  created_at: number
}

/** What happened, as it is told. */
export interface WebhookEventsTable {
  id: string
  organization_id: string
  type: string
  /** JSON, byte for byte as it is sent. */
  body: string
  created_at: number
}

/** An event and an endpoint that is to know of it. The row is the queue. */
export interface WebhookSendsTable {
  id: string
  endpoint_id: string
  event_id: string
  state: 'queued' | 'succeeded' | 'failed'
  /** Counts the claims. */
  attempt: number
  /** Counts what was sent since it was last queued by somebody. */
  tries: number
  run_at: number
  /** Of the newest try, these five. */
  status: number | null
  duration_ms: number | null
  failure: string | null
  reply: string | null
  tried_at: number | null
  created_at: number
}
