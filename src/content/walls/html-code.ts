import { Parser } from 'htmlparser2'
import type { CodeItem } from './code-item.ts'
import { isDangerousElement, isRawText, listElementCode, type WrittenElement } from './element-code.ts'

/** Attributes by which Vue evaluates what they contain; a dot binds a property, such as `innerHTML`. */
const vueAttribute = /^(?:v-(?!pre$|cloak$)|[:@#.])/

/** Between angle brackets, Markdown makes a link of it. */
const emailAddress = /^[\w.+-]+@[\w.-]+$/

/** Vue also finds components by names in lower case. */
const componentName = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/
const htmlElements = new Set(
  (
    'a abbr acronym address area article aside audio b bdi bdo big blockquote br canvas caption center circle cite ' +
    'clippath code col colgroup data datalist dd defs del desc details dfn dialog dir div dl dt ellipse em fieldset ' +
    'figcaption figure font footer g h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd label legend li line ' +
    'lineargradient main map mark marker mask menu meter nav nobr ol output p path pattern picture polygon polyline pre ' +
    'progress q radialgradient rect rp rt ruby s samp search section small source span stop strike strong sub summary ' +
    'sup svg symbol table tbody td text tfoot th thead time tr track tspan tt u ul var video view wbr'
  ).split(' '),
)

/**
 * Lists what the tags of HTML, or of Markdown without its code, may run or fetch. Reads the content of comments as well,
 * because browsers end some comments earlier than others do. Linear time.
 *
 * @param isVue Components are elements whose names need knowing, and directives are code.
 */
export function listHtmlCode(html: string, { isVue }: { isVue: boolean }): CodeItem[] {
  const items = listMarkup(html, isVue)
  const known = new Set(items.map(({ text }) => text))
  const lineAt = createLineFinder(html)
  // Markdown writes quotes and tags of its own between paragraphs, which end an attribute or a tag that is left open.
  for (const { 0: paragraph, index } of html.matchAll(/[^\n]+(?:\n[^\n]+)*/g)) {
    const line = lineAt(index) - 1
    for (const item of listMarkup(`${paragraph}\n"'>`, isVue)) {
      if (!known.has(item.text)) items.push({ ...item, line: item.line === null ? null : item.line + line })
    }
  }
  return items
}

function listMarkup(html: string, isVue: boolean): CodeItem[] {
  if (!html.includes('<')) return []
  const items: CodeItem[] = []
  const lineOf = createLineFinder(html)
  const comments: string[] = []
  let open: WrittenElement | null = null
  const add = (element: WrittenElement) => {
    // In plain HTML a name that browsers do not know is only text.
    const isKnown = ({ kind, text }: CodeItem) =>
      kind !== 'element' || isVue || isDangerousElement(text.split(' ')[0] ?? '')
    items.push(...listElementCode(element).filter(isKnown))
  }
  const addOpen = () => {
    if (open !== null) add(open)
    open = null
  }
  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        addOpen()
        if (emailAddress.test(tag) && Object.keys(attributes).length === 0) return
        const name = !isVue || isDangerousElement(tag.toLowerCase()) ? tag.toLowerCase() : tag
        const line = lineOf(parser.startIndex)
        const written = Object.entries(attributes).map(([key, value]) => ({ name: key, value }))
        if (isVue && componentName.test(name) && !htmlElements.has(name)) {
          items.push({ kind: 'element', text: name, line })
        }
        if (isRawText(name)) open = { name, attributes: written, line, content: '' }
        else add({ name, attributes: written, line })
        if (!isVue) return
        for (const { name: key, value } of written)
          if (vueAttribute.test(key)) items.push({ kind: 'attribute', text: `${key}="${value}"`, line })
      },
      ontext(text) {
        if (open !== null) open.content += text
      },
      onclosetag: addOpen,
      onend: addOpen,
      oncomment: (text) => void comments.push(text),
    },
    { lowerCaseTags: false, lowerCaseAttributeNames: false, recognizeSelfClosing: true, decodeEntities: true },
  )
  parser.end(html)
  const nested = comments.join('\n')
  return /<[a-z]/i.test(nested) ? [...items, ...listNested(nested, isVue)] : items
}

/** Comments within comments are not read again. */
function listNested(text: string, isVue: boolean): CodeItem[] {
  const plain = text.replace(/<!--/g, '')
  return listMarkup(plain, isVue).map((item) => ({ ...item, line: null }))
}

/** For positions that only increase. */
export function createLineFinder(text: string): (offset: number) => number {
  let line = 1
  let from = 0
  return (offset) => {
    for (; from < offset; from++) if (text.charCodeAt(from) === 10) line++
    return line
  }
}
