import type { Block, MessagesReply, MessagesRequest } from './anthropic-server.ts'

/** A page that the editor has to change, and a site of such pages. */
const wrongWord = 'flange'
const rightWord = 'gasket'
export const editorPrompt = `On every page under guides, write ${rightWord} in place of ${wrongWord}.`

/** @param chars Of each page, about. */
export function listPages(count: number, chars: number): Map<string, string> {
  return new Map(
    Array.from({ length: count }, (_, index) => {
      const number = String(index + 1).padStart(3, '0')
      const body = Array.from({ length: Math.ceil(chars / 400) }, (__, section) => writeSection(index, section))
      return [`guides/part-${number}.mdx`, `---\ntitle: Part ${number}\n---\n\n${body.join('\n\n')}\n`] as const
    }),
  )
}

function writeSection(page: number, section: number): string {
  const word = section === 2 ? wrongWord : 'valve'
  const facts = Array.from(
    { length: 6 },
    (_, index) => `Reading ${page * 97 + section * 31 + index} is kept below ${section + index} bar.`,
  )
  return `## Section ${section + 1}\n\nThe ${word} of pump ${page}-${section} is changed after ${100 + section} hours. ${facts.join(' ')}`
}

/** What an editor knows of its work, from the conversation that it is sent and from nothing else. */
interface Known {
  pages: string[]
  edited: Set<string>
  /** Read in the newest step, with its text. */
  open: string[]
  isAskedForSummary: boolean
}

/**
 * A model that knows what to do: it lists the pages, reads and changes one after the other, and finishes. It goes by its
 * conversation alone, so that what is dropped from it without a trace is done again or not at all.
 */
export function playEditor(request: MessagesRequest): MessagesReply {
  const known = readKnown(request)
  if (known.isAskedForSummary) return { text: summarize(known) }
  if (known.pages.length === 0) {
    const items = [
      { text: 'List the pages under guides', state: 'doing' },
      { text: 'Change each', state: 'open' },
    ]
    return {
      calls: [
        { tool: 'plan', input: { items } },
        { tool: 'list', input: { under: 'guides' } },
      ],
    }
  }
  const path = known.pages.find((page) => !known.edited.has(page))
  if (path === undefined) {
    const title = `Write ${rightWord} in place of ${wrongWord}`
    return {
      text: 'All pages are done.',
      calls: [{ tool: 'finish', input: { title, summary: `Changed ${known.edited.size} pages, as asked.` } }],
    }
  }
  if (!known.open.includes(path)) return { text: `Next is ${path}.`, calls: [{ tool: 'read', input: { path } }] }
  const input = { path, find: `The ${wrongWord} of`, replace: `The ${rightWord} of` }
  return { text: `${path} names it once, in its third section.`, calls: [{ tool: 'edit', input }] }
}

const headings = { done: 'Changed so far', open: '## Open' }

function summarize({ pages, edited }: Known): string {
  const left = pages.filter((page) => !edited.has(page))
  return [
    `## Task\n${editorPrompt}`,
    `## Done\n${edited.size} pages, each with one edit that was accepted. Nothing else was changed.`,
    `${headings.open}\n${left.join('\n')}`,
    '## Decisions\nThe word stands in the third section of each page, once, in the sentence about the hours.',
    '## Problems\nNone.',
  ].join('\n\n')
}

function readKnown({ messages }: MessagesRequest): Known {
  const known: Known = { pages: [], edited: new Set(), open: [], isAskedForSummary: false }
  const calls = new Map<unknown, Block>()
  for (const [index, { role, content }] of messages.entries()) {
    for (const block of content) {
      if (block.type === 'tool_use') calls.set(block['id'], block)
      if (block.type === 'tool_result')
        readResult(known, calls.get(block['tool_use_id']), block, index === messages.length - 1)
      if (block.type === 'text' && role === 'user')
        readText(known, String(block['text']), index === messages.length - 1)
      if (block.type === 'text' && role === 'assistant') readEarlierRounds(known, String(block['text']))
    }
  }
  return known
}

function readText(known: Known, text: string, isNewest: boolean): void {
  const paths = (part: string) => part.match(/guides\/part-\d+\.mdx/g) ?? []
  if (isNewest && text.includes('about to be dropped')) known.isAskedForSummary = true
  const [before = '', after = ''] = text.split(headings.done)
  if (text.includes(headings.open)) known.pages = paths(before)
  for (const path of paths(after)) known.edited.add(path)
}

/** What the program says in its place of rounds before this one. */
function readEarlierRounds(known: Known, text: string): void {
  for (const [, paths = ''] of text.matchAll(/^I changed (.*)\.$/gm))
    for (const path of paths.split(', ')) known.edited.add(path)
}

function readResult(known: Known, call: Block | undefined, result: Block, isNewest: boolean): void {
  const { path } = (call?.['input'] ?? {}) as { path?: string } // Of our own calls.
  const text = JSON.stringify(result['content'])
  if (call?.['name'] === 'list') known.pages = text.match(/guides\/part-\d+\.mdx/g) ?? known.pages
  if (path === undefined || result['is_error'] === true) return
  if (call?.['name'] === 'edit') known.edited.add(path)
  if (call?.['name'] === 'read' && isNewest) known.open.push(path)
}
