import { describe, expect, it } from 'vitest'
import { createScriptedModel, finishPart, type ScriptedAction } from '../../../test/support/scripted-model.ts'
import type { ChatPrompt } from '../../models/chat-model.ts'
import { advanceConversation } from './advance-conversation.ts'
import { compactConversation, type CompactionInput } from './compact-conversation.ts'
import { beginConversation, type ConversationState, isCompactionDue } from './conversation-state.ts'
import { createNote, viewConversation } from './view-conversation.ts'

const ask = (text: string): ChatPrompt[number] => ({ role: 'user', content: [{ type: 'text', text }] })
const head = [ask('Correct every page.')]

/** One step: a thought, a call, and its result. */
function work(toolName: string, input: Record<string, string>, value: string): ChatPrompt {
  const toolCallId = `call-${toolName}-${Object.values(input).join('-')}`
  return [
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'hm', providerOptions: { anthropic: { signature: 'sig' } } },
        { type: 'tool-call', toolCallId, toolName, input },
      ],
    },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output: { type: 'json', value } }] },
  ]
}
const read = (index: number, chars = 2_000) =>
  work('read', { path: `p${index}.mdx` }, `text ${index} `.repeat(chars / 8))
const reads = (count: number, chars?: number) => Array.from({ length: count }, (_, index) => read(index, chars)).flat()

const usage = { inputTokens: 1_000, outputTokens: 10 }
const advance = (transcript: ChatPrompt, state: ConversationState, contextTokens = 200_000) =>
  advanceConversation(transcript, state, { messages: transcript.slice(-2), usage }, contextTokens)

const results = (prompt: ChatPrompt) =>
  prompt.flatMap((message) => (message.role === 'tool' ? message.content : [])).map((part) => JSON.stringify(part))
const isLeftOut = (result: string) => result.includes('Left out to save space')

describe('old results', () => {
  it('are left out in batches, so that between two of them the beginning stays the same', () => {
    let state = beginConversation(head)
    const seen: string[] = []
    for (let count = 1; count <= 60; count++) {
      state = advance([...head, ...reads(count)], state).state
      seen.push(JSON.stringify(viewConversation([...head, ...reads(count)], state)).slice(0, -1))
    }

    const broken = seen.filter((view, index) => index > 0 && !view.startsWith(seen[index - 1] ?? ''))
    expect(broken).toHaveLength(2)
    expect(results(viewConversation([...head, ...reads(60)], state)).filter(isLeftOut)).toHaveLength(40)
  })

  it('go earlier when they are large, and never the newest step', () => {
    const transcript = [...head, ...reads(3, 80_000)]

    const { state, events } = advance(transcript, beginConversation(head), 64_000)

    expect(results(viewConversation(transcript, state)).map(isLeftOut)).toEqual([true, true, false])
    expect(events).toEqual([{ type: 'results-elided', tokens: expect.any(Number) }])
  })

  it('leave behind which call returned them, and keep plans, checks and the first list', () => {
    const long = 'x'.repeat(900)
    const kept = [...work('list', {}, long), ...work('plan', { a: 'b' }, long), ...work('check', {}, long)]
    const transcript = [...head, ...kept, ...work('list', { under: 'b' }, long), ...reads(40)]

    const { state } = advance(transcript, beginConversation(head))

    const shown = results(viewConversation(transcript, state))
    expect(shown.slice(0, 5).map(isLeftOut)).toEqual([false, false, false, true, true])
    expect(shown[4]).toContain(String.raw`what read {\"path\":\"p0.mdx\"} returned`)
    expect(shown[4]).toContain('Make this call again')
  })

  it('take the reasoning before them along, but not that of the newest step', () => {
    const transcript = [...head, ...reads(40)]

    const { state } = advance(transcript, beginConversation(head))

    const thoughts = viewConversation(transcript, state).map((message) => JSON.stringify(message).includes('"sig"'))
    expect(thoughts.filter(Boolean)).toHaveLength(1)
    expect(thoughts.at(-2)).toBe(true)
  })

  it('stay for a built-in model, which reads the whole conversation', () => {
    expect(advance([...head, ...reads(40)], beginConversation(head), Infinity).state).toEqual(beginConversation(head))
  })
})

it.each([
  [200_000, 119_999, false],
  [200_000, 120_000, true],
  [1_000_000, 120_000, true],
  [32_000, 23_999, false],
  [32_000, 24_000, true],
])('a conversation with a window of %d is too long at %d tokens: %s', (window, tokens, isDue) => {
  expect(isCompactionDue({ ...beginConversation(head), tokens }, window)).toBe(isDue)
})

describe('a summary', () => {
  const summary = '## Task\nCorrect every page.\n## Open\np9.mdx'
  const say = (text: string): ScriptedAction[] => [{ type: 'text', text }]
  const order = ask('And the blog.')
  const transcript = [...head, ...reads(20, 8_000), createNote('Go on.'), order, ...reads(12, 8_000)]
  const compact = async (actions: ScriptedAction[], more: Partial<CompactionInput> = {}) => {
    const model = createScriptedModel([actions])
    const input: CompactionInput = {
      model,
      instructions: 'Edit.',
      tools: [],
      transcript,
      state: { ...beginConversation(head), tokens: 130_000 },
      plan: [{ text: 'Correct p9', state: 'doing' }],
      changes: [{ path: 'p1.mdx', kind: 'modified' }],
      contextTokens: 200_000,
      isOverflow: false,
      ...more,
    }
    const { state, dropped } = await compactConversation(input, new AbortController().signal)
    return { state, dropped, model, view: viewConversation(transcript, state), input }
  }

  it('stands for the older steps; requests, the newest steps, the plan and the files stay', async () => {
    const { view, dropped, state } = await compact(say(summary))

    expect(view.slice(0, 2)).toEqual([...head, order])
    const text = JSON.stringify(view[2])
    for (const part of ['## Open', '[~] Correct p9', 'p1.mdx (modified)', 'Read and not changed', 'p0.mdx']) {
      expect(text).toContain(part)
    }
    expect(JSON.stringify(view)).not.toContain('Go on.')
    expect(view.slice(3).map(({ role }) => role)).toEqual(
      Array.from({ length: 10 }, () => ['assistant', 'tool']).flat(),
    )
    expect(dropped?.after).toBeLessThan(30_000)
    expect(state.tokens).toBeLessThan(130_000)
  })

  it('is asked for behind the unchanged conversation, which the provider has cached', async () => {
    const { model, input } = await compact(say(summary))

    const prompt = model.calls[0]?.prompt
    expect(prompt?.slice(0, -1)).toEqual([
      { role: 'system', content: 'Edit.' },
      ...viewConversation(transcript, input.state),
    ])
    expect(JSON.stringify(prompt?.at(-1))).toContain('is about to be dropped')
  })

  it.each<[string, ScriptedAction[]]>([
    ['fails', [{ type: 'refuse', error: new Error('down') }]],
    ['was cut', [...say(summary), { type: 'part', part: finishPart('length') }]],
    ['is none', say('I am not sure what you mean.')],
  ])('that %s changes nothing, and is tried again later', async (_, actions) => {
    const { view, state, dropped, input } = await compact(actions)

    expect(view).toEqual(viewConversation(transcript, input.state))
    expect(dropped).toBeNull()
    expect(isCompactionDue(state, 200_000)).toBe(false)
    expect(isCompactionDue({ ...state, tokens: 151_000 }, 200_000)).toBe(true)
  })

  it('longer than what it replaces changes nothing', async () => {
    const short = [...head, ...reads(3, 800)]

    const { dropped } = await compact(say(`${summary} ${'more '.repeat(2_000)}`), {
      transcript: short,
      contextTokens: 800,
    })

    expect(dropped).toBeNull()
  })

  it('that fails does not keep a conversation too long that the model has refused', async () => {
    const { view, dropped } = await compact([{ type: 'refuse', error: new Error('down') }], { isOverflow: true })

    expect(dropped).not.toBeNull()
    expect(view.slice(0, 2)).toEqual([...head, order])
    expect(JSON.stringify(view)).toContain('p1.mdx (modified)')
  })
})
