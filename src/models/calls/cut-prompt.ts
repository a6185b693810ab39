import type { ChatPrompt } from '../chat-model.ts'
import { isClosing } from '../closing-message.ts'
import { estimateMessage, estimatePrompt } from './estimate-tokens.ts'

type ToolMessage = Extract<ChatPrompt[number], { role: 'tool' }>
type ToolPart = ToolMessage['content'][number]

/** Marks removed text, so that the model does not mistake a part for the whole. */
const cutNote = '… (cut: the conversation is too long)'

/**
 * Removes at least `excess` tokens from a prompt: first the oldest turns before the newest question, then the last
 * items of the longest tool results, which are ordered best first.
 *
 * @param excess Tokens by the estimate.
 * @returns Null if the instructions, the question and the calls alone are too long.
 */
export function cutPrompt(prompt: ChatPrompt, excess: number): ChatPrompt | null {
  const tokensMax = estimatePrompt(prompt) - excess
  if (tokensMax < 0) return null
  return cutResults(cutHistory(prompt, tokensMax), tokensMax)
}

/** Removes whole turns, from one question to the next, so that no call loses its result. */
function cutHistory(prompt: ChatPrompt, tokensMax: number): ChatPrompt {
  const newest = prompt.findLastIndex((message) => message.role === 'user' && !isClosing(message))
  const isOfSystem = (index: number) => prompt[index]?.role === 'system'
  let tokens = estimatePrompt(prompt)
  let kept = 0
  while (kept < newest && tokens > tokensMax) {
    do {
      const message = prompt[kept]
      if (message !== undefined && !isOfSystem(kept)) tokens -= estimateMessage(message)
      kept++
    } while (kept < newest && prompt[kept]?.role !== 'user')
  }
  return prompt.filter((_, index) => index >= kept || isOfSystem(index))
}

function cutResults(prompt: ChatPrompt, tokensMax: number): ChatPrompt | null {
  const cut = [...prompt]
  let tokens = estimatePrompt(cut)
  while (tokens > tokensMax) {
    const place = findLongestResult(cut)
    const message = place === -1 ? undefined : cut[place]
    if (message?.role !== 'tool') return null
    const before = estimateMessage(message)
    const shorter = { ...message, content: message.content.map((part) => shorten(part)) }
    const after = estimateMessage(shorter)
    if (after >= before) return null
    cut[place] = shorter
    tokens += after - before
  }
  return cut
}

function findLongestResult(prompt: ChatPrompt): number {
  let longest = -1
  let tokensMost = 0
  for (const [index, message] of prompt.entries()) {
    const tokens = message.role === 'tool' ? estimateMessage(message) : 0
    if (tokens <= tokensMost) continue
    tokensMost = tokens
    longest = index
  }
  return longest
}

/** Removes about half of a tool result; a short one is replaced by the note. */
function shorten(part: ToolPart): ToolPart {
  if (part.type !== 'tool-result' || !('value' in part.output)) return part
  const { output } = part
  if (output.type === 'json' && Array.isArray(output.value) && output.value.length > 1) {
    const value = output.value.slice(0, Math.ceil(output.value.length / 2))
    return { ...part, output: { type: 'json', value } }
  }
  const text = typeof output.value === 'string' ? output.value : JSON.stringify(output.value)
  if (text.length <= cutNote.length) return part
  const kept = text.slice(0, Math.floor((text.length - cutNote.length) / 2)).toWellFormed()
  return { ...part, output: { type: 'text', value: kept + cutNote } }
}
