import type { Citation } from '../../../src/contract/citations.ts'
import type { MarkdownNode } from './markdown-node.ts'

/** Name of the elements that contain the numbers of a sentence's sources. */
export const citedTag = 'sup'

/**
 * A `rehype` plugin that puts an element with its citations behind each cited sentence. Numbers come after links and
 * code, never inside them. Citations of text that has not arrived are left out.
 *
 * Offsets are found by the positions of nodes in the Markdown, because marks written into it would change how it is
 * read.
 */
export function placeCitations({ citations }: { citations: readonly Citation[] }) {
  const byEnd = [...Map.groupBy(citations, ({ answer }) => answer.end)].sort(([a], [b]) => b - a)
  return (tree: MarkdownNode, file: { toString(): string }) => {
    const markdown = String(file)
    const leaves = listLeaves(tree).sort((a, b) => a.start - b.start)
    // From the end, so that cutting a text moves no sentence that is still to be found.
    for (const [end, ofSentence] of byEnd) {
      const leaf = end <= markdown.length ? leaves.findLast(({ start }) => start < end) : undefined
      if (leaf !== undefined) place(leaf, { markdown, end, citations: ofSentence })
    }
  }
}

/** The citations that an element contains; undefined if it is not one of the plugin's. */
export function citationsOf(node: MarkdownNode | undefined): readonly Citation[] | undefined {
  const data: { citations?: readonly Citation[] } | undefined = node?.data // Only the plugin sets them.
  return data?.citations
}

interface Leaf {
  node: MarkdownNode
  parent: MarkdownNode
  start: number
}

/** Elements that may contain no number. */
const whole: ReadonlySet<string> = new Set(['a', 'code', 'img', 'input', 'pre'])

/** The texts, links and code of a tree that are written in the Markdown. */
function listLeaves(parent: MarkdownNode): Leaf[] {
  return (parent.children ?? []).flatMap((node) => {
    if (node.children !== undefined && !whole.has(node.tagName ?? '')) return listLeaves(node)
    const start = node.position?.start.offset
    return start === undefined ? [] : [{ node, parent, start }]
  })
}

interface CitedSentence {
  markdown: string
  /** Where it ends in the Markdown. */
  end: number
  citations: readonly Citation[]
}

function place({ node, parent, start }: Leaf, sentence: CitedSentence): void {
  if (node.type === 'text') cutText(parent, node, sentence.end - start, sentence)
  const { citations } = sentence
  const numbers: MarkdownNode = {
    type: 'element',
    tagName: citedTag,
    properties: {},
    children: [],
    data: { citations },
  }
  const isBlock = node.tagName === 'pre'
  insertAfter(parent, node, isBlock ? { type: 'element', tagName: 'p', properties: {}, children: [numbers] } : numbers)
}

/** Cuts a text in two at the end of a sentence, and drops markers such as `[1]` there. */
function cutText(
  parent: MarkdownNode,
  text: MarkdownNode,
  offset: number,
  { markdown, citations }: CitedSentence,
): void {
  const { value = '', position } = text
  const at = findIndex(value, markdown.slice(position?.start.offset, position?.end.offset), offset)
  const markers = `(?:\\s?\\[(?:${citations.map(({ number }) => Number(number)).join('|')})\\]){1,3}`
  const tail = value.slice(at).replace(new RegExp(`^${markers}`), '')
  text.value = value.slice(0, at).replace(new RegExp(`${markers}$`), '')
  if (tail !== '') insertAfter(parent, text, { type: 'text', value: tail })
}

/** Where an offset in Markdown is in the text read from it, which has no escapes, entities and indentation. */
function findIndex(value: string, markdown: string, offset: number): number {
  let index = 0
  for (let from = 0; from < offset && index < value.length; from++) {
    if (markdown[from] === value[index]) index++
    else if (markdown[from] === '&') {
      from = Math.max(from, markdown.indexOf(';', from))
      index += value.codePointAt(index) === value.charCodeAt(index) ? 1 : 2
    }
  }
  return index
}

function insertAfter(parent: MarkdownNode, before: MarkdownNode, node: MarkdownNode): void {
  parent.children?.splice(parent.children.indexOf(before) + 1, 0, node)
}
