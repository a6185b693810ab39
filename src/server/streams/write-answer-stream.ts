import type { ServerResponse } from 'node:http'
import type { AnswerEvent } from '../../contract/answer-event.ts'
import type { AssistantVersion } from '../../contract/assistant-request.ts'
import { createDataStreamEncoder, dataStreamHeaders, dataStreamHeartbeat } from '../../contract/data-stream.ts'
import { createUiMessageEncoder, uiMessageHeartbeat, uiMessageStreamHeaders } from '../../contract/ui-message-stream.ts'
import type { StartCountdown } from './countdown.ts'
import { ResponseWriter } from './response-writer.ts'
import { type AnswerSource, runSource } from './run-source.ts'

export const drainedMessage = 'The service is restarting, so this answer stays incomplete. Ask again in a moment.'

export interface AnswerStream {
  version: AssistantVersion
  isSdkClient: boolean
  /** Instead of the encoder of version 2, for answers with frames of their own. */
  encode?: (event: AnswerEvent) => string
  /** Headers besides those of the format: thread id, CORS, limits. */
  headers: Readonly<Record<string, string>>
  /** Its signal aborts when the client leaves or the process drains. */
  source: AnswerSource
  startCountdown: StartCountdown
  /** Aborts when the process is about to stop. */
  drainSignal: AbortSignal
  /** Told of faults of the source that are bugs; the client is told only that there was one. */
  reportError: (error: unknown) => void
}

/** How a stream ended. `failed`: with an error that the client was shown. */
export type AnswerOutcome = 'finished' | 'failed' | 'disconnected' | 'drained'

/**
 * Answers with a stream of events in the wire format of the request's version.
 *
 * The reply always ends as its format demands: a source that throws, stops short or is cut by a drain becomes an error
 * frame with a sentence. Never rejects.
 *
 * @param response Untouched so far; it is ended when the promise resolves.
 */
export async function writeAnswerStream(response: ServerResponse, stream: AnswerStream): Promise<AnswerOutcome> {
  const format = chooseFormat(stream)
  response.writeHead(200, {
    ...format.headers,
    'cache-control': 'no-cache',
    'x-accel-buffering': 'no',
    ...stream.headers,
  })
  const writer = new ResponseWriter(response, { heartbeat: format.heartbeat, startCountdown: stream.startCountdown })
  const stop = watchForStop(response, stream.drainSignal)
  const outcome = await Promise.race([
    runSource({ ...stream, sink: writer, encode: format.encode, signal: stop.signal }),
    stop.happened,
  ])
  stop.release()
  if (outcome === 'drained') void writer.write(format.encode({ type: 'answer-failed', message: drainedMessage }))
  if (outcome !== 'disconnected') await writer.end()
  return outcome
}

function chooseFormat({ version, isSdkClient, encode: own }: Pick<AnswerStream, 'version' | 'isSdkClient' | 'encode'>) {
  if (version === 'v1') {
    return { headers: dataStreamHeaders, heartbeat: dataStreamHeartbeat, encode: createDataStreamEncoder() }
  }
  const encode = own ?? createUiMessageEncoder({ isSdkClient })
  return { headers: uiMessageStreamHeaders, heartbeat: uiMessageHeartbeat, encode }
}

/** Watches for the two ends that come from outside. A response that has all its bytes is not stopped by either. */
function watchForStop(response: ServerResponse, drainSignal: AbortSignal) {
  const controller = new AbortController()
  const { promise: happened, resolve } = Promise.withResolvers<'disconnected' | 'drained'>()
  const stop = (outcome: 'disconnected' | 'drained') => {
    if (response.writableFinished || (outcome === 'drained' && response.writableEnded)) return
    resolve(outcome)
    controller.abort()
  }
  const onClose = () => stop('disconnected')
  const onDrain = () => stop('drained')
  response.once('close', onClose)
  drainSignal.addEventListener('abort', onDrain, { once: true })
  if (response.destroyed) onClose()
  else if (drainSignal.aborted) onDrain()
  const release = () => {
    response.off('close', onClose)
    drainSignal.removeEventListener('abort', onDrain)
  }
  return { signal: controller.signal, happened, release }
}
