/** @jsxImportSource preact */
import { listSources } from '../../../packages/docent-client/src/answer-sources.ts'
import type { Say } from '../words/make-say.ts'
import type { PanelContext } from './panel-context.ts'
import type { Turn } from './turn.ts'

/** Assistants, with the address that begins a conversation with a prompt. */
const assistants: readonly (readonly [name: string, address: string, parameter: string])[] = [
  ['Claude', 'https://claude.ai/new', 'q'],
  ['ChatGPT', 'https://chatgpt.com/?hints=search', 'prompt'],
  ['Cursor', 'https://cursor.com/link/prompt', 'text'],
]

/** Addresses have a limit; what is longer helps no assistant. */
const questionCharsMax = 1_000
const pagesMax = 3

/** Links that continue with the question in another assistant, which reads the pages of the answer as Markdown. */
export function OpenIn({ context, turn }: { context: PanelContext; turn: Turn }) {
  const { tag, say } = context
  const prompt = writePrompt(say, turn, `${tag.url}/sites/${encodeURIComponent(tag.site)}`)
  return (
    <ul class="more" aria-label={say('openIn')}>
      {assistants.map(([name, address, parameter]) => (
        <li key={name}>
          <a class="chip" target="_blank" rel="noopener noreferrer" href={addParameter(address, parameter, prompt)}>
            {name}
          </a>
        </li>
      ))}
    </ul>
  )
}

function addParameter(address: string, name: string, value: string): string {
  const url = new URL(address)
  url.searchParams.set(name, value)
  return url.href
}

/** @param base Where the service serves the site. */
function writePrompt(say: Say, turn: Turn, base: string): string {
  const paths = listSources(turn).flatMap(({ citations }) => citations.map(({ source }) => source.path))
  const pages = [...new Set(paths)]
    .slice(0, pagesMax)
    .map((path) => `${base}${path === '/' ? '/index' : encodeURI(path)}.md`)
  const question = turn.question.slice(0, questionCharsMax)
  return say('openInPrompt', { pages: pages.length > 0 ? pages.join(' ') : `${base}/llms.txt`, question })
}
