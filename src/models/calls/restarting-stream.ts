import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { ChatStreamPart } from '../chat-model.ts'

/** Takes back all parts of the stream so far: another model begins anew. */
const restartedPart = { type: 'custom', kind: 'docent.restarted' } as const satisfies ChatStreamPart

/** Set on calls whose caller can take back what it has passed on. */
export const acceptsRestart = { docent: { acceptsRestart: true } } as const

export function isRestartAccepted({ providerOptions }: LanguageModelV4CallOptions): boolean {
  return providerOptions?.['docent']?.['acceptsRestart'] === true
}

export function isRestarted(part: ChatStreamPart): boolean {
  return part.type === 'custom' && part.kind === restartedPart.kind
}

/**
 * Passes a stream on until it fails, then `restartedPart` and another stream instead.
 *
 * @param reopen Called with each failure. Null: fail with it.
 */
export function restartOnFailure(
  stream: ReadableStream<ChatStreamPart>,
  reopen: (failure: unknown) => Promise<ReadableStream<ChatStreamPart> | null>,
): ReadableStream<ChatStreamPart> {
  let reader = stream.getReader()
  return new ReadableStream<ChatStreamPart>(
    {
      async pull(controller) {
        const next = await reader.read().catch((failure: unknown) => ({ failure }))
        if ('failure' in next) {
          const other = await reopen(next.failure)
          if (other === null) return controller.error(next.failure)
          reader = other.getReader()
          return controller.enqueue(restartedPart)
        }
        if (next.done) controller.close()
        else controller.enqueue(next.value)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
