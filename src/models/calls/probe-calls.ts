import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { drawColor } from './color-image.ts'

/** What a model is asked, to find out what it can do. */
export interface ProbeCalls {
  streaming: LanguageModelV4CallOptions
  tools: LanguageModelV4CallOptions
  images: LanguageModelV4CallOptions
  /** Made twice. */
  caching: LanguageModelV4CallOptions
  /** The answer to `images`. */
  color: string
}

/** Thinking counts as output, so fewer would leave some models without a word. */
const maxOutputTokens = 400
/** Providers cache from 1,024 to 4,096 tokens on; a sentence has about 15. */
const sentencesCached = 340

const colors = { red: [230, 0, 0], green: [0, 170, 0], blue: [0, 0, 230] } as const
const colorNames = ['red', 'green', 'blue'] as const

/** @param random In [0, 1): the color, so that a model cannot guess it. */
export function writeProbeCalls(random: number): ProbeCalls {
  const color = colorNames[Math.floor(random * colorNames.length)] ?? 'red'
  const image = {
    type: 'file' as const,
    mediaType: 'image/png',
    data: { type: 'data' as const, data: drawColor(colors[color]) },
  }
  const filler = Array.from(
    { length: sentencesCached },
    (_, at) => `Page ${at} describes setting ${at} of the service.`,
  )
  return {
    streaming: ask([say('Write the numbers from one to twenty as words.')]),
    tools: { ...ask([say('Call the tool report_number with the number 7.')]), tools: [reportNumber] },
    images: ask([say('Which colour is this image? Answer with one word: red, green or blue.'), image]),
    caching: ask([say('Say ok.')], filler.join(' ')),
    color,
  }
}

const reportNumber = {
  type: 'function' as const,
  name: 'report_number',
  description: 'Reports a number.',
  inputSchema: { type: 'object' as const, properties: { number: { type: 'number' as const } }, required: ['number'] },
}

const say = (text: string) => ({ type: 'text' as const, text })

type UserContent = Extract<LanguageModelV4CallOptions['prompt'][number], { role: 'user' }>['content']

function ask(content: UserContent, instructions = 'You test a connection.'): LanguageModelV4CallOptions {
  const prompt = [
    { role: 'system' as const, content: instructions },
    { role: 'user' as const, content },
  ]
  return { prompt, maxOutputTokens }
}
