import { z } from 'zod'
import type { AnswerEvent, FinishReason, TokenUsage } from './answer-event.ts'
import { type Citation, placeInMessage } from './citations.ts'
import { type LinkSpan, writeLinkList } from './link-list.ts'

/** The only model that is offered: which one answers is the owner's choice. */
export const chatModelId = 'docent'

const annotationSchema = z.object({
  type: z.literal('url_citation'),
  url_citation: z.object({
    url: z.string(),
    title: z.string(),
    start_index: z
      .int()
      .meta({ description: 'Position of the sentence that cites it, in UTF-16 code units of the content.' }),
    end_index: z.int().meta({ description: 'Exclusive.' }),
  }),
})

const finishReasonSchema = z.enum(['stop', 'length', 'content_filter'])

const usageSchema = z.object({ prompt_tokens: z.int(), completion_tokens: z.int(), total_tokens: z.int() })

const citationsSchema = z
  .array(z.string())
  .meta({ description: 'Addresses of the cited sections, in the order of the list.' })

export const chatCompletionSchema = z
  .object({
    id: z.string().meta({ description: 'Id of the answer, which feedback names as `messageId`.' }),
    object: z.literal('chat.completion'),
    created: z.int().meta({ description: 'Unix time in seconds.' }),
    model: z.string(),
    choices: z.array(
      z.object({
        index: z.literal(0),
        message: z.object({
          role: z.literal('assistant'),
          content: z
            .string()
            .meta({ description: 'Markdown. Ends with a numbered list of links to the cited sections.' }),
          refusal: z.null(),
          annotations: z.array(annotationSchema),
        }),
        logprobs: z.null(),
        finish_reason: finishReasonSchema,
      }),
    ),
    usage: usageSchema,
    citations: citationsSchema,
  })
  .meta({ id: 'ChatCompletion' })

export const chatModelSchema = z
  .object({
    id: z.string(),
    object: z.literal('model'),
    created: z.int().meta({ description: "When the site's index was built: Unix time in seconds." }),
    owned_by: z.string().meta({ description: 'Slug of the site.' }),
  })
  .meta({ id: 'ChatModel' })

export const chatModelListSchema = z
  .object({ object: z.literal('list'), data: z.array(chatModelSchema) })
  .meta({ id: 'ChatModelList' })

export type ChatCompletion = z.output<typeof chatCompletionSchema>
type Annotation = z.output<typeof annotationSchema>

interface CitedLink {
  url: string
  title: string
  /** Number of the cited section; infinite if no sentence rests on it. */
  number: number
}

/** An answer as a chat completion, collected from its events. */
export class ChatAnswer {
  readonly #created: number
  #id = ''
  #text = ''
  #links: CitedLink[] = []
  readonly #textStarts = new Map<string, number>()
  /** By the id of the citation, which may be sent again. */
  #sentences = new Map<string, Annotation>()
  /** Where the current step began. */
  #step = { text: 0, links: 0 }
  #annotations: Annotation[] = []
  #finishReason: FinishReason = 'stop'
  #failure: Extract<AnswerEvent, { type: 'answer-failed' }> | null = null
  #usage: TokenUsage = { inputTokens: 0, outputTokens: 0 }

  /** @param startedAtMs UTC. */
  constructor(startedAtMs: number) {
    this.#created = Math.floor(startedAtMs / 1_000)
  }

  /**
   * Adds an event.
   *
   * The content ends with a list of links, because many front ends show nothing else of a reply.
   *
   * @returns The text that it adds to the content.
   */
  add(event: AnswerEvent): string {
    if (event.type === 'answer-started') this.#id = event.messageId
    if (event.type === 'text-delta') return this.#append(event.text)
    if (event.type === 'text-started') this.#textStarts.set(event.id, this.#text.length)
    if (event.type === 'sentence-cited') this.#sentences.set(event.id, this.#annotate(event.citation))
    if (event.type === 'source-cited') this.#link(event)
    if (event.type === 'step-started') this.#step = { text: this.#text.length, links: this.#links.length }
    if (event.type === 'step-restarted') this.#takeBack()
    if (event.type === 'answer-failed') this.#failure = event
    if (event.type !== 'answer-finished') return ''
    this.#finishReason = event.finishReason
    this.#usage = event.usage
    return this.#append(this.#close())
  }

  get head() {
    return { id: this.#id, created: this.#created, model: chatModelId }
  }

  /** Why the answer broke off, or null. */
  get failure() {
    return this.#failure
  }

  get annotations(): readonly Annotation[] {
    return this.#annotations
  }

  /** Addresses of the cited sections, as far as they are known. */
  get citations(): string[] {
    return this.#links.map(({ url }) => url)
  }

  get finishReason(): z.output<typeof finishReasonSchema> {
    if (this.#finishReason === 'content-filter') return 'content_filter'
    return this.#finishReason === 'length' ? 'length' : 'stop'
  }

  get usage(): z.output<typeof usageSchema> {
    const { inputTokens, outputTokens } = this.#usage
    return { prompt_tokens: inputTokens, completion_tokens: outputTokens, total_tokens: inputTokens + outputTokens }
  }

  /** The whole completion, after the last event. */
  complete(): ChatCompletion {
    const message = { role: 'assistant' as const, content: this.#text, refusal: null, annotations: this.#annotations }
    return {
      ...this.head,
      object: 'chat.completion',
      choices: [{ index: 0, message, logprobs: null, finish_reason: this.finishReason }],
      usage: this.usage,
      citations: this.citations,
    }
  }

  #link({ url, title, passage }: Extract<AnswerEvent, { type: 'source-cited' }>): void {
    this.#links.push({ url, title, number: passage?.number ?? Infinity })
  }

  #annotate({ url, title, answer }: Citation): Annotation {
    return toAnnotation({ url, title, ...placeInMessage(answer, this.#textStarts) })
  }

  /** Sources that no sentence rests on are annotated in the list. */
  #close(): string {
    this.#links.sort((one, other) => (one.number < other.number ? -1 : Number(one.number > other.number)))
    const { text, spans } = writeLinkList(this.#links, this.#text.length)
    const unused = spans.filter(({ number }) => number === Infinity)
    this.#annotations = [...this.#sentences.values(), ...unused.map(toAnnotation)]
    return text
  }

  #takeBack(): void {
    this.#text = this.#text.slice(0, this.#step.text)
    this.#links = this.#links.slice(0, this.#step.links)
    const kept = [...this.#sentences].filter(([, { url_citation: span }]) => span.end_index <= this.#step.text)
    this.#sentences = new Map(kept)
  }

  #append(text: string): string {
    this.#text += text
    return text
  }
}

function toAnnotation({ url, title, start, end }: LinkSpan): Annotation {
  return { type: 'url_citation', url_citation: { url, title, start_index: start, end_index: end } }
}

/** A completion whose text is known from the start. */
export function completeChat(id: string, nowMs: number, text: string): ChatCompletion {
  const answer = new ChatAnswer(nowMs)
  answer.add({ type: 'answer-started', messageId: id, threadId: '' })
  answer.add({ type: 'text-delta', id: 'text', text })
  return answer.complete()
}
