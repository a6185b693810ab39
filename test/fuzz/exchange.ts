import { Agent, request } from 'node:http'
import { errorStatus } from '../../src/server/replies/error-status.ts'
import { z } from 'zod'
import { errorBodySchema } from '../../src/contract/error-body.ts'
import { isOpenAiPath, openAiErrorSchema } from '../../src/contract/openai-error.ts'

export interface HttpInput {
  method: string
  /** With the query, escaped. */
  path: string
  headers: Readonly<Record<string, string>>
  body?: string | Uint8Array | undefined
}

export interface HttpReply {
  status: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: string
}

/** No answer of a service whose model is offline takes as long, also where ten programs share two processors. */
const replyMsMax = 120_000
/** What is read of one reply; streams that go on are left then. */
const replyCharsMax = 4_000_000

const connections = new Agent({ keepAlive: true, maxSockets: 8 })

/** Sends one request over a real socket. A stream that has no end by itself is left once its head is there. */
export function exchange(url: string, input: HttpInput, isEndless = false): Promise<HttpReply> {
  const { method, path, headers, body } = input
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const sent = request({ agent: connections, hostname, port, method, path, headers }, (reply) => {
      let text = ''
      const end = () => {
        clearTimeout(timer)
        resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body: text })
      }
      const isStream = String(reply.headers['content-type']).startsWith('text/event-stream')
      reply.setEncoding('utf8')
      reply.on('data', (chunk: string) => {
        text += chunk
        if ((isEndless && isStream) || text.length > replyCharsMax) reply.destroy()
      })
      reply.on('close', end)
      reply.on('error', () => {})
      if (isEndless && isStream) reply.destroy()
    })
    const timer = setTimeout(() => {
      reject(new Error(`No reply after ${replyMsMax / 1_000} seconds.`))
      sent.destroy()
    }, replyMsMax)
    sent.on('error', (error) => {
      clearTimeout(timer)
      // The service ends idle connections; one that was just about to be used again was none of its faults.
      if (sent.reusedSocket && 'code' in error && error.code === 'ECONNRESET') {
        resolve(exchange(url, input, isEndless))
        return
      }
      reject(new Error(`The connection broke: ${error.message}`))
    })
    sent.end(body)
  })
}

export function closeConnections(): void {
  connections.destroy()
}

/**
 * Refuses a reply that breaks a promise: one of a fault of ours, an error without the body of the contract, or one of
 * `/discovery` that a browser could not read.
 *
 * @throws {Error} whose message says what is wrong.
 */
export function judgeReply({ method, path }: Pick<HttpInput, 'method' | 'path'>, reply: HttpReply): void {
  const { status, headers, body } = reply
  if (status === 0 || status === 500 || status === 501) throw new Error(`Status ${status}: ${body.slice(0, 300)}`)
  const isPage = String(headers['content-type']).startsWith('text/html')
  // Probes are told the reasons in a body of their own.
  if (path.startsWith('/readyz') && status === 503) return
  // Errors of MCP are those of its own protocol.
  const isProtocol = path.startsWith('/sites/') && body.startsWith('{"jsonrpc"')
  const judge = isOpenAiPath(new URL(path, 'http://service').pathname) ? judgeOpenAiError : judgeErrorBody
  if (status >= 400 && !isPage && !isProtocol && method !== 'HEAD') judge(status, headers, body)
  if (path.startsWith('/discovery/') && headers['access-control-allow-origin'] === undefined) {
    throw new Error(`Status ${status} without headers of CORS.`)
  }
  const isLeaking = /\bat \S+ \(?(?:file:|\/)\S+:\d+:\d+\)?|node_modules\/|SQLITE_|sqlite3?_/.test(body)
  if (isLeaking && status >= 400) throw new Error(`Tells of its inside: ${body.slice(0, 300)}`)
}

function judgeOpenAiError(status: number, _headers: HttpReply['headers'], body: string): void {
  const parsed = z.strictObject({ error: openAiErrorSchema.shape.error.strict() }).safeParse(tryParse(body))
  if (!parsed.success) throw new Error(`Status ${status} without the body of OpenAI: ${body.slice(0, 300)}`)
  // The code of any error of the contract; codes are plain texts here.
  const { code, message } = parsed.data.error
  if (Object.entries(errorStatus).every(([known, of]) => known !== code || of !== status)) {
    throw new Error(`Status ${status} with the code ${code}.`)
  }
  if (message === '') throw new Error('The message is empty.')
}

function judgeErrorBody(status: number, headers: HttpReply['headers'], body: string): void {
  const parsed = errorBodySchema.strict().safeParse(tryParse(body))
  if (!parsed.success) throw new Error(`Status ${status} without the body of the contract: ${body.slice(0, 300)}`)
  const { code, requestId, error, message, details } = parsed.data
  if (errorStatus[code] !== status) throw new Error(`Status ${status} with the code ${code}.`)
  if (headers['x-request-id'] !== requestId) throw new Error('The request id of the body is not that of the header.')
  if (error !== message || error === '') throw new Error('The sentence is not there twice.')
  if (details !== undefined && status !== 400) throw new Error(`Status ${status} with details.`)
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
