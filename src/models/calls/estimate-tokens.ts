import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { ChatPrompt } from '../chat-model.ts'
import { estimateImage, type ImageSize } from '../providers/image-tokens.ts'

/** Roles, separators and ids around a message or a part of one. */
const messageTokens = 16
/** Providers add their own instructions to a prompt with tools; 300 to 700 tokens were measured. */
const toolUseTokens = 1_000
const toolTokens = 32

/** Tokens per ASCII character: the worst case of current tokenizers for random letters, digits and punctuation. */
const asciiTokens = new Float64Array(128).fill(1)
asciiTokens.fill(0.7, 97, 123)
asciiTokens[32] = 0.75

/**
 * An upper bound of the tokens in a text.
 *
 * A non-ASCII character counts as its UTF-8 bytes, which no byte-level tokenizer exceeds. ASCII counts like random
 * letters, base64 and hexadecimal, so English is overestimated two to four times and code two to three times. Chinese
 * and Japanese are overestimated three to five times, scripts that new tokenizers know well (Hindi, Thai, Arabic,
 * Russian) up to ten times. Linear in the length, about 10 ms per million characters.
 */
export function estimateTokens(text: string): number {
  let tokens = 0
  let isAscii = true
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code < 128) {
      tokens += asciiTokens[code] ?? 1
      isAscii = true
      continue
    }
    // Letters and spaces do not merge with non-ASCII characters.
    if (isAscii) tokens += 0.5
    isAscii = false
    tokens += code < 0x800 || isSurrogate(code) ? 2 : 3
  }
  return Math.ceil(tokens)
}

function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdfff
}

/**
 * An upper bound of the input tokens of a call: its prompt and its tools, as sent.
 *
 * @param modelId `provider/model`: some count images in their own way.
 */
export function estimateCall({ prompt, tools, responseFormat }: LanguageModelV4CallOptions, modelId = ''): number {
  const listed = tools ?? []
  const ofTools = listed.reduce((sum, tool) => sum + toolTokens + estimateTokens(JSON.stringify(tool)), 0)
  const format = responseFormat === undefined ? 0 : estimateTokens(JSON.stringify(responseFormat))
  return estimatePrompt(prompt, modelId) + ofTools + format + (listed.length > 0 ? toolUseTokens : 0)
}

export function estimatePrompt(prompt: ChatPrompt, modelId = ''): number {
  return prompt.reduce((sum, message) => sum + estimateMessage(message, modelId), 0)
}

/** @returns Tokens of one message, including its overhead. */
export function estimateMessage(message: ChatPrompt[number], modelId = ''): number {
  const { content } = message
  if (typeof content === 'string') return messageTokens + estimateTokens(content)
  return content.reduce((sum, part) => sum + messageTokens + estimatePart(part, modelId), messageTokens)
}

type MessagePart = Exclude<ChatPrompt[number]['content'], string>[number]

function estimatePart(part: MessagePart, modelId: string): number {
  // Signed or encrypted reasoning is returned to its provider; notes for the built-in model are not sent.
  const { docent, ...options } = part.providerOptions ?? {}
  const sent = Object.keys(options).length === 0 ? 0 : estimateTokens(JSON.stringify(options))
  if (part.type === 'text' || part.type === 'reasoning') return sent + estimateTokens(part.text)
  if (part.type === 'file') return sent + estimateImage(modelId, readSize(docent))
  const { providerOptions: _options, ...rest } = part
  return sent + estimateTokens(JSON.stringify(rest))
}

function readSize({ width, height }: Readonly<Record<string, unknown>> = {}): ImageSize | undefined {
  return typeof width === 'number' && typeof height === 'number' ? { width, height } : undefined
}

const charsOfToken = 6
const wideCharsOfToken = 2
/** From the CJK radicals on, a character is a syllable or a word. */
const firstWideCode = 0x2e80

/** A lower bound of the tokens in a text: if it exceeds the output bound, the provider ignored that bound. */
export function countLeastTokens(text: string): number {
  let wide = 0
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) >= firstWideCode) wide++
  return (text.length - wide) / charsOfToken + wide / wideCharsOfToken
}
