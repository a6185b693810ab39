import { assistantKey, type Docent } from './start-docent.ts'

const chatPath = '/discovery/v2/assistant/docs/message'

interface ChatOptions {
  fp?: string
  headers?: Record<string, string>
}

/** Asks as the AI SDK does: with the id of its chat. */
export function askInChat(docent: Docent, chatId: string, { fp = 'reader', headers = {} }: ChatOptions = {}) {
  const messages = [{ role: 'user', parts: [{ type: 'text', text: 'What is Kiosk?' }] }]
  return docent.post(chatPath, { id: chatId, trigger: 'submit-message', fp, messages }, headers)
}

export function resumeChat(docent: Docent, chatId: string, headers: Record<string, string> = {}) {
  const url = `${docent.url}${chatPath}/${encodeURIComponent(chatId)}/stream`
  return fetch(url, { headers: { authorization: `Bearer ${assistantKey}`, ...headers } })
}

/** Stops without a body, as the path takes none. */
export async function stopChat(docent: Docent, chatId: string, headers: Record<string, string> = {}): Promise<unknown> {
  const response = await fetch(`${docent.url}${chatPath}/${encodeURIComponent(chatId)}/stop`, {
    method: 'POST',
    headers: { authorization: `Bearer ${assistantKey}`, ...headers },
  })
  return response.json()
}

/** Reads a reply until its text holds a word, and gives what was read. The rest can be read, or cut off by `cut`. */
export async function readUntil(response: Response, word: string) {
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  if (reader === undefined) throw new Error(`The reply has the status ${response.status} and no body.`)
  let text = ''
  const readMore = async () => {
    const { value } = await reader.read()
    text += decoder.decode(value, { stream: value !== undefined })
    return value !== undefined
  }
  while (!text.includes(word)) if (!(await readMore())) throw new Error(`It ended without ${word}: ${text}`)
  const readRest = async () => {
    while (await readMore()) continue
    return text
  }
  return { text, readRest, cut: () => reader.cancel() }
}

/** What the text parts of a stream say. Heartbeats are no part of it. */
export function saidIn(stream: string): string {
  return [...stream.matchAll(/^data: (\{"type":"text-delta".*\})$/gm)]
    .map(([, json]) => (JSON.parse(json ?? '') as { delta: string }).delta) // Every such frame has one.
    .join('')
}

/** The frames without the heartbeats, which come by the clock. */
export function framesOf(stream: string): string[] {
  return stream.split('\n\n').filter((frame) => frame.startsWith('data: '))
}
