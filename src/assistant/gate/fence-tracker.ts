/** A block quote or a list item that later lines may belong to. */
type Container = { kind: 'quote'; indent: number } | { kind: 'item'; offset: number; delimiter: string }

interface Fence {
  marker: string
  size: number
  indent: number
  containers: readonly Container[]
}

/** Where the text of a line begins after its containers. */
interface Inside {
  position: number
  /** How many containers the line belongs to, from the outermost. */
  matched: number
  /** The markers and indentation of those containers, as written for a line of code. */
  prefix: string
}

/** What precedes the text of a line: markers of quotes and lists, and of table rows. */
export const lineHead = /[ \t>|:*+\-.)\d]*/y

const containersMax = 16
const closingLine = /^(`+|~+)[ \t]*$/
const itemMark = /(?:([-+*])|(\d{1,9})([.)]))( {1,4})(?=[^ ])/y

/**
 * Distinguishes lines of fenced code from others, in lists and block quotes too, as CommonMark does.
 *
 * It must never mistake for code what a renderer treats as text. So it counts only containers that are certainly open,
 * and indents lines of code that might fall out of an unknown container to the level of their fence, which renders the
 * same.
 */
export class FenceTracker {
  #containers: Container[] = []
  #fence: Fence | null = null
  #isAfterBlank = true

  get isInFence(): boolean {
    return this.#fence !== null
  }

  /**
   * Reads the head of a line of text and records which containers it opens and closes.
   *
   * @param next The first character after the head; empty at the end of the line.
   * @returns Columns between the last container and the text; null if no fence may begin there.
   */
  readHead(head: string, next: string): number | null {
    const wasAfterBlank = this.#isAfterBlank
    this.#isAfterBlank = next === '' && /^(?: {0,3}>)*[ \t]*$/.test(head)
    if (head.includes('\t')) {
      this.#containers = []
      return null
    }
    const line = head + next
    const { position, matched } = enterContainers(line, this.#containers, 3)
    const sibling = this.#containers[matched]
    this.#containers.length = matched
    const end = next === '' ? position : this.#openContainers(line, position, wasAfterBlank, sibling)
    const indent = head.length - end
    return indent >= 0 && indent <= 3 && line.slice(end, head.length).trim() === '' ? indent : null
  }

  /** @param run The backticks or tildes after the head last read by `readHead`. */
  open(run: string, indent: number): void {
    this.#fence = { marker: run.charAt(0), size: run.length, indent, containers: [...this.#containers] }
  }

  /**
   * Reads the beginning of a line of code.
   *
   * @param line The whole line without its end, or enough of it to rule out a closing fence.
   * @returns What to write instead; null if the line is no longer code.
   */
  readCodeLine(line: string): string | null {
    const fence = this.#fence
    if (fence === null) return null
    if (fence.containers.length === 0 && fence.indent === 0) {
      if (closesFence(line.replace(/^ {0,3}/, ''), fence)) this.#fence = null
      return line
    }
    const bare = expandTabs(line)
    const { position, matched, prefix } = enterContainers(bare, fence.containers, Infinity)
    if (matched < fence.containers.length) {
      this.#fence = null
      return null
    }
    const rest = bare.slice(position)
    const code = rest.trimStart()
    if (code === '') return prefix + rest
    const isClosing = closesFence(code, fence)
    if (isClosing) this.#fence = null
    const indent = isClosing ? fence.indent : Math.max(fence.indent, rest.length - code.length)
    return prefix + ' '.repeat(indent) + code
  }

  /** @returns The line that closes an open fence; empty if none is open. */
  close(): string {
    const fence = this.#fence
    if (fence === null) return ''
    this.#fence = null
    const prefix = fence.containers.map((container) =>
      container.kind === 'quote' ? `${' '.repeat(container.indent)}> ` : ' '.repeat(container.offset),
    )
    return prefix.join('') + ' '.repeat(fence.indent) + fence.marker.repeat(fence.size)
  }

  #openContainers(line: string, start: number, isAfterBlank: boolean, sibling: Container | undefined): number {
    let position = start
    let previous = sibling
    while (this.#containers.length < containersMax) {
      const indent = countSpaces(line, position)
      if (indent > 3) break
      const at = position + indent
      if (line[at] === '>') {
        this.#containers.push({ kind: 'quote', indent })
        position = skipQuote(line, at)
      } else {
        const item = readItem(line, at, isAfterBlank, previous)
        if (item === null) break
        this.#containers.push({ kind: 'item', offset: indent + item.width, delimiter: item.delimiter })
        position = at + item.width
      }
      previous = undefined
    }
    return position
  }
}

function closesFence(code: string, { marker, size }: Fence): boolean {
  const run = closingLine.exec(code)?.[1]
  return run !== undefined && run.startsWith(marker) && run.length >= size
}

/** Reads an unambiguous list item: a number other than 1 must follow a blank line or an item of its list. */
function readItem(line: string, at: number, isAfterBlank: boolean, sibling: Container | undefined) {
  itemMark.lastIndex = at
  const found = itemMark.exec(line)
  if (found === null) return null
  const [{ length: width }, bullet, number, delimiter = ''] = found
  if (bullet !== undefined) return { width, delimiter: bullet }
  const isCertain = number === '1' || isAfterBlank || (sibling?.kind === 'item' && sibling.delimiter === delimiter)
  return isCertain ? { width, delimiter } : null
}

/** @param indentMax Most spaces before a quote marker; unlimited for code, which is re-indented. */
function enterContainers(line: string, containers: readonly Container[], indentMax: number): Inside {
  let position = 0
  let prefix = ''
  for (const [matched, container] of containers.entries()) {
    const indent = countSpaces(line, position)
    const at = position + indent
    if (container.kind === 'item') {
      if (at === line.length) continue
      if (indent < container.offset) return { position, matched, prefix }
      position += container.offset
      prefix += ' '.repeat(container.offset)
    } else {
      if (indent > indentMax || line[at] !== '>') return { position, matched, prefix }
      position = skipQuote(line, at)
      prefix += ' '.repeat(container.indent) + line.slice(at, position)
    }
  }
  return { position, matched: containers.length, prefix }
}

function countSpaces(line: string, start: number): number {
  let position = start
  while (line[position] === ' ') position++
  return position - start
}

/** Skips a quote marker and the space that belongs to it. */
function skipQuote(line: string, at: number): number {
  return line[at + 1] === ' ' ? at + 2 : at + 1
}

/** Expands tabs before the text of a line to the next multiple of four columns. */
function expandTabs(line: string): string {
  const head = /^[ \t>]*/.exec(line)?.[0] ?? ''
  if (!head.includes('\t')) return line
  let expanded = ''
  for (const character of head) expanded += character === '\t' ? ' '.repeat(4 - (expanded.length % 4)) : character
  return expanded + line.slice(head.length)
}
