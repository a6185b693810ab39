/** What an assistant key may set for the answers to all of its requests, with the label of each. */
const described = {
  'ai-sdk': 'Every client is an AI SDK, whatever its requests look like',
  'citation-markers': 'Each cited sentence is followed by the numbers of its sources, such as `[1]`',
  'suggestions-in-text': 'Suggested pages are also in the text, as a fenced block named `suggestions`',
} as const

export type AnswerOption = keyof typeof described

export const answerOptionLabels: Readonly<Record<AnswerOption, string>> = described

// `Object.keys` loses the names.
export const answerOptions = Object.keys(described) as AnswerOption[]

/** For descriptions. */
export function listAnswerOptions(): string {
  return answerOptions.map((name) => `\`${name}\`: ${answerOptionLabels[name]}.`).join(' ')
}
