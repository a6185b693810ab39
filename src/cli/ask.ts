import { decodeUiMessageStream } from '../contract/ui-message-stream.ts'
import type { Output } from './output.ts'
import { postAsReader } from './post-as-reader.ts'

export interface AskOptions {
  question: string
  /** Slug of the site. */
  site: string
  key?: string | undefined
}

/** `docent ask`: streams the answer, then prints the pages it cites. */
export async function ask(output: Output, { question, site, key }: AskOptions): Promise<void> {
  const response = await postAsReader({
    command: 'ask',
    site,
    key,
    path: '/discovery/v2/assistant',
    pathEnd: '/message',
    body: { fp: 'docent-ask', messages: [{ role: 'user', parts: [{ type: 'text', text: question }] }] },
  })
  if (response.body === null) throw new Error('The server sent no answer. Ask again.')
  await printAnswer(output, response.body)
}

async function printAnswer(output: Output, body: ReadableStream<Uint8Array>): Promise<void> {
  const sources: { title: string; url: string }[] = []
  let text = ''
  for await (const frame of decodeUiMessageStream(readText(body))) {
    if (frame.type === 'text-delta') {
      text += frame.delta
      output.write(frame.delta)
    }
    if (frame.type === 'source-url') sources.push({ title: frame.title ?? '', url: frame.url })
    if (frame.type === 'error') throw new Error(frame.errorText)
  }
  const list = sources.map(({ title, url }) => `  ${title}  ${url}`).join('\n')
  output.result({ text, sources }, () => (list === '' ? '' : `\n\nSources:\n${list}`))
}

export async function* readText(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  for await (const bytes of body) yield decoder.decode(bytes, { stream: true })
}
