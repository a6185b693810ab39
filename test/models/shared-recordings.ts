import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Protocol, readEvents } from './protocols.ts'
import type { Reply } from './recorded-server.ts'

/** Recordings of real providers, optional and outside the repository. */
const folder = process.env['DOCENT_TEST_RECORDINGS'] ?? join(import.meta.dirname, '../../../shared/recorded')

export interface SharedRecording {
  name: string
  file: string
}

export function listSharedRecordings({ sharedRecordings }: Protocol): SharedRecording[] {
  const own = join(folder, sharedRecordings)
  const files = existsSync(own) ? readdirSync(own) : []
  return files.map((file) => ({ name: `${sharedRecordings}/${file}`, file: join(own, file) }))
}

/** A file of its own kind is a refusal, by its status; all others are streams. */
export function readSharedReply(file: string): Reply {
  if (!file.endsWith('.json')) return { type: 'stream', events: readEvents(file) }
  return { type: 'status', status: 429, body: readFileSync(file, 'utf8') }
}
