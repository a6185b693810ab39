import type { ChatPrompt } from './chat-model.ts'

/**
 * A sentence of ours at the end of a prompt. It comes last, not into the instructions, because a changed beginning would
 * cost everything that the provider has cached. It is not the question, wherever a prompt is searched for that.
 */
export function createClosingMessage(text: string): ChatPrompt[number] {
  return { role: 'user', content: [{ type: 'text', text }], providerOptions: { docent: { isClosing: true } } }
}

export function isClosing({ providerOptions }: ChatPrompt[number]): boolean {
  return providerOptions?.['docent']?.['isClosing'] === true
}
