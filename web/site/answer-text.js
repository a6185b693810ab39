const inlinePattern = /(`+)(.+?)\1|\*\*(.+?)\*\*|\[([^\]]*)\]\(([^()\s]+)\)/g

/**
 * Renders an answer's Markdown. Uses only `createElement` and `textContent`, so that no text of an answer is ever
 * parsed as HTML.
 *
 * @param {string} markdown
 * @returns {DocumentFragment}
 */
export function renderAnswer(markdown) {
  const fragment = document.createDocumentFragment()
  // Alternates text, block name, code, rest of the closing line. A streaming answer may stop anywhere.
  const parts = markdown.split(/^```([^\n]*)\n?/m)
  parts.forEach((part, place) => {
    if (place % 4 === 0) fragment.append(...renderBlocks(part))
    else if (place % 4 === 2) fragment.append(renderCode(part.trimEnd(), parts[place - 1].trim()))
  })
  return fragment
}

/** Suggested pages, which some keys have in the text as well, come as an event. */
function renderCode(code, name) {
  return name === 'suggestions' ? '' : makeElement('pre', code)
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
