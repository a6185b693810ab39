import { openDataFolder, readServerAddress } from '../app/data-folder.ts'
import { readEnvironment } from '../config/read-environment.ts'
import { AppError } from '../contract/app-error.ts'
import { errorBodySchema } from '../contract/error-body.ts'
import { decodeUiMessageStream } from '../contract/ui-message-stream.ts'
import type { Output } from './output.ts'

export interface AskOptions {
  question: string
  /** Slug of the site. */
  site: string
  key?: string | undefined
}

/** `docent ask`: prints the answer as it streams, then the pages it cites. */
export async function ask(output: Output, { question, site, key }: AskOptions): Promise<void> {
  const settings = readEnvironment()
  const address = await readServerAddress(await openDataFolder(settings))
  if (address === null) throw new Error('No server runs on this data folder. Start one with: npm start')
  const secret = key ?? settings.assistantKey
  if (secret === undefined) {
    throw new Error(
      `Pass an assistant key with --key. Make one with: docent key create --kind assistant --name ask --site ${site}`,
    )
  }
  const response = await fetch(`${address.url}/discovery/v2/assistant/${encodeURIComponent(site)}/message`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ fp: 'docent-ask', messages: [{ role: 'user', parts: [{ type: 'text', text: question }] }] }),
  })
  if (!response.ok || response.body === null) throw await readFailure(response)
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

async function* readText(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  for await (const bytes of body) yield decoder.decode(bytes, { stream: true })
}

async function readFailure(response: Response): Promise<AppError> {
  const { code, error } = errorBodySchema.parse(await response.json())
  return new AppError(code, error)
}
