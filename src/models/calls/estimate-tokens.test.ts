import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ChatPrompt } from '../chat-model.ts'
import { countLeastTokens, estimateCall, estimatePrompt, estimateTokens } from './estimate-tokens.ts'

/** The highest token count for each text among the tokenizers of GPT-4, GPT-4o, Claude and Llama 3. */
const samples = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../test/fixtures/token-counts.json'), 'utf8'),
) as readonly { name: string; text: string; tokens: number }[]

describe('the tokens of a text', () => {
  it.each(samples)('of $name are no more than estimated', ({ text, tokens }) => {
    expect(estimateTokens(text)).toBeGreaterThanOrEqual(tokens)
  })

  it.each([
    ['English', 4],
    ['TypeScript', 4],
    ['Chinese', 6],
    ['Japanese', 6],
    ['Hindi', 10],
  ])('of %s are overestimated %d times at most', (name, factor) => {
    const sample = samples.find((each) => each.name === name)

    expect(estimateTokens(sample?.text ?? '')).toBeLessThan((sample?.tokens ?? 0) * factor)
  })

  it('are at least one for a text, and grow with it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), fc.string({ unit: 'binary' }), (text, more) => {
        expect(estimateTokens(text)).toBeGreaterThanOrEqual(1)
        expect(estimateTokens(text + more)).toBeGreaterThanOrEqual(estimateTokens(text))
        expect(countLeastTokens(text)).toBeLessThanOrEqual(estimateTokens(text))
      }),
    )
  })
})

describe('the tokens of a call', () => {
  const system: ChatPrompt[number] = { role: 'system', content: 'Answer from the pages.' }
  const question = (text: string): ChatPrompt[number] => ({ role: 'user', content: [{ type: 'text', text }] })
  const long = 'word '.repeat(500)
  const base = estimatePrompt([system, question('Why?')])

  it.each<[string, ChatPrompt]>([
    ['instructions', [{ ...system, content: long }, question('Why?')]],
    ['the question', [system, question(long)]],
    ['history', [system, question(long), { role: 'assistant', content: [] }, question('Why?')]],
    ['answers', [system, { role: 'assistant', content: [{ type: 'text', text: long }] }, question('Why?')]],
    ['reasoning', [system, { role: 'assistant', content: [{ type: 'reasoning', text: long }] }, question('Why?')]],
    [
      'signed reasoning',
      [
        system,
        {
          role: 'assistant',
          content: [{ type: 'reasoning', text: '', providerOptions: { anthropic: { signature: long } } }],
        },
        question('Why?'),
      ],
    ],
    [
      'the input of a tool call',
      [
        system,
        {
          role: 'assistant',
          content: [{ type: 'tool-call', toolCallId: '1', toolName: 'search', input: { query: long } }],
        },
        question('Why?'),
      ],
    ],
    [
      'what a tool returned',
      [
        system,
        question('Why?'),
        {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: '1',
              toolName: 'search',
              output: { type: 'json', value: [{ content: long }] },
            },
          ],
        },
      ],
    ],
  ])('hold %s', (_, prompt) => {
    expect(estimatePrompt(prompt)).toBeGreaterThan(base + 500)
  })

  it('include the tools, and what providers add for them', () => {
    const call = { prompt: [question('Why?')] }
    const tool = { type: 'function', name: 'search', inputSchema: { type: 'object', properties: {} } } as const

    const without = estimateCall(call)
    const one = estimateCall({ ...call, tools: [tool] })
    const described = estimateCall({ ...call, tools: [{ ...tool, description: long }] })

    expect(one - without).toBeGreaterThan(1_000)
    expect(described - one).toBeGreaterThan(500)
  })

  it('do not include notes for the built-in model', () => {
    const options = { providerOptions: { docent: { termCounts: { words: long } } } }
    const result = {
      type: 'tool-result',
      toolCallId: '1',
      toolName: 's',
      output: { type: 'text', value: 'x' },
    } as const
    const plain = estimatePrompt([{ role: 'tool', content: [result] }])

    expect(estimatePrompt([{ role: 'tool', content: [{ ...result, ...options }] }])).toBe(plain)
  })
})
