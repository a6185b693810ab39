import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ChatPrompt, ChatStreamPart } from '../../src/models/chat-model.ts'
import { readAll } from './chat-model.conformance.ts'
import { estimateCall, estimateTokens } from '../../src/models/calls/estimate-tokens.ts'
import { unlimitedAccount } from '../../src/models/calls/model-account.ts'
import { createChatModel } from '../../src/models/model-registry.ts'
import { createManualTime } from './manual-time.ts'
import { protocols, readEvents, readRecording, settingsOf } from './protocols.ts'
import { type RecordedServer, startRecordedServer } from './recorded-server.ts'
import { listSharedRecordings } from './shared-recordings.ts'

const recordings = protocols.flatMap((protocol) => {
  const own = ['text', 'reasoning', 'tool-call'].map((name) => ({
    protocol,
    name: `${protocol.recordings}/${name}`,
    events: readRecording(protocol, name),
  }))
  const shared = listSharedRecordings(protocol).filter(({ file }) => !file.endsWith('.json'))
  return [...own, ...shared.map(({ name, file }) => ({ protocol, name, events: readEvents(file) }))]
})

const prompt: ChatPrompt = [{ role: 'user', content: [{ type: 'text', text: 'How do I change the port?' }] }]
/** What a provider puts around a text and around a call of a tool. */
const pieceTokens = 32

let server: RecordedServer
beforeAll(async () => {
  server = await startRecordedServer()
})
afterAll(() => server.close())

describe('what a provider counted', () => {
  it.each(recordings)('in $name is no more than is estimated of its output', async ({ protocol, events }) => {
    server.replyWith(protocol.framing, { type: 'stream', events })
    const model = await createChatModel(createManualTime().deps, settingsOf(protocol, server.url))

    const parts = await readAll(model.billTo(unlimitedAccount), { prompt })

    const finish = parts.find((part) => part.type === 'finish')
    const { total = 0, reasoning = 0 } = finish?.usage.outputTokens ?? {}
    expect(total).toBeGreaterThan(0)
    // Reasoning is often counted and not sent, or sent as a summary.
    expect(estimateOutput(parts)).toBeGreaterThanOrEqual(total - reasoning)
  })
})

function estimateOutput(parts: readonly ChatStreamPart[]): number {
  return parts.reduce((sum, part) => {
    if (part.type === 'text-delta') return sum + estimateTokens(part.delta)
    if (part.type === 'text-start') return sum + pieceTokens
    if (part.type === 'tool-call') return sum + pieceTokens + estimateTokens(part.toolName + part.input)
    return part.type === 'reasoning-delta' ? sum + estimateTokens(part.delta) : sum
  }, pieceTokens)
}

it('a prompt that is sent is estimated as a whole, whatever the protocol', async () => {
  const [protocol] = protocols
  if (protocol === undefined) throw new Error('There are protocols.')
  server.replyWith(protocol.framing, { type: 'stream', events: readRecording(protocol, 'text') })
  const reserved: number[] = []
  const account = {
    ...unlimitedAccount,
    reserve: async ({ tokens }: { tokens: number }) => {
      reserved.push(tokens)
      return { settle: async () => undefined }
    },
  }
  const model = await createChatModel(createManualTime().deps, settingsOf(protocol, server.url))

  await readAll(model.billTo(account), { prompt, maxOutputTokens: 100 })

  expect(reserved).toEqual([estimateCall({ prompt }) + 100])
})
