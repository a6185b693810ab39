/** A comment's request to the agent. */
export interface AddressedInstruction {
  /** The author's own words including code, without the agent's name; empty if there are no others. */
  instruction: string
  /** Quoted words of others: the subject of the request, never the request itself. Empty if there are none. */
  quoted: string
}

/**
 * Extracts a comment's request to the agent. The name does not count in quotations, code or HTML comments, which
 * someone else wrote or no one reads.
 *
 * Comments are untrusted, so this is a single pass over lines and characters.
 *
 * @param comment Markdown.
 * @param name Without `@`; letters, digits and `.`, `_`, `-`.
 * @returns Null if the comment does not address the agent.
 */
export function readAddressedInstruction(comment: string, name: string): AddressedInstruction | null {
  const visible = comment.replaceAll(/\r\n?/g, '\n').replaceAll(/<!--[\s\S]*?(?:-->|$)/g, '')
  const { own, spoken, quoted } = splitLines(visible)
  const escaped = name.replaceAll(/[.-]/g, String.raw`\$&`)
  // Not part of an e-mail address, a path, a longer name, or a team name.
  const pattern = String.raw`(?<![\w@/.-])@${escaped}(?![\w/@-]|\.\w)`
  const mention = new RegExp(pattern, 'i').exec(blankInlineCode(spoken))
  if (mention === null) return null
  const before = own.slice(0, mention.index).trimEnd()
  const after = own.slice(mention.index + mention[0].length).replace(/^[:,]/, '')
  return { instruction: `${before} ${after.trimStart()}`.trim(), quoted: quoted.trim() }
}

interface CommentLines {
  /** Lines that are not quoted. */
  own: string
  /** The same lines with code blanked out, so that offsets stay equal. */
  spoken: string
  quoted: string
}

function splitLines(text: string): CommentLines {
  const lines: Record<keyof CommentLines, string[]> = { own: [], spoken: [], quoted: [] }
  let fence: string | null = null
  let isAfterBlank = true
  for (const line of text.split('\n')) {
    const marker = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    const isQuote = fence === null && /^ {0,3}>/.test(line)
    const isCode: boolean = fence !== null || marker !== undefined || (isAfterBlank && /^(?: {4}|\t)/.test(line))
    isAfterBlank = line.trim() === '' || (isCode && fence === null && marker === undefined)
    if (isQuote) {
      lines.quoted.push(line.replace(/^ {0,3}> ?/, ''))
      continue
    }
    lines.own.push(line)
    lines.spoken.push(isCode ? blank(line) : line)
    if (fence === null) fence = marker ?? null
    else if (marker?.startsWith(fence) === true && line.trim() === marker) fence = null
  }
  return { own: lines.own.join('\n'), spoken: lines.spoken.join('\n'), quoted: lines.quoted.join('\n') }
}

function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ')
}

/** A run of backticks opens inline code if a run of the same length follows in the paragraph. */
function blankInlineCode(text: string): string {
  return text
    .split(/(\n[ ]*\n)/)
    .map(blankCodeOfParagraph)
    .join('')
}

function blankCodeOfParagraph(paragraph: string): string {
  const runs = [...paragraph.matchAll(/`+/g)].map(({ 0: { length }, index }) => ({ length, index }))
  const closing = findClosingRuns(runs)
  let blanked = ''
  let at = 0
  for (const [index, run] of runs.entries()) {
    const end = closing[index]
    if (run.index < at || end === undefined) continue
    const stop = end.index + end.length
    blanked += paragraph.slice(at, run.index) + blank(paragraph.slice(run.index, stop))
    at = stop
  }
  return blanked + paragraph.slice(at)
}

interface BacktickRun {
  length: number
  index: number
}

/** For each run, the next one of the same length. Searched backwards, to stay linear for any mix of lengths. */
function findClosingRuns(runs: readonly BacktickRun[]): (BacktickRun | undefined)[] {
  const next = new Map<number, BacktickRun>()
  return runs
    .toReversed()
    .map((run) => {
      const closing = next.get(run.length)
      next.set(run.length, run)
      return closing
    })
    .toReversed()
}
