/** A block quote, or an item of a list, that later lines may belong to. */
type Container = { kind: 'quote'; indent: number } | { kind: 'item'; offset: number; delimiter: string }

interface Fence {
  marker: string
  size: number
  indent: number
  containers: readonly Container[]
}

/** What stands before the text of a line: marks of quotes and lists, and of rows of tables. */
export const lineHead = /[ \t>|:*+\-.)\d]*/y

const containersMax = 16
const closingLine = /^(`+|~+)[ \t]*$/
const bullet = /([-+*])( {1,4})(?=[^ ])/y
const ordinal = /(\d{1,9})([.)])( {1,4})(?=[^ ])/y

/**
 * Tells the lines of fenced code from others, in lists and block quotes too, as CommonMark does.
 *
 * It must never take for code what a renderer takes for text. So it counts only the containers that are certainly open,
 * and lines of code that might fall out of a container that it does not know of are indented as far as their fence is,
 * which changes nothing of what is shown.
 */
export class FenceTracker {
  #containers: Container[] = []
  #fence: Fence | null = null
  #isAfterBlank = true

  get isInFence(): boolean {
    return this.#fence !== null
  }

  /**
   * Takes the head of a line of text and notes what it opens and closes.
   *
   * @param next The first characters after the head; empty at the end of the line.
   * @returns How far the last container is from the text, in columns; null when no fence may begin there.
   */
  readHead(head: string, next: string): number | null {
    const wasAfterBlank = this.#isAfterBlank
    this.#isAfterBlank = next === '' && /^(?: {0,3}>)*[ \t]*$/.test(head)
    if (head.includes('\t')) {
      this.#containers = []
      return null
    }
    const line = head + next
    const { position, matched } = this.#matchContainers(line)
    const left = this.#containers[matched]
    this.#containers.length = matched
    const end = next === '' ? position : this.#openContainers(line, position, wasAfterBlank, left)
    const indent = head.length - end
    return indent >= 0 && indent <= 3 && line.slice(end, head.length).trim() === '' ? indent : null
  }

  /** @param run The backticks or tildes after the head that `readHead` took last. */
  open(run: string, indent: number): void {
    this.#fence = { marker: run[0] ?? '`', size: run.length, indent, containers: [...this.#containers] }
  }

  /**
   * Takes the beginning of a line of code.
   *
   * @param line The whole line without its end, or as much of it as shows that it is not a closing fence.
   * @returns What is to be written instead of it; null when the line is no code any more.
   */
  readCodeLine(line: string): string | null {
    const fence = this.#fence
    if (fence === null) return null
    if (fence.containers.length === 0 && fence.indent === 0) {
      if (this.#closes(line.replace(/^ {0,3}/, ''), fence)) this.#fence = null
      return line
    }
    const bare = expandTabs(line)
    const inside = enterContainers(bare, fence.containers)
    if (inside === null) {
      this.#fence = null
      return null
    }
    const rest = bare.slice(inside.position)
    const code = rest.trimStart()
    const isClosing = this.#closes(code, fence)
    if (isClosing) this.#fence = null
    const indent = isClosing ? fence.indent : Math.max(fence.indent, rest.length - code.length)
    return code === '' ? inside.prefix + rest : inside.prefix + ' '.repeat(indent) + code
  }

  /** @returns The line that closes an open fence; null when none is open. */
  close(): string | null {
    const fence = this.#fence
    if (fence === null) return null
    this.#fence = null
    const prefix = fence.containers.map((container) =>
      container.kind === 'quote' ? `${' '.repeat(container.indent)}> ` : ' '.repeat(container.offset),
    )
    return prefix.join('') + ' '.repeat(fence.indent) + fence.marker.repeat(fence.size)
  }

  #closes(code: string, { marker, size }: Fence): boolean {
    const run = closingLine.exec(code)?.[1]
    return run !== undefined && run.startsWith(marker) && run.length >= size
  }

  #matchContainers(line: string): { position: number; matched: number } {
    let position = 0
    for (const [index, container] of this.#containers.entries()) {
      const indent = countSpaces(line, position)
      if (container.kind === 'item') {
        if (position + indent === line.length) continue
        if (indent < container.offset) return { position, matched: index }
        position += container.offset
      } else {
        if (indent > 3 || line[position + indent] !== '>') return { position, matched: index }
        position = skipQuote(line, position + indent)
      }
    }
    return { position, matched: this.#containers.length }
  }

  #openContainers(line: string, start: number, isAfterBlank: boolean, left: Container | undefined): number {
    let position = start
    let sibling = left
    while (this.#containers.length < containersMax) {
      const indent = countSpaces(line, position)
      if (indent > 3) break
      const at = position + indent
      if (line[at] === '>') {
        this.#containers.push({ kind: 'quote', indent })
        position = skipQuote(line, at)
      } else {
        const item = readItem(line, at, isAfterBlank, sibling)
        if (item === null) break
        this.#containers.push({ kind: 'item', offset: indent + item.width, delimiter: item.delimiter })
        position = at + item.width
      }
      sibling = undefined
    }
    return position
  }
}

/** An item that certainly is one: a number other than 1 needs a blank line or its list before it. */
function readItem(line: string, at: number, isAfterBlank: boolean, sibling: Container | undefined) {
  bullet.lastIndex = at
  const marker = bullet.exec(line)
  if (marker !== null) return { width: marker[0].length, delimiter: marker[1] ?? '' }
  ordinal.lastIndex = at
  const numbered = ordinal.exec(line)
  if (numbered === null) return null
  const delimiter = numbered[2] ?? ''
  const isCertain = numbered[1] === '1' || isAfterBlank || (sibling?.kind === 'item' && sibling.delimiter === delimiter)
  return isCertain ? { width: numbered[0].length, delimiter } : null
}

/** Null when the line lies outside of one of them. */
function enterContainers(line: string, containers: readonly Container[]): { position: number; prefix: string } | null {
  let position = 0
  let prefix = ''
  for (const container of containers) {
    const indent = countSpaces(line, position)
    if (container.kind === 'item') {
      if (position + indent === line.length) continue
      if (indent < container.offset) return null
      position += container.offset
      prefix += ' '.repeat(container.offset)
    } else {
      if (line[position + indent] !== '>') return null
      const end = skipQuote(line, position + indent)
      prefix += `${' '.repeat(container.indent)}${line.slice(position + indent, end)}`
      position = end
    }
  }
  return { position, prefix }
}

function countSpaces(line: string, start: number): number {
  let position = start
  while (line[position] === ' ') position++
  return position - start
}

/** A quote's mark and the space that belongs to it. */
function skipQuote(line: string, at: number): number {
  return line[at + 1] === ' ' ? at + 2 : at + 1
}

/** Tabs before the text of a line, as far as the next of every fourth column. */
function expandTabs(line: string): string {
  const head = /^[ \t>]*/.exec(line)?.[0] ?? ''
  if (!head.includes('\t')) return line
  let expanded = ''
  for (const character of head) expanded += character === '\t' ? ' '.repeat(4 - (expanded.length % 4)) : character
  return expanded + line.slice(head.length)
}
