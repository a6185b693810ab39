import { hash } from 'node:crypto'
import { z } from 'zod'
import type { IdSource } from '../base/ids.ts'
import { AppError, type ErrorDetail } from '../contract/app-error.ts'
import type { handOverCreateSchema, HandOverSaid } from '../contract/hand-over.ts'
import { type HandOverField, type HandOverSettings, handOverCharsMax } from '../contract/hand-over-settings.ts'
import { readSiteSettings } from '../contract/site-settings.ts'
import { listMessages } from '../store/answers/messages.ts'
import { getThread } from '../store/answers/threads.ts'
import type { HandOver } from '../store/hand-overs/hand-overs.ts'
import type { Site } from '../store/sites/sites.ts'
import type { Store } from '../store/store.ts'
import type { StoreDeps } from '../store/store-deps.ts'

export interface AcceptHandOverDeps extends StoreDeps {
  ids: IdSource
}

type Given = z.output<typeof handOverCreateSchema>

/** Bounds of the conversation that goes with a message. */
const messagesMax = 40
const messageCharsMax = 4_000

/** @throws {AppError} `not_found` if the site accepts no messages. */
export function requireHandOver(site: Pick<Site, 'settings'>): HandOverSettings {
  const { handOver } = readSiteSettings(site.settings)
  if (handOver !== null) return handOver
  throw new AppError(
    'not_found',
    'This site takes no messages. Its owner can turn that on in the settings of the site.',
  )
}

/**
 * Makes a message to store of what a reader sent, with the conversation if its key was sent too.
 *
 * @throws {AppError} `invalid_request` if a field is missing or too long.
 */
export async function makeHandOver(
  { store, clock, ids }: AcceptHandOverDeps,
  { site, settings, given }: { site: Pick<Site, 'id'>; settings: HandOverSettings; given: Given },
): Promise<HandOver> {
  const { requestId, page = null } = given
  requireFields(settings.fields, given.fields)
  const written = settings.fields.map((field) => ({
    ...field,
    value: cleanValue(field, given.fields[field.name] ?? ''),
  }))
  const transcript = await readTranscript(store, site.id, given)
  return {
    id: ids.prefixed('ho'),
    siteId: site.id,
    requestId,
    threadId: transcript.length > 0 ? (given.threadId ?? null) : null,
    page: page === null ? null : oneLine(page),
    fields: written.filter(({ value }) => value !== '').map(({ label, value }) => ({ label, value })),
    transcript,
    replyTo: written.find(({ kind, value }) => kind === 'email' && value !== '')?.value ?? null,
    state: 'new',
    createdAt: clock.now(),
  }
}

function requireFields(fields: readonly HandOverField[], values: Readonly<Record<string, string>>): void {
  const details: ErrorDetail[] = fields.flatMap((field) => {
    const message = findFault(field, cleanValue(field, values[field.name] ?? ''))
    return message === null ? [] : [{ path: `fields.${field.name}`, message }]
  })
  const [first] = details
  if (first !== undefined) throw new AppError('invalid_request', first.message, { details })
}

function findFault({ label, kind, required }: HandOverField, value: string): string | null {
  if (value === '') return required ? `${label} is missing. Fill it in.` : null
  const max = handOverCharsMax[kind]
  if (value.length > max) return `${label} has more than ${max.toLocaleString('en')} characters. Shorten it.`
  const isAddress = kind !== 'email' || z.email().safeParse(value).success
  return isAddress ? null : `${label} is not an e-mail address. Correct it.`
}

function cleanValue({ kind }: HandOverField, value: string): string {
  return kind === 'paragraphs' ? value.trim() : oneLine(value)
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** Without the key of the thread, anybody who learns its id could have it sent to an address of theirs. */
async function readTranscript(
  { durable: db }: Store,
  siteId: string,
  { threadId, threadKey }: Given,
): Promise<HandOverSaid[]> {
  if (threadId == null || threadKey == null) return []
  const thread = await getThread(db, siteId, threadId)
  if (thread?.keyHash !== hash('sha256', threadKey)) return []
  const { items } = await listMessages(db, siteId, threadId, { limit: messagesMax })
  return items.map(({ role, text }) => ({ role, text: text.slice(0, messageCharsMax).toWellFormed() }))
}
