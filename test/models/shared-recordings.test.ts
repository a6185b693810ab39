import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askModel } from './ask-model.ts'
import { createManualTime } from './manual-time.ts'
import { protocols, readEvents, settingsOf } from './protocols.ts'
import { type RecordedServer, startRecordedServer } from './recorded-server.ts'
import { listSharedRecordings, readSharedReply } from './shared-recordings.ts'

const recordings = protocols.flatMap((protocol) =>
  listSharedRecordings(protocol).map((recording) => ({ protocol, ...recording })),
)

let server: RecordedServer
beforeAll(async () => {
  server = await startRecordedServer()
})
afterAll(() => server.close())

describe.skipIf(recordings.length === 0)('Traffic of real providers', () => {
  it.each(recordings)('$name becomes an answer or a sentence', async ({ protocol, file }) => {
    const text = {
      type: 'stream',
      events: readEvents(join(import.meta.dirname, '../fixtures/recorded', protocol.recordings, 'text.jsonl')),
    } as const
    server.replyWith(protocol.framing, readSharedReply(file), text)
    const time = createManualTime()
    time.skipWaits()

    const asked = await askModel(time.deps, settingsOf(protocol, server.url))

    const recorded = readFileSync(file, 'utf8')
    const isRefused = file.endsWith('.json')
    expect(asked.text !== '' || asked.sentence !== null).toBe(true)
    expect({
      sentence: asked.sentence,
      isCounted: (asked.end?.usage.inputTokens ?? 0) > 0,
      requests: server.requests.length,
      hasReasoning: asked.reasoning !== '',
    }).toEqual({
      sentence: isRefused ? 'The model is receiving too many requests. Ask again in a minute.' : null,
      isCounted: !isRefused,
      requests: /"functionCall"|function_call|tool_use|"tool_calls":\[\{|"tool-call-start"/.test(recorded) ? 2 : 1,
      hasReasoning: /thinking_delta|"reasoning_content":"\w|"reasoningContent"|"thinking":"\w/.test(recorded),
    })
  })
})
