import { makeAnew } from '../flatten/source-library.ts'
import { readHeading, splitBlocks } from '../markdown/markdown-blocks.ts'
import type { SitePage } from '../site-page.ts'

/** What the site describes of one program. */
export interface CommandReference {
  /** Path of the page. */
  page: string
  file: string
  /** Commands with their subcommands, such as `docent site add`. */
  commands: ReadonlySet<string>
  flags: ReadonlySet<string>
}

/** Headings that are commands, from which on a page is a reference. */
const commandsMin = 3
const command = /^`?([a-z][\w-]{1,30}(?: [a-z][\w:-]*){1,3})(?=$|`| [[<({-])/
const flag = /(?<![\w-])--?[a-zA-Z][\w-]*/g

/** Tools that everybody documents in part. */
const foreign =
  /^(?:npm|npx|pnpm|yarn|bun|bunx|deno|node|git|docker|pip|pipx|uv|poetry|python|cargo|go|curl|brew|apt|kubectl|helm|the|how|what|why|when|use|using|add|with|set)$/

/** Finds pages with a section for each command of a program, and what they describe. By program. */
export function readCommandReferences(
  pages: readonly Pick<SitePage, 'path' | 'file' | 'markdown'>[],
  remember = makeAnew,
): Map<string, CommandReference> {
  const references = new Map<string, CommandReference>()
  for (const { path, file, markdown } of pages) {
    for (const { program, commands, flags } of remember('commands', [markdown], () => listPrograms(markdown))) {
      const known = references.get(program)
      references.set(program, {
        page: known?.page ?? path,
        file: known?.file ?? file,
        commands: new Set([...(known?.commands ?? []), ...commands]),
        flags: new Set([...(known?.flags ?? []), ...flags]),
      })
    }
  }
  return references
}

function listPrograms(markdown: string): { program: string; commands: string[]; flags: string[] }[] {
  const headings = splitBlocks(markdown).filter(({ kind }) => kind === 'heading')
  const named = headings.flatMap(
    ({ text }) =>
      command.exec(text.includes('`') ? `\`${text.split('`')[1] ?? ''}\`` : readHeading(text).text)?.[1] ?? [],
  )
  const programs = Map.groupBy(named, (name) => name.split(' ')[0] ?? '')
  return [...programs].flatMap(([program, commands]) => {
    if (commands.length < commandsMin || foreign.test(program) || !markdown.includes(`${program} `)) return []
    const flags = markdown.match(flag) ?? []
    const mentioned = markdown.matchAll(/(?<![\w-])([a-z][\w-]{1,30}) ([a-z][\w-]*)/g)
    const subcommands = [...mentioned].flatMap(([, name, word]) => (name === program ? `${name} ${word}` : []))
    return { program, commands: [...commands, ...subcommands], flags }
  })
}
