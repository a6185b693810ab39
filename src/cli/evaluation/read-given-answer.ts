import { z } from 'zod'
import { decodeUiMessageStream } from '../../contract/ui-message-stream.ts'
import { type AnswerVerdict, readVerdict } from '../../contract/verdicts.ts'
import type { GivenAnswer } from './score-answer.ts'

const passageSchema = z.object({ path: z.string(), metadata: z.object({ href: z.string() }) })

/** Reads the stream of an answer to its end. */
export async function readGivenAnswer(stream: AsyncIterable<string>, question: string): Promise<GivenAnswer> {
  const answer = {
    text: '',
    isAnswered: false,
    verdict: null as AnswerVerdict | null,
    sources: [] as { path: string; version: string | null }[],
  }
  const paths = new Map<string, string>()
  for await (const frame of decodeUiMessageStream(stream)) {
    if (frame.type === 'text-delta') answer.text += frame.delta
    if (frame.type === 'source-url') {
      const { version = null } = frame.providerMetadata?.docent ?? {}
      answer.sources.push({ path: withoutAnchor(frame.sourceId), version })
    }
    if (frame.type === 'tool-output-available') for (const [url, path] of listPages(frame.output)) paths.set(url, path)
    if (frame.type === 'finish') {
      answer.isAnswered = frame.messageMetadata?.['answered'] === true
      answer.verdict = readVerdict(frame.messageMetadata?.['verdict'])
    }
    if (frame.type === 'error') throw new Error(`The answer to “${question}” failed: ${frame.errorText}`)
  }
  return { ...answer, links: listLinks(answer.text).flatMap((url) => paths.get(url) ?? []) }
}

/** URL and path of each page that a tool returned. An answer links no others. */
function listPages(output: unknown): [url: string, path: string][] {
  return [output].flat().flatMap((value) => {
    const { data } = passageSchema.safeParse(value)
    return data === undefined ? [] : [[withoutAnchor(data.metadata.href), data.path]]
  })
}

/** Targets of Markdown links, which are absolute for programs. */
function listLinks(text: string): string[] {
  return [...text.matchAll(/\]\(([^()\s]*)\)/g)].map(([, target = '']) => withoutAnchor(target))
}

function withoutAnchor(url: string): string {
  return url.replace(/#.*$/, '')
}
