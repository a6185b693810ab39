import type { ChatModel, ChatStreamPart } from '../../src/models/chat-model.ts'
import { finishPart } from './scripted-model.ts'

/** A model that answers every call with the same text in `pieces` pieces at once, so that a benchmark measures all but the model. */
export function createInstantModel(text: string, pieces: number): ChatModel {
  const parts = toParts(text, pieces)
  return {
    specificationVersion: 'v4',
    provider: 'test',
    modelId: 'instant',
    supportedUrls: {},
    async doGenerate() {
      throw new Error('The instant model only streams.')
    },
    async doStream() {
      const stream = new ReadableStream<ChatStreamPart>({
        start(controller) {
          for (const part of parts) controller.enqueue(part)
          controller.close()
        },
      })
      return { stream }
    },
  }
}

function toParts(text: string, pieces: number): ChatStreamPart[] {
  const size = Math.max(1, Math.ceil(text.length / pieces))
  const deltas = Array.from({ length: Math.ceil(text.length / size) }, (_, index): ChatStreamPart => {
    return { type: 'text-delta', id: '0', delta: text.slice(index * size, (index + 1) * size) }
  })
  return [
    { type: 'stream-start', warnings: [] },
    { type: 'text-start', id: '0' },
    ...deltas,
    { type: 'text-end', id: '0' },
    finishPart('stop'),
  ]
}
