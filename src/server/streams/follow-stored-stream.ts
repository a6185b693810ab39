import { isRecent } from '../../base/is-recent.ts'
import { createUiMessageEncoder } from '../../contract/ui-message-stream.ts'
import { getStreamChat, listStreamPieces, markStreamRead, type StreamChat } from '../../store/streams/stream-events.ts'
import type { StreamWakes } from '../../store/streams/stream-wakes.ts'
import type { StoreDeps } from '../../store/store-deps.ts'
import type { Log } from '../../telemetry/log.ts'
import { StreamLog } from './stream-log.ts'
import { WakeableWait } from './wakeable-wait.ts'

export interface FollowDeps extends StoreDeps {
  log: Log
  /** Cuts waits for more text short. */
  wakes: StreamWakes
}

export const lostWriterMessage =
  'The server that wrote this answer has stopped, so the answer stays incomplete. Ask again.'

const pollMs = 60
const pollMsMax = 500

/** How often the writer is notified of its reader; shorter than all but the shortest grace periods. */
const readMarkMs = 1_000

/** A process that has shown no sign of life for this long is gone. */
const leaseMs = 10_000

/**
 * The log of an answer that another process writes, copied from the database.
 *
 * It always ends: with the answer, or with an error message if its writer died, its text was removed, or the database
 * is unreachable.
 *
 * @param signal Aborts when the log has no reader any more.
 */
export function followStoredStream(deps: FollowDeps, chat: StreamChat, signal: AbortSignal): StreamLog {
  const log = new StreamLog()
  copyPieces(deps, chat, log, signal).catch((error: unknown) => {
    if (signal.aborted) return
    deps.log.warn({ error }, 'stream-follow-failed')
    endIncomplete(log)
  })
  return log
}

async function copyPieces(deps: FollowDeps, chat: StreamChat, log: StreamLog, signal: AbortSignal): Promise<void> {
  const pause = new WakeableWait()
  const unsubscribe = deps.wakes.subscribe(chat.streamId, () => pause.wake())
  const onAbort = () => pause.wake()
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    await copyUntilEnd(deps, { chat, log, signal, pause })
  } finally {
    signal.removeEventListener('abort', onAbort)
    unsubscribe()
  }
}

interface Copying {
  chat: StreamChat
  log: StreamLog
  signal: AbortSignal
  pause: WakeableWait
}

async function copyUntilEnd(deps: FollowDeps, { chat, log, signal, pause }: Copying): Promise<void> {
  const db = deps.store.relaxed
  let nextSeq = 0
  let pauseMs = pollMs
  let markedAt = 0
  while (!signal.aborted) {
    const now = deps.clock.now()
    const current = await getStreamChat(db, chat.keyId, chat.chatId)
    const pieces = await listStreamPieces(db, chat.streamId, nextSeq)
    for (const { text } of pieces) log.append(text)
    nextSeq += pieces.length
    if (pieces.at(-1)?.isLast) return log.end()
    if (pieces.length === 0 && !isAlive(deps, chat, current)) return endIncomplete(log)
    if (!isRecent(markedAt, readMarkMs, now)) {
      await markStreamRead(db, chat, now)
      markedAt = now
    }
    pauseMs = pieces.length > 0 ? pollMs : Math.min(pauseMs * 1.5, pollMsMax)
    await pause.wait(pauseMs)
  }
}

/** The embedded database has a single process, so if this one is not writing the answer, nobody is. */
function isAlive({ store, clock }: FollowDeps, chat: StreamChat, current: StreamChat | null): boolean {
  if (current === null || current.streamId !== chat.streamId || store.dialect === 'sqlite') return false
  return Math.abs(clock.now() - current.aliveAt) < leaseMs
}

function endIncomplete(log: StreamLog): void {
  log.append(createUiMessageEncoder({ isSdkClient: true })({ type: 'answer-failed', message: lostWriterMessage }))
  log.end()
}
