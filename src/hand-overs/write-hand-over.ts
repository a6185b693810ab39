import type { HandOver } from '../store/hand-overs/hand-overs.ts'

/** What people read of a message. Everything in it may be hostile. */
interface WrittenHandOver {
  /** One line without anything that a reader wrote. */
  title: string
  body: string
}

const speakers = { user: 'Reader', assistant: 'Answer' } as const

/** Plain text. */
export function writeHandOverMail(handOver: HandOver, siteName: string): WrittenHandOver {
  const blocks = listBlocks(handOver).map(([name, text]) => `${name}:\n${text}`)
  return { title: nameHandOver(siteName), body: `${blocks.join('\n\n')}\n` }
}

/** Markdown in which everything from outside is code, so that it mentions nobody, links nothing and runs no command. */
export function writeHandOverIssue(handOver: HandOver, siteName: string): WrittenHandOver {
  const blocks = listBlocks(handOver).map(([name, text]) => `${fence(name)}\n${fence(text)}`)
  return { title: nameHandOver(siteName), body: `A reader wrote this:\n\n${blocks.join('\n\n')}\n` }
}

/** Names of sites may contain line breaks and marks, too. */
function nameHandOver(siteName: string): string {
  const name = siteName
    .replace(/[^\p{L}\p{N} .-]+/gu, ' ')
    .replace(/ +/g, ' ')
    .trim()
  return `Message from a reader of ${name.slice(0, 80)}`
}

function listBlocks({ fields, page, transcript }: HandOver): [name: string, text: string][] {
  return [
    ...fields.map(({ label, value }): [string, string] => [label, value]),
    ...(page === null ? [] : [['Page', page] as [string, string]]),
    ...transcript.map(({ role, text }): [string, string] => [speakers[role], text]),
  ]
}

/** A code block that its text cannot end. */
function fence(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length))
  const marks = '`'.repeat(longest + 1)
  return `${marks}text\n${text}\n${marks}`
}
