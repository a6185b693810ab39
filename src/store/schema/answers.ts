export interface ThreadsTable {
  site_id: string
  id: string
  key_hash: string
  fp: string
  created_at: number
  updated_at: number
}

export interface MessagesTable {
  id: string
  site_id: string
  thread_id: string
  role: 'user' | 'assistant'
  text: string
  /** JSON array. */
  sources: string
  verdict: string | null
  generation_id: string | null
  model: string | null
  /** JSON objects or null, these two. */
  usage: string | null
  timings: string | null
  cost_usd: number | null
  /** JSON array of strings, or null. */
  verdict_reasons: string | null
  /** Of questions: the same for the same question at the same place of a thread. */
  turn_key: string | null
  /** Of answers. */
  question_id: string | null
  /** The answer that stands instead of this one. */
  replaced_by: string | null
  /** Of answers, these six: who asked, and about what. */
  caller: string | null
  key_id: string | null
  version: string | null
  language: string | null
  current_path: string | null
  /** JSON array of strings. */
  tried_paths: string | null
  created_at: number
}

/** What a chat of a client is resumed by: its newest answer, and who may see it. One row per key and chat id. */
export interface StreamChatsTable {
  key_id: string
  chat_id: string
  address: string
  fp: string
  /** Set once another address or `fp` has used the chat id; never taken back while the row lives. */
  is_shared: number
  /** The newest answer; ids sort by time. */
  stream_id: string
  /** JSON: the reader groups that the answer was made for. */
  audience: string
  /** The last sign of life of the process that writes the answer. */
  alive_at: number
  /** Null while the answer runs. */
  kept_until: number | null
  /** When another process last read the answer for a client. */
  read_at: number
  /** The answer that a client wants stopped. */
  stop_id: string | null
}

/** The text of answers, as it goes over the wire, in pieces. */
export interface StreamEventsTable {
  stream_id: string
  seq: number
  key_id: string
  chat_id: string
  text: string
  is_last: number
}

export interface FeedbackTable {
  id: string
  site_id: string
  thread_id: string
  message_id: string
  fp: string
  is_helpful: number
  reason: string | null
  note: string | null
  created_at: number
  updated_at: number
}

/** What the documentation lacks, named by the first question that showed it. */
export interface GapsTable {
  id: string
  site_id: string
  question_id: string
  state: 'open' | 'drafted' | 'mended'
  job_id: string | null
  /** JSON array: what was answered when its questions were asked again. */
  answers: string
  created_at: number
  updated_at: number
}
