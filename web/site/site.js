// What the pages of a site can do beyond being read. They work without it.

const root = document.documentElement
const texts = root.dataset

/** Browsers may refuse storage. The first script of the page reads it. */
function storeTheme(name) {
  try {
    if (name === 'auto') localStorage.removeItem('docent-theme')
    else localStorage.setItem('docent-theme', name)
  } catch {}
}

/** Steps through the theme of the system, light and dark. The page's first script has applied the stored one. */
function switchThemes(button) {
  const names = ['auto', 'light', 'dark']
  const show = () => {
    const name = root.dataset.theme ?? 'auto'
    const label = button.dataset[name]
    button.ariaLabel = label
    button.title = label
    for (const icon of button.children) icon.toggleAttribute('hidden', icon.dataset.for !== name)
  }
  button.addEventListener('click', () => {
    const next = names[(names.indexOf(root.dataset.theme ?? 'auto') + 1) % names.length]
    if (next === 'auto') delete root.dataset.theme
    else root.dataset.theme = next
    storeTheme(next)
    show()
  })
  button.hidden = false
  show()
}

async function copy(button, read) {
  const label = button.lastChild.textContent
  try {
    await navigator.clipboard.writeText(await read())
    button.lastChild.textContent = texts.copied
    setTimeout(() => (button.lastChild.textContent = label), 2_000)
  } catch {
    // The clipboard needs HTTPS.
    return false
  }
  return true
}

function addCopyButton(cap) {
  const button = document.createElement('button')
  button.type = 'button'
  button.append(texts.copy)
  const code = cap.parentElement.querySelector('code')
  button.addEventListener('click', () => void copy(button, () => code.textContent))
  cap.append(button)
}

/** Copies the page as Markdown; the link opens it where that fails. */
function copyPage(link) {
  link.addEventListener('click', async (event) => {
    event.preventDefault()
    if (!(await copy(link, async () => (await fetch(link.href)).text()))) location.assign(link.href)
  })
}

/** Marks the section that is being read in the table of contents. */
function followSections(contents) {
  const links = new Map(
    [...contents.querySelectorAll('a')].map((link) => [decodeURIComponent(link.hash.slice(1)), link]),
  )
  const headings = [...links.keys()].map((id) => document.getElementById(id)).filter(Boolean)
  let marked = null
  const update = () => {
    const line = innerHeight / 4
    const passed = headings.findLast((heading) => heading.getBoundingClientRect().top < line) ?? headings[0]
    // The end of a page is never scrolled to the top.
    const isAtEnd = scrollY > 0 && scrollY + innerHeight >= root.scrollHeight - 4
    const link = links.get((isAtEnd ? headings.at(-1) : passed)?.id) ?? null
    if (link === marked) return
    marked?.removeAttribute('aria-current')
    link?.setAttribute('aria-current', 'true')
    marked = link
  }
  new IntersectionObserver(update, { rootMargin: '0px 0px -75% 0px', threshold: [0, 1] }).observe(document.body)
  addEventListener('scroll', update, { passive: true })
  update()
}

/** Calls wait in the widget's queue until its script is there. */
function openWidget(event) {
  const opener = event.target.closest?.('[data-docent-open]')
  if (!opener || event.metaKey || event.ctrlKey || event.shiftKey) return
  event.preventDefault()
  window.docent ??= []
  window.docent.push(['open'])
}

/** Readers who came by another host than the configured one, which answers name, stay there. */
function stayHere(event) {
  const link = event.composedPath().find((target) => target instanceof HTMLAnchorElement)
  const { home } = widget.dataset
  if (!home || !link?.href.startsWith(home) || link.origin === location.origin) return
  link.removeAttribute('target')
  link.href = link.href.slice(link.origin.length)
}

const widget = document.querySelector('script[data-site]')
if (widget) {
  document.addEventListener('click', openWidget)
  document.addEventListener('click', stayHere, true)
  for (const opener of document.querySelectorAll('[data-docent-open]')) opener.hidden = false
  // The link then leads to the page for searching.
  widget.addEventListener('error', () => document.removeEventListener('click', openWidget))
  const keys = document.querySelector('.seek kbd')
  if (keys) keys.textContent = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘K' : 'Ctrl K'
}
for (const button of document.querySelectorAll('[data-switch]')) switchThemes(button)
for (const cap of document.querySelectorAll('.cap')) addCopyButton(cap)
for (const link of document.querySelectorAll('a[data-copy]')) copyPage(link)
for (const contents of document.querySelectorAll('.toc nav')) followSections(contents)
const tree = document.querySelector('.tree')
const current = tree?.querySelector('[aria-current]')
if (current) tree.scrollTop = current.offsetTop - tree.clientHeight / 2
