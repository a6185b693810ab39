import type { ServerResponse } from 'node:http'
import { uiMessageHeartbeat, uiMessageStreamHeaders } from '../../contract/ui-message-stream.ts'
import type { StartCountdown } from './countdown.ts'
import { ResponseWriter } from './response-writer.ts'
import type { StreamLog } from './stream-log.ts'

export interface StreamLogReply {
  log: StreamLog
  /** Headers in addition to the format's. */
  headers: Readonly<Record<string, string>>
  startCountdown: StartCountdown
}

/**
 * Replies with the whole text of a log. A slow reader delays only itself, because the text is stored anyway.
 *
 * @param response Must be untouched; ended when the promise resolves. Never rejects.
 */
export async function writeStreamLog(
  response: ServerResponse,
  { log, headers, startCountdown }: StreamLogReply,
): Promise<'finished' | 'disconnected'> {
  response.writeHead(200, {
    ...uiMessageStreamHeaders,
    'cache-control': 'no-cache',
    'x-accel-buffering': 'no',
    ...headers,
  })
  const writer = new ResponseWriter(response, { heartbeat: uiMessageHeartbeat, startCountdown })
  const left = new Promise<'disconnected'>((resolve) => {
    const onClose = () => {
      if (!response.writableFinished) resolve('disconnected')
    }
    response.once('close', onClose)
    if (response.destroyed) onClose()
  })
  return Promise.race([copyLog(log, writer, response), left])
}

async function copyLog(log: StreamLog, writer: ResponseWriter, response: ServerResponse): Promise<'finished'> {
  let sent = 0
  while (!response.destroyed) {
    for (const chunk of log.chunks.slice(sent)) {
      sent += 1
      const writable = writer.write(chunk)
      if (writable !== undefined) await writable
    }
    if (sent < log.chunks.length) continue
    if (log.isEnded) break
    await log.changed()
  }
  await writer.end()
  return 'finished'
}
