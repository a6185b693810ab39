import type { ServerResponse } from 'node:http'
import type { AnswerEvent } from '../../contract/answer-event.ts'
import type { AssistantVersion } from '../../contract/assistant-request.ts'
import { createDataStreamEncoder, dataStreamHeaders, dataStreamHeartbeat } from '../../contract/data-stream.ts'
import { createUiMessageEncoder, uiMessageHeartbeat, uiMessageStreamHeaders } from '../../contract/ui-message-stream.ts'
import type { StartCountdown } from './countdown.ts'
import { ResponseWriter } from './response-writer.ts'
import { type AnswerSource, runSource } from './run-source.ts'

export const drainedMessage = 'The service is restarting, so this answer stays incomplete. Ask again in a moment.'

/** A wire format of answers. */
export interface AnswerFormat {
  headers: Readonly<Record<string, string>>
  /** Ignored by clients. */
  heartbeat: string
  /** Encodes the events of one answer, in order. */
  encode: (event: AnswerEvent) => string
}

export interface AnswerStream {
  format: AnswerFormat
  /** Headers in addition to the format's: thread id, CORS, limits. */
  headers: Readonly<Record<string, string>>
  /** Its signal aborts when the client disconnects or the process drains. */
  source: AnswerSource
  startCountdown: StartCountdown
  /** Aborts when the process is about to stop. */
  drainSignal: AbortSignal
  /** Receives the source's bugs; the client only learns that something failed. */
  reportError: (error: unknown) => void
}

/** How a stream ended. `failed`: with an error shown to the client. */
export type AnswerOutcome = 'finished' | 'failed' | 'disconnected' | 'drained'

/**
 * Replies with a stream of events.
 *
 * Always ends as the format requires: a source that throws, stops early or is cut off by a drain becomes an error frame
 * with a message. Never rejects.
 *
 * @param response Must be untouched; ended when the promise resolves.
 */
export async function writeAnswerStream(response: ServerResponse, stream: AnswerStream): Promise<AnswerOutcome> {
  const { format } = stream
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

/** The format of one answer in a version of the assistant's API. */
export function createAnswerFormat(version: AssistantVersion, isSdkClient: boolean): AnswerFormat {
  if (version === 'v1') {
    return { headers: dataStreamHeaders, heartbeat: dataStreamHeartbeat, encode: createDataStreamEncoder() }
  }
  return toUiMessageFormat(createUiMessageEncoder({ isSdkClient }))
}

/** Version 2 with a custom encoder, for answers with additional frames. */
export function toUiMessageFormat(encode: AnswerFormat['encode']): AnswerFormat {
  return { headers: uiMessageStreamHeaders, heartbeat: uiMessageHeartbeat, encode }
}

/** Watches for the two external ends: disconnect and drain. Neither stops a response whose bytes are all written. */
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
