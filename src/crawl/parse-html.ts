import type { Element, ElementContent, Root } from 'hast'
import { Parser } from 'htmlparser2'

/** Elements beyond this depth or number are reduced to their text. */
const depthMax = 100
const elementsMax = 50_000
/** The HTML-to-Markdown conversion searches the siblings of each element. */
const siblingsMax = 3000
const openTagsMax = 3000
const pieceChars = 32_768

/** Elements that carry no meaning. Highlighted code has one per token. */
const transparent = new Set('span font center small big tt bdi bdo abbr ins mark u wbr'.split(' '))

/** Attributes to keep, by their names in the tree. */
const attributeNames: ReadonlyMap<string, string> = new Map([
  ['alt', 'alt'],
  ['aria-hidden', 'ariaHidden'],
  ['class', 'className'],
  ['colspan', 'colSpan'],
  ['content', 'content'],
  ['data-lang', 'dataLang'],
  ['data-language', 'dataLanguage'],
  ['hidden', 'hidden'],
  ['href', 'href'],
  ['id', 'id'],
  ['lang', 'lang'],
  ['name', 'name'],
  ['rel', 'rel'],
  ['role', 'role'],
  ['start', 'start'],
  ['style', 'style'],
])

/**
 * Parses HTML in time and memory linear in its length. Parsers that repair nesting as browsers do can be driven out of
 * memory by a page of a few hundred kilobytes. Accepts any text.
 */
export function parseHtml(html: string): Root {
  const root: Root = { type: 'root', children: [] }
  const open: (Root | Element)[] = [root]
  /** For each open tag, whether it has an element in the tree. */
  const kept: boolean[] = []
  let elementsLeft = elementsMax
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        const parent = open.at(-1) ?? root
        const isKept =
          open.length <= depthMax &&
          elementsLeft > 0 &&
          parent.children.length < siblingsMax &&
          (!transparent.has(name) || isMarked(attributes))
        kept.push(isKept)
        if (!isKept) return
        elementsLeft--
        const element: Element = {
          type: 'element',
          tagName: name,
          properties: readAttributes(attributes),
          children: [],
        }
        parent.children.push(element)
        open.push(element)
      },
      ontext: (text) => addText(open.at(-1) ?? root, text),
      onclosetag: () => {
        if (kept.pop() === true) open.pop()
      },
    },
    { lowerCaseTags: true, decodeEntities: true },
  )
  // The parser's own stack of open tags costs quadratic time, so excessive nesting is cut off.
  for (let at = 0; at < html.length && kept.length < openTagsMax; at += pieceChars) {
    parser.write(html.slice(at, at + pieceChars))
  }
  parser.end()
  return root
}

/** Whether an otherwise meaningless element may be hidden or excluded. */
function isMarked(attributes: Readonly<Record<string, string>>): boolean {
  return 'hidden' in attributes || 'aria-hidden' in attributes || 'role' in attributes || 'class' in attributes
}

function readAttributes(attributes: Readonly<Record<string, string>>): Element['properties'] {
  const properties: Element['properties'] = {}
  for (const [written, value] of Object.entries(attributes)) {
    const name = attributeNames.get(written)
    if (name === undefined) continue
    if (name === 'className') properties[name] = value.split(/\s+/).filter((part) => part !== '')
    else if (name === 'colSpan' || name === 'start')
      properties[name] = Math.min(1000, Math.abs(Number.parseInt(value, 10)) || 1)
    else properties[name] = name === 'hidden' ? true : value
  }
  return properties
}

function addText(parent: Root | Element, value: string): void {
  const children: (ElementContent | Root['children'][number])[] = parent.children
  const last = children.at(-1)
  if (last?.type === 'text') last.value += value
  else parent.children.push({ type: 'text', value })
}
