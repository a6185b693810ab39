const inlinePattern = /(`+)(.+?)\1|\*\*(.+?)\*\*|\[([^\]]*)\]\(([^()\s]+)\)/g

/**
 * An answer's Markdown as elements. Made by `createElement` and `textContent` alone, so that no text of an answer is
 * ever read as HTML.
 *
 * @param {string} markdown
 * @param {string} base Put before links within the site, which lies under a path here.
 * @returns {DocumentFragment}
 */
export function renderAnswer(markdown, base) {
  const fragment = document.createDocumentFragment()
  // An answer under way may end within a code block.
  const parts = markdown.split(/^```[^\n]*\n?/m)
  parts.forEach((part, place) => {
    if (place % 2 === 1) fragment.append(makeElement('pre', part.trimEnd()))
    else fragment.append(...renderBlocks(part, base))
  })
  return fragment
}

function renderBlocks(text, base) {
  return text
    .split(/\n{2,}/)
    .map((block) => block.trim())
    .filter((block) => block !== '')
    .map((block) => renderBlock(block, base))
}

function renderBlock(block, base) {
  const lines = block.split('\n')
  const marker = /^(?:[-*+]|(\d+)[.)])\s+/
  const first = marker.exec(lines[0])
  if (first && lines.every((line) => marker.test(line) || /^\s/.test(line))) {
    const list = document.createElement(first[1] === undefined ? 'ul' : 'ol')
    for (const line of lines) list.append(makeElement('li', renderInline(line.trim().replace(marker, ''), base)))
    return list
  }
  const heading = /^#{1,6}\s+(.*)$/s.exec(block)
  if (heading) return makeElement('p', [makeElement('strong', renderInline(heading[1], base))])
  const quoted = lines.every((line) => line.startsWith('>'))
  const plain = lines.map((line) => line.replace(/^>\s?/, '')).join('\n')
  return makeElement(quoted ? 'blockquote' : 'p', renderInline(plain, base))
}

function renderInline(text, base) {
  const nodes = []
  let end = 0
  for (const match of text.matchAll(inlinePattern)) {
    const [whole, , code, strong, label, address] = match
    nodes.push(text.slice(end, match.index))
    end = match.index + whole.length
    if (code !== undefined) nodes.push(makeElement('code', code))
    else if (strong !== undefined) nodes.push(makeElement('strong', strong))
    else nodes.push(renderLink(label, address, base))
  }
  return [...nodes, text.slice(end)]
}

/**
 * A link, or its text alone where the address is not one of the web.
 *
 * @param {string} label
 * @param {string} address
 * @param {string} base
 */
export function renderLink(label, address, base) {
  const url = address.startsWith('/') && !address.startsWith('//') ? base + address : address
  if (!/^(?:https?:\/\/|\/|#)/i.test(url)) return document.createTextNode(label)
  const link = makeElement('a', label || address)
  link.href = url
  return link
}

/**
 * @param {string} name
 * @param {string | (string | Node)[]} content
 */
export function makeElement(name, content) {
  const element = document.createElement(name)
  element.append(...(typeof content === 'string' ? [content] : content))
  return element
}
