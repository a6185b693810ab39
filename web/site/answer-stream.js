import { readEvents } from './read-events.js'

/** The page's session, once requested. */
let session = null

/**
 * Asks the assistant and streams the events of its answer.
 *
 * @param {{ site: string, key: string, messages: object[], threadId: string | null, currentPath: string, links?:
 *   string, signal: AbortSignal }} question
 * @returns {AsyncGenerator<{ type: string, [field: string]: unknown }>} Events of the UI message stream.
 * @throws {AskError} if the question is refused.
 */
export async function* streamAnswer({ site, key, messages, threadId, currentPath, links, signal }) {
  const body = JSON.stringify({ fp: 'anonymous', messages, threadId, currentPath: currentPath.slice(0, 200), links })
  let response = await post({ site, key, body, signal })
  if (await needsSession(response)) {
    // Loaded on demand: most sites require no sessions.
    const { getSession } = await import('./session.js')
    session = await getSession((body) => openSession({ site, key, signal }, body), signal)
    response = await post({ site, key, body, signal })
  }
  if (!response.ok) throw await readRefusal(response)
  const threadOfAnswer = response.headers.get('X-Thread-Id')
  if (threadOfAnswer) yield { type: 'thread', threadId: decodeURIComponent(threadOfAnswer) }
  yield* readEvents(response.body)
}

async function openSession({ site, key, signal }, body) {
  const path = `session/${encodeURIComponent(site)}`
  const response = await send(path, { key, body: JSON.stringify(body), signal })
  if (!response.ok) throw await readRefusal(response)
  return response.json()
}

function post({ site, key, body, signal }) {
  return send(`assistant/${encodeURIComponent(site)}/message`, { key, body, signal })
}

function send(path, { key, body, signal }) {
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${key}`, 'X-Docent-Client': 'page' }
  if (session !== null) headers['X-Docent-Session'] = session
  return fetch(`/discovery/v2/${path}`, { method: 'POST', headers, body, signal })
}

/** Also true if the session has expired, or more is required now. */
async function needsSession(response) {
  if (response.status !== 403) return false
  const { code } = await response.clone().json()
  return code === 'session_required'
}

export class AskError extends Error {
  /** @param {string} message @param {boolean} isKeyRefused */
  constructor(message, isKeyRefused) {
    super(message)
    this.isKeyRefused = isKeyRefused
  }
}

async function readRefusal(response) {
  const body = await response.json().catch(() => ({}))
  const message = typeof body.error === 'string' ? body.error : `The server answered with status ${response.status}.`
  return new AskError(message, response.status === 401 || response.status === 403 || body.code === 'site_not_found')
}
