import { describe, expect, it } from 'vitest'
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { ChatModel, ChatPrompt, ChatStreamPart } from '../../src/models/chat-model.ts'

export interface ChatModelSubject {
  /** A model whose next answer is text in several pieces, without tool calls. */
  createTalker(): ChatModel
}

const question: ChatPrompt = [
  { role: 'system', content: 'You answer questions.' },
  { role: 'user', content: [{ type: 'text', text: 'How do I install the command line tool on a machine?' }] },
]

const unknownTool: NonNullable<LanguageModelV4CallOptions['tools']> = [
  {
    type: 'function',
    name: 'launch_rocket',
    description: 'Launches.',
    inputSchema: { type: 'object', properties: {} },
  },
]

/** The guarantees that the tool loop relies on for every `ChatModel`. */
export function describeChatModel(name: string, subject: ChatModelSubject): void {
  describe(`${name} as a chat model`, () => {
    it('speaks the fourth version of the interface and has a name', () => {
      const model = subject.createTalker()

      expect(model.specificationVersion).toBe('v4')
      expect(`${model.provider}/${model.modelId}`).toMatch(/^[a-z-]+\/\S+$/)
    })

    it('begins with stream-start and ends with exactly one finish', async () => {
      const parts = await readAll(subject.createTalker(), { prompt: question })

      expect(parts[0]?.type).toBe('stream-start')
      expect(parts.filter(({ type }) => type === 'finish')).toHaveLength(1)
      expect(parts.at(-1)?.type).toBe('finish')
    })

    it('sends text only between the start and the end of its part', async () => {
      const parts = await readAll(subject.createTalker(), { prompt: question })

      expect(findUnbalanced(parts)).toEqual([])
      expect(parts.filter(({ type }) => type === 'text-delta').length).toBeGreaterThan(1)
    })

    it('counts its tokens', async () => {
      const finish = (await readAll(subject.createTalker(), { prompt: question })).at(-1)

      expect(finish?.type === 'finish' && finish.usage.inputTokens.total).toBeGreaterThan(0)
      expect(finish?.type === 'finish' && finish.usage.outputTokens.total).toBeGreaterThan(0)
    })

    it('rejects a call whose signal has aborted', async () => {
      const reason = new Error('gone')

      const call = subject.createTalker().doStream({ prompt: question, abortSignal: AbortSignal.abort(reason) })

      await expect(call).rejects.toBe(reason)
    })

    it('sends nothing after an abort', async () => {
      const controller = new AbortController()
      const reason = new Error('gone')
      const { stream } = await subject.createTalker().doStream({ prompt: question, abortSignal: controller.signal })
      const reader = stream.getReader()
      await reader.read()

      controller.abort(reason)

      await expect(reader.read()).rejects.toBe(reason)
    })

    it('finishes when the prompt is empty', async () => {
      const parts = await readAll(subject.createTalker(), { prompt: [] })

      expect(parts.at(-1)?.type).toBe('finish')
    })

    it('does not call tools that it does not know', async () => {
      const parts = await readAll(subject.createTalker(), { prompt: question, tools: unknownTool })

      expect(parts.filter(({ type }) => type === 'tool-call')).toEqual([])
    })
  })
}

export async function readAll(model: ChatModel, options: LanguageModelV4CallOptions): Promise<ChatStreamPart[]> {
  const { stream } = await model.doStream(options)
  const parts: ChatStreamPart[] = []
  const reader = stream.getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) parts.push(next.value)
  return parts
}

/** Parts outside the start and end of their id, or never ended. */
function findUnbalanced(parts: readonly ChatStreamPart[]): string[] {
  const open = new Set<string>()
  const faults: string[] = []
  for (const part of parts) {
    if (part.type === 'text-start') open.add(part.id)
    if (part.type === 'text-delta' && !open.has(part.id)) faults.push(`delta of ${part.id}`)
    if (part.type === 'text-end' && !open.delete(part.id)) faults.push(`end of ${part.id}`)
  }
  return [...faults, ...open]
}
