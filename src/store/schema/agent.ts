export interface AgentJobsTable {
  id: string
  project_id: string
  site_id: string
  status: 'active' | 'completed' | 'failed'
  /** Counts the times that the job was made active, from 1. */
  round: number
  message_count: number
  event_count: number
  repository: string
  ref: string
  branch: string
  model: string
  is_draft: number
  prompt: string
  title: string | null
  summary: string | null
  failure_code: string | null
  failure_message: string | null
  /** JSON object or null. */
  pull_request: string | null
  /** JSON arrays, these two. */
  instructions: string
  changes: string
  input_tokens: number
  output_tokens: number
  steps: number
  cost_usd: number | null
  attempt: number
  lease_owner: string | null
  lease_until: number | null
  idempotency_key: string | null
  request_hash: string | null
  created_at: number
  updated_at: number
  archived_at: number | null
  /** JSON array: the context repositories of the newest round; null before there were any. */
  contexts: string | null
}

export interface JobMessagesTable {
  job_id: string
  /** Counts from 1 within the job. */
  number: number
  round: number
  role: 'user' | 'assistant'
  text: string
  /** JSON array. */
  context: string
  created_at: number
}

export interface JobStepsTable {
  job_id: string
  round: number
  /** Counts from 0 within the round; step 0 is the beginning, before the model was called. */
  step: number
  /** JSON array: what the step added to the conversation. */
  transcript: string
  /** JSON object; only the newest step of a round has one. */
  checkpoint: string | null
  input_tokens: number
  output_tokens: number
  cost_usd: number | null
  created_at: number
}

export interface JobEventsTable {
  job_id: string
  /** Counts from 1 within the job, without a gap. */
  seq: number
  /** JSON object. */
  data: string
  created_at: number
}

/** Jobs that are made again and again. */
export interface AutomationsTable {
  id: string
  site_id: string
  name: string
  is_enabled: number
  prompt: string
  /** JSON object. */
  trigger: string
  open_max: number
  daily_max: number
  revision: string | null
  covered_revision: string | null
  version: number
  started: number
  due_at: number | null
  claimed_until: number | null
  failure: string | null
  created_at: number
  updated_at: number
}

/** Firings of automations. The row is the queue of what is to be done about it. */
export interface AutomationRunsTable {
  id: string
  automation_id: string
  occurrence: string
  cause: 'manual' | 'merge' | 'push' | 'schedule'
  from_revision: string | null
  to_revision: string | null
  state: 'queued' | 'started' | 'skipped' | 'failed'
  outcome: string | null
  job_id: string | null
  attempt: number
  run_at: number
  created_at: number
  finished_at: number | null
}
