import { z } from 'zod'
import type { Settings } from '../../src/config/settings.ts'
import { unlimitedAccount } from '../../src/models/calls/model-account.ts'
import { createChatModel } from '../../src/models/model-registry.ts'
import type { ResilientModelDeps } from '../../src/models/calls/resilient-model.ts'
import type { LoopEvent } from '../../src/models/loop/loop-event.ts'
import { ModelFailureError } from '../../src/models/loop/model-failure-error.ts'
import { type LoopEnd, runToolLoop } from '../../src/models/loop/run-tool-loop.ts'
import type { ToolDefinition } from '../../src/models/loop/tool-definition.ts'

export interface Asked {
  /** What a reader saw of the answer. */
  text: string
  reasoning: string
  /** Inputs of the tool calls. */
  searches: unknown[]
  end: LoopEnd | null
  /** What a reader is told when it failed. */
  sentence: string | null
  failure: ModelFailureError | null
}

const inputSchema = z.object({ query: z.string() })
const search: ToolDefinition<typeof inputSchema> = {
  name: 'search',
  description: 'Searches.',
  inputSchema,
  resultCharsMax: 1_000,
  run: async () => [{ path: '/settings', content: 'PORT is the port.' }],
}

/** Asks the model of the settings one question, with a search that was made before as the assistant makes it. */
export async function askModel(deps: ResilientModelDeps, settings: Settings): Promise<Asked> {
  const asked: Asked = { text: '', reasoning: '', searches: [], end: null, sentence: null, failure: null }
  const emit = (event: LoopEvent) => {
    if (event.type === 'text-delta') asked.text += event.text
    if (event.type === 'reasoning-delta') asked.reasoning += event.text
    if (event.type === 'tool-called') asked.searches.push(event.input)
    return undefined
  }
  try {
    asked.end = await runToolLoop({
      model: (await createChatModel(deps, settings)).billTo(unlimitedAccount),
      instructions: 'Answer from what the search returned.',
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'How do I change the port?' }] },
        {
          role: 'assistant',
          content: [{ type: 'tool-call', toolCallId: 'call_1', toolName: 'search', input: { query: 'port' } }],
        },
        {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: 'call_1',
              toolName: 'search',
              output: { type: 'json', value: [{ path: '/start', content: 'It listens on port 4000.' }] },
            },
          ],
        },
      ],
      tools: [search],
      emit,
      maxSteps: 3,
      signal: AbortSignal.timeout(15_000),
    })
  } catch (error) {
    if (!(error instanceof ModelFailureError)) throw error
    asked.failure = error
    asked.sentence = error.message
  }
  return asked
}
