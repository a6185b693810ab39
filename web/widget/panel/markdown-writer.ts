import {
  Attr,
  parser,
  parser_end as endParser,
  parser_write as writeParser,
  type Parser,
  type Renderer,
  Token,
} from 'streaming-markdown'
import type { Say } from '../words/make-say.ts'
import { colorCode } from './color-code.ts'
import { copyCode } from './copy-code.ts'
import { moveToCode } from './place-citation.ts'

/** Addresses that links may have; all others stay text. */
const allowedAddress = /^(?:https?:\/\/|mailto:|[#/])/i

interface WriterDeps {
  say: Say
  /** What a link becomes, given its address. */
  decorate: (link: HTMLAnchorElement, address: string) => void
}

/**
 * Shows Markdown that grows. Elements are created one by one and text is only ever text, so that nothing of an answer is
 * parsed as HTML. What is shown stays as long as the Markdown only grows at its end.
 */
export class MarkdownWriter {
  readonly #root: HTMLElement
  readonly #deps: WriterDeps
  #written = ''
  #isWhole = false
  #parser: Parser | null = null

  constructor(root: HTMLElement, deps: WriterDeps) {
    this.#root = root
    this.#deps = deps
  }

  /** @param isWhole Whether nothing follows. */
  write(markdown: string, isWhole: boolean): void {
    // What is whole stays, and with it the focus.
    if (this.#isWhole && markdown === this.#written) return
    if (this.#parser === null || !markdown.startsWith(this.#written)) this.#restart()
    if (this.#parser === null) return
    writeParser(this.#parser, markdown.slice(this.#written.length))
    this.#written = markdown
    this.#isWhole = isWhole
    if (!isWhole) return
    endParser(this.#parser)
    this.#parser = null
  }

  #restart(): void {
    this.#root.replaceChildren()
    this.#written = ''
    this.#parser = parser(createRenderer(this.#root, this.#deps))
  }
}

function createRenderer(root: HTMLElement, { say, decorate }: WriterDeps): Renderer<HTMLElement[]> {
  const last = (nodes: HTMLElement[]) => nodes.at(-1) ?? root
  return {
    data: [root],
    add_token(nodes, token) {
      if (token === Token.Document) return
      nodes.push(addElement(last(nodes), token, say))
    },
    end_token(nodes) {
      if (nodes.length < 2) return
      const element = nodes.pop()
      if (element?.dataset['end']) element.append(element.dataset['end'])
      if (element?.parentElement instanceof HTMLPreElement) colorCode(element)
      if (element instanceof HTMLParagraphElement) moveToCode(element)
    },
    add_text: (nodes, text) => last(nodes).append(text),
    set_attr: (nodes, attribute, value) => setAttribute(last(nodes), attribute, value, decorate),
  }
}

const names: Partial<Record<Token, keyof HTMLElementTagNameMap>> = {
  [Token.Paragraph]: 'p',
  // Below the question, which is a heading of the third level.
  [Token.Heading_1]: 'h4',
  [Token.Heading_2]: 'h4',
  [Token.Heading_3]: 'h5',
  [Token.Heading_4]: 'h6',
  [Token.Heading_5]: 'h6',
  [Token.Heading_6]: 'h6',
  [Token.Blockquote]: 'blockquote',
  [Token.Line_Break]: 'br',
  [Token.Rule]: 'hr',
  [Token.Italic_Ast]: 'em',
  [Token.Italic_Und]: 'em',
  [Token.Strong_Ast]: 'strong',
  [Token.Strong_Und]: 'strong',
  [Token.Strike]: 's',
  [Token.Code_Inline]: 'code',
  [Token.Link]: 'a',
  [Token.Raw_URL]: 'a',
  // Policies of pages seldom allow images of other hosts: they become links.
  [Token.Image]: 'a',
  [Token.List_Unordered]: 'ul',
  [Token.List_Ordered]: 'ol',
  [Token.List_Item]: 'li',
}

function addElement(parent: HTMLElement, token: Token, say: Say): HTMLElement {
  if (token === Token.Code_Block || token === Token.Code_Fence) return addCode(parent, say)
  if (token === Token.Table) return addTable(parent)
  if (token === Token.Table_Row) return addRow(parent)
  const element = document.createElement(token === Token.Table_Cell ? nameCell(parent) : (names[token] ?? 'span'))
  if (token === Token.Checkbox) element.append('☐ ')
  // Formulas are not set: prices look like them too.
  const formula = token === Token.Equation_Block ? '$$' : token === Token.Equation_Inline ? '$' : ''
  element.append(formula)
  if (formula !== '') element.dataset['end'] = formula
  parent.append(element)
  return element
}

function addCode(parent: HTMLElement, say: Say): HTMLElement {
  const box = document.createElement('div')
  const caption = document.createElement('div')
  const text = document.createElement('pre')
  const code = document.createElement('code')
  box.className = 'code'
  caption.className = 'cap'
  caption.append(document.createElement('span'), copyCode(say, code))
  // Scrollable regions must be reachable by keyboard.
  text.tabIndex = 0
  text.append(code)
  box.append(caption, text)
  parent.append(box)
  return code
}

function addTable(parent: HTMLElement): HTMLElement {
  const area = document.createElement('div')
  const table = document.createElement('table')
  area.className = 'wide'
  area.tabIndex = 0
  area.append(table)
  parent.append(area)
  return table
}

function addRow(table: HTMLElement): HTMLElement {
  const part = table.children[1] ?? document.createElement(table.children.length === 0 ? 'thead' : 'tbody')
  const row = document.createElement('tr')
  part.append(row)
  table.append(part)
  return row
}

function nameCell(row: HTMLElement): 'td' | 'th' {
  return row.parentElement?.localName === 'thead' ? 'th' : 'td'
}

function setAttribute(element: HTMLElement, attribute: Attr, value: string, decorate: WriterDeps['decorate']): void {
  if (attribute === Attr.Lang) element.closest('.code')?.querySelector('span')?.replaceChildren(value)
  else if (attribute === Attr.Start && element instanceof HTMLOListElement) element.start = Number(value) || 1
  else if (attribute === Attr.Checked) element.replaceChildren('☑ ')
  else if (element instanceof HTMLAnchorElement && allowedAddress.test(value)) decorate(element, value)
}
