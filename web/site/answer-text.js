const inlinePattern = /(`+)(.+?)\1|\*\*(.+?)\*\*|\[([^\]]*)\]\(([^()\s]+)\)/g

/**
 * Renders an answer's Markdown. Uses only `createElement` and `textContent`, so that no text of an answer is ever
 * parsed as HTML.
 *
 * @param {string} markdown
 * @param {string} base Prefix for suggested pages, which are named by their path within the site.
 * @returns {DocumentFragment}
 */
export function renderAnswer(markdown, base) {
  const fragment = document.createDocumentFragment()
  // Alternates text, block name, code, rest of the closing line. A streaming answer may stop anywhere.
  const parts = markdown.split(/^```([^\n]*)\n?/m)
  parts.forEach((part, place) => {
    if (place % 4 === 0) fragment.append(...renderBlocks(part))
    else if (place % 4 === 2) fragment.append(renderCode(part.trimEnd(), parts[place - 1].trim(), base))
  })
  return fragment
}

/** Suggested pages are a fenced block with one `(Title)[/path]` per line. */
function renderCode(code, name, base) {
  if (name !== 'suggestions') return makeElement('pre', code)
  const links = Array.from(code.matchAll(/^\((.+)\)\[(\/[^\]\s]*)\]$/gm), ([, title, path]) =>
    makeElement('li', [renderLink(title, base + path)]),
  )
  return makeElement('ul', links)
}

function renderBlocks(text) {
  return text
    .split(/\n{2,}/)
    .map((block) => block.trim())
    .filter((block) => block !== '')
    .map((block) => renderBlock(block))
}

function renderBlock(block) {
  const lines = block.split('\n')
  const marker = /^(?:[-*+]|(\d+)[.)])\s+/
  const first = marker.exec(lines[0])
  if (first && lines.every((line) => marker.test(line) || /^\s/.test(line))) {
    const list = document.createElement(first[1] === undefined ? 'ul' : 'ol')
    for (const line of lines) list.append(makeElement('li', renderInline(line.trim().replace(marker, ''))))
    return list
  }
  const heading = /^#{1,6}\s+(.*)$/s.exec(block)
  if (heading) return makeElement('p', [makeElement('strong', renderInline(heading[1]))])
  const quoted = lines.every((line) => line.startsWith('>'))
  const plain = lines.map((line) => line.replace(/^>\s?/, '')).join('\n')
  return makeElement(quoted ? 'blockquote' : 'p', renderInline(plain))
}

function renderInline(text) {
  const nodes = []
  let end = 0
  for (const match of text.matchAll(inlinePattern)) {
    const [whole, , code, strong, label, address] = match
    nodes.push(text.slice(end, match.index))
    end = match.index + whole.length
    if (code !== undefined) nodes.push(makeElement('code', code))
    else if (strong !== undefined) nodes.push(makeElement('strong', strong))
    else nodes.push(renderLink(label, address))
  }
  return [...nodes, text.slice(end)]
}

/**
 * A link, or just its text if the address is neither web nor mail.
 *
 * @param {string} label
 * @param {string} address
 */
export function renderLink(label, address) {
  if (!/^(?:https?:\/\/|mailto:|\/|#)/i.test(address)) return document.createTextNode(label)
  const link = makeElement('a', label || address)
  link.href = address
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
