import { AsyncLocalStorage } from 'node:async_hooks'
import type { ChatModel } from '../chat-model.ts'
import type { PieceProtocol } from './piece-protocols.ts'
import { SplitReply } from './split-reply.ts'

interface Call {
  protocol: PieceProtocol
  split: SplitReply | null
}

const calls = new AsyncLocalStorage<Call>()

/** A `fetch` that divides the event stream of a call made by `readPiecesDirectly`. */
export function divideReplies(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const reply = await send(input, init)
    const call = calls.getStore()
    if (call === undefined || call.split !== null || !isEventStream(reply)) return reply
    call.split = new SplitReply(reply.body, call.protocol)
    return new Response(call.split.body, { status: reply.status, statusText: reply.statusText, headers: reply.headers })
  }
}

/**
 * The model with pieces of text read without its package, whose chain of streams and schemas is most of what a piece
 * costs. Requests, errors, tools, usage and everything unusual remain the package's.
 *
 * @param model Opened with the `fetch` of `divideReplies`.
 */
export function readPiecesDirectly(model: ChatModel, protocol: PieceProtocol): ChatModel {
  const { specificationVersion, provider, modelId, supportedUrls } = model
  return {
    specificationVersion,
    provider,
    modelId,
    supportedUrls,
    doGenerate: (options) => model.doGenerate(options),
    async doStream(options) {
      // Such text is held back, and raw chunks would show the marks.
      if (options.includeRawChunks === true || options.responseFormat?.type === 'json') return model.doStream(options)
      const call: Call = { protocol, split: null }
      const result = await calls.run(call, () => model.doStream(options))
      return call.split === null ? result : { ...result, stream: call.split.join(result.stream) }
    },
  }
}

function isEventStream(reply: Response): reply is Response & { body: ReadableStream<Uint8Array> } {
  return reply.ok && reply.body !== null && /^text\/event-stream\b/i.test(reply.headers.get('content-type') ?? '')
}
